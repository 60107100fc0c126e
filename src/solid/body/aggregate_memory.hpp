#pragma once

/// @file
/// Memory of the solver for FloatMultigrid's aggregates, if it depends on more than the number of nodes.

#include <gearshift/solid/space.hpp>

#include "solid/material/material_table.hpp"

namespace gearshift::solid {

/// Bytes on this rank.
struct AggregateMemory {
  double matrix = 0;
  double solver = 0;
  double direct = 0;  ///< of the direct solver on the first rank; 0 on the others
};

/// Returns the memory for lines and planes of nodes as aggregates. The aggregates counted are those of `space`; a lower
/// degree has the same number or fewer. Collective.
AggregateMemory memory_of_lines(const Space& space, const MaterialTable& material);

/// Returns the memory of the direct solvers and incomplete factors that AggregateCycle keeps for a body of unlike
/// materials; 0 for other bodies. Collective.
/// @param matrix bytes of the aggregates' matrix on this rank
/// @param ranks number of ranks among which the matrix is distributed when the direct solver takes its memory
AggregateMemory memory_of_unlike(const Mesh& mesh, const Space& space, const MaterialTable& material, double matrix,
                                 int ranks);

}  // namespace gearshift::solid
