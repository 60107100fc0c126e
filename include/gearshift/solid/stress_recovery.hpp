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

/// Recovers at the nodes what a Body carries at its quadrature points: by polynomials of the elements' degree around
/// each vertex that fit the points where derivatives are most accurate (superconvergent patch recovery, Zienkiewicz,
/// Zhu, Int. J. Numer. Methods Engrg. 33, 1992), blended inside the cells. Inside a body and on regular meshes the
/// stress so gains one order over the elements' own. Where such a polynomial only extrapolates, at surfaces, the patches
/// there correct it with the terms that their samples determine, and its part below that degree is replaced by the cell's
/// own. The recovery turns with the body, however that lies. Values are continuous within a material and may jump between
/// unlike ones, where a node has a place for each.
///
/// - Cauchy's stress sigma = P F' / det F [force/length^2]; of linear elasticity its only stress
/// - Green's strain E = (F'F - I) / 2 [-]; of linear elasticity sym H
/// - the stored energy per reference volume [energy/length^3]; not below 0 where it is not at any quadrature point
/// - the equivalent plastic strain, 0 where nothing has flowed [-]
///
/// Holds a reference to the body, which must outlive it and be set up.
class GEARSHIFT_EXPORT StressRecovery {
 public:
  struct Wanted {
    bool stress = true, strain = false, energy_density = false, plastic_strain = false;
  };

  /// Collective.
  StressRecovery(const Body& body, Wanted wanted);
  ~StressRecovery();
  StressRecovery(StressRecovery&&) noexcept;

  /// The memory that one would need at most on this rank [bytes]; the body need not be set up. Collective.
  static double memory_estimate(const Body& body, Wanted wanted);

  /// Recovers at a state, on all ranks. Collective.
  void update(const State& x);

  /// Where values stand.
  const NodePlaces& places() const;
  /// Of each place, since the last update(); empty if not wanted.
  std::span<const Symmetric> stress() const;
  std::span<const Symmetric> strain() const;
  std::span<const double> energy_density() const;
  std::span<const double> plastic_strain() const;
  /// No value of energy_density() is below this: 0, or the least energy at any quadrature point if that is negative.
  double least_energy_density() const;
  /// The greatest von Mises stress at the quadrature points of each cell of this rank, as the law gives it, before the
  /// recovery; and the reference position of that point. Empty if the stress is not wanted.
  std::span<const double> von_mises_at_points() const;
  Vec3 position_of_von_mises(PetscInt cell) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gearshift::solid
