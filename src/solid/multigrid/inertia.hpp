#pragma once

/// @file
/// The comparison of inertia with stiffness.

#include <gearshift/dynamics/state.hpp>
#include <gearshift/solid/space.hpp>

#include "solid/material/material_table.hpp"

namespace gearshift::solid {

/// The inertia of a level, compared with its stiffness.
class Inertia {
 public:
  /// @param space, material referenced
  Inertia(const Space& space, const MaterialTable& material) : space_(space), material_(material) {}

  /// Returns true if smoothing without coarser levels solves the level at less cost, because the inertial shift is more
  /// than a fraction of the largest stiffness: 0.02, or 0.05 below the finest level. Found by runs at fixed steps,
  /// degrees 1 to 4, hexahedra and tetrahedra, 1e4 to 2e5 unknowns, where half and twice these values cost up to a
  /// quarter more. Collective.
  bool dominates(Shifts s, bool finest);

 private:
  /// Returns the largest (lambda + 2 mu) / (rho d^2) [1/s^2] of all cells, with d the minimum distance of two nodes of a
  /// cell: about the square of the highest frequency. Returns 0 without cells. Collective.
  double highest_frequency_squared() const;

  const Space& space_;
  const MaterialTable& material_;
  double highest_ = -1;  // squared frequency; negative until a motion needs it, which statics never do
};

}  // namespace gearshift::solid
