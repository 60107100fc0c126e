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

  /// Returns true if the inertial shift is more than this fraction of the largest stiffness. Collective.
  bool dominates(Shifts s, double fraction);

 private:
  /// Returns the largest (lambda + 2 mu) / (rho d^2) [1/s^2] of all cells, with d the minimum distance of two nodes of
  /// a cell: about the square of the highest frequency. Returns 0 without cells. Collective.
  double highest_frequency_squared() const;

  const Space& space_;
  const MaterialTable& material_;
  double highest_ = -1;  // squared frequency; negative until a motion needs it, which statics never do
};

}  // namespace gearshift::solid
