#pragma once

/// @file
/// What the solver of FloatMultigrid's groups keeps where the number of nodes alone does not tell it.

#include <gearshift/solid/space.hpp>

#include "solid/material/material_table.hpp"

namespace gearshift::solid {

/// Bytes of this rank.
struct GroupFootprint {
  double matrix = 0;
  double solver = 0;
};

/// Of lines and planes of nodes that are grouped apart: groups of the space at hand, which are as many as those of a
/// lower degree or more. Collective.
GroupFootprint lines_footprint(const Space& space, const MaterialTable& material);

/// Of what solves for the groups of a body of unlike materials beside their matrix, of which this rank has so many bytes:
/// direct solvers and incomplete factors (GroupCycle); 0 for other bodies. Collective.
double unlike_footprint(const Mesh& mesh, const Space& space, const MaterialTable& material, double matrix);

}  // namespace gearshift::solid
