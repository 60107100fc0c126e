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

/// Of MUMPS, which solves for the groups of bodies with hinges (GroupCycle); 0 for others. Collective.
double factors_footprint(const Mesh& mesh, const Space& space, const MaterialTable& material);

}  // namespace gearshift::solid
