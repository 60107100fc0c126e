#pragma once

/// @file
/// Memory of the solver of FloatMultigrid's groups, where it does not follow from the number of nodes alone.

#include <gearshift/solid/space.hpp>

#include "solid/material/material_table.hpp"

namespace gearshift::solid {

/// Bytes of this rank.
struct GroupFootprint {
  double matrix = 0;
  double solver = 0;
};

/// For lines and planes of nodes that are grouped apart. The groups counted are those of `space`; a lower degree has as
/// many or fewer. Collective.
GroupFootprint lines_footprint(const Space& space, const MaterialTable& material);

/// Bytes of the direct solvers and incomplete factors that GroupCycle keeps for a body of unlike materials; 0 for other
/// bodies.
/// @param matrix bytes of the groups' matrix on this rank. Collective.
double unlike_footprint(const Mesh& mesh, const Space& space, const MaterialTable& material, double matrix);

}  // namespace gearshift::solid
