#pragma once

/// @file
/// Memory of the solver of FloatMultigrid's aggregates, where it does not follow from the number of nodes alone.

#include <gearshift/solid/space.hpp>

#include "solid/material/material_table.hpp"

namespace gearshift::solid {

/// Bytes of this rank.
struct AggregateMemory {
  double matrix = 0;
  double solver = 0;
};

/// For lines and planes of nodes that are aggregated apart. The aggregates counted are those of `space`; a lower degree
/// has as
/// many or fewer. Collective.
AggregateMemory memory_of_lines(const Space& space, const MaterialTable& material);

/// Bytes of the direct solvers and incomplete factors that AggregateCycle keeps for a body of unlike materials; 0 for
/// other
/// bodies.
/// @param matrix bytes of the aggregates' matrix on this rank. Collective.
double memory_of_unlike(const Mesh& mesh, const Space& space, const MaterialTable& material, double matrix);

}  // namespace gearshift::solid
