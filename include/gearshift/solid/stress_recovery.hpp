#pragma once

/// @file
/// Stress, strain and energy density of a Body at its nodes.

#include <gearshift/dynamics/state.hpp>
#include <gearshift/solid/body.hpp>
#include <gearshift/solid/node_places.hpp>
#include <gearshift/solid/stress.hpp>

#include <memory>
#include <span>

namespace gearshift::solid {

/// Recovers the stress, strain and energy of a Body at the nodes from its quadrature points: by polynomials of the
/// elements' degree around each vertex that fit the points at which derivatives are most accurate (superconvergent
/// patch recovery, Zienkiewicz, Zhu, Int. J. Numer. Methods Engrg. 33, 1992), blended inside the cells. Inside a body
/// and on regular meshes the stress gains one order over the elements' own. At surfaces, where such a polynomial only
/// extrapolates, the patches there correct it with the terms that their samples determine, and its part below that
/// degree is replaced by the cell's own. The recovery does not depend on the orientation of the body. Values are
/// continuous within a material and may jump between unlike materials, where a node has a place for each.
///
/// - Cauchy stress sigma = P F' / det F [force/length^2]; for linear elasticity its only stress
/// - Green strain E = (F'F - I) / 2 [-]; for linear elasticity sym H
/// - the stored energy per reference volume [energy/length^3]; not below 0 if it is non-negative at all quadrature
///   points
/// - the equivalent plastic strain, 0 without plastic flow [-]
///
/// Holds a reference to the body, which must outlive it and be set up.
class GEARSHIFT_EXPORT StressRecovery {
 public:
  struct Wanted {
    bool stress = false, strain = false, energy_density = false, plastic_strain = false;
  };

  /// Collective.
  StressRecovery(const Body& body, Wanted wanted);
  ~StressRecovery();
  StressRecovery(StressRecovery&&) noexcept;

  /// Returns the maximum memory that an object would need on this rank [bytes]; the body need not be set up.
  /// Collective.
  static double memory_estimate(const Body& body, Wanted wanted);

  /// Recovers the fields at a state, on all ranks. Collective.
  void update(const State& x);

  /// Returns the places of the values.
  const NodePlaces& places() const;
  /// Return the values at each place, since the last update(); empty if not wanted.
  std::span<const Symmetric> stress() const;
  std::span<const Symmetric> strain() const;
  std::span<const double> energy_density() const;
  std::span<const double> plastic_strain() const;
  /// Returns a lower bound of energy_density(): 0, or the minimum energy at any quadrature point if that is negative.
  double least_energy_density() const;
  /// Return the maximum von Mises stress at the quadrature points of each cell of this rank, as given by the law,
  /// before the recovery; and the reference position of that point. Empty if the stress is not wanted.
  std::span<const double> von_mises_at_points() const;
  Vec3 position_of_von_mises(PetscInt cell) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gearshift::solid
