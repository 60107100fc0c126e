#include "solid/body/aggregate_memory.hpp"

#include "petsc/queries.hpp"
#include "solid/multigrid/coarse/aggregate_couplings.hpp"
#include "solid/multigrid/coarse/aggregate_cycle.hpp"
#include "solid/multigrid/coarse/node_aggregates.hpp"
#include "solid/multigrid/constants.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace gearshift::solid {

using petsc::check;

AggregateMemory memory_of_lines(const Space& space, const MaterialTable& material) {
  AggregateMemory result;
  const NodeAggregates aggregates = aggregate_nodes(space, StiffInclusions(space, material), true);
  // All aggregates of other ranks count as one.
  std::vector<PetscInt> of(static_cast<std::size_t>(space.local_nodes()), aggregates.count());
  for (PetscInt a = 0; a < aggregates.count(); ++a)
    for (const PetscInt node : aggregates.of(a)) of[static_cast<std::size_t>(node)] = a;
  const auto pairs = static_cast<double>(coupled_aggregates(space, of).size());
  result.matrix = pairs * 36 * 8;
  std::array<double, 2> all{result.matrix, static_cast<double>(aggregates.count())};
  check(MPI_Allreduce(MPI_IN_PLACE, all.data(), 2, MPI_DOUBLE, MPI_SUM, space.comm()));
  // The direct solver of the first rank needs a copy of both halves, a second copy for its ordering, and its factors.
  // For the clusters that it solves if there are more aggregates, the constants were measured on plates of 6e4 and 1.5e5
  // unknowns.
  const bool direct = all[1] * static_cast<double>(rigid_motions) <= multigrid::max_direct_unknowns;
  const double of_first = direct ? 7 : 1;
  result.solver = (direct ? 1 : 0.6) * result.matrix;
  result.direct = petsc::rank_of(space.comm()) == 0 ? of_first * all[0] : 0;
  return result;
}

AggregateMemory memory_of_unlike(const Mesh& mesh, const Space& space, const MaterialTable& material, double matrix,
                                 int ranks) {
  const MPI_Comm comm = space.comm();
  const double contrast = contrast_of(comm, material);
  if (contrast <= multigrid::weak_contrast) return {};
  std::optional<Space> own;
  if (space.degree() > 1) own.emplace(mesh, space, 1);
  const Space& corners = own ? *own : space;
  const StiffInclusions parts(corners, material);
  const NodeAggregates aggregates = aggregate_nodes(corners, parts, false);
  const AggregateNumbers numbers = number_over_ranks(corners, aggregates);
  const AggregateCouplings couplings(corners, parts, material, numbers.of_node,
                                     {numbers.first, numbers.first + aggregates.count()});
  const auto n = static_cast<double>(numbers.all);
  const bool first = petsc::rank_of(comm) == 0;
  // The first rank keeps the whole matrix, of order n, and its factors, which grow like n^(4/3) under nested dissection
  // in three dimensions (Lipton, Rose, Tarjan, SIAM J. Numer. Anal. 16, 1979). The constants are the peaks of repeated
  // factorizations, measured on cubes of 1000 to 7000 aggregates with randomly stiff cells on 1, 2 and 4 ranks.
  if (AggregateCycle::takes_multifrontal(numbers.all, contrast, couplings.hinged())) {
    const double share = ranks == petsc::ranks_of(comm) ? matrix : petsc::reduced(comm, MPI_SUM, matrix) / ranks;
    return {matrix, matrix, first ? std::max(0.0, 0.8 * n * (1800 + 3900 * std::cbrt(n)) - share) : 0};
  }
  PetscInt clusters =
      AggregateCycle::make_clusters(centres_of(corners, aggregates), couplings, numbers.all, comm).count();
  check(MPI_Allreduce(MPI_IN_PLACE, &clusters, 1, MPIU_INT, MPI_SUM, comm));
  // Incomplete factors of the aggregates and the clusters' direct solver, measured on the same cubes at a contrast of
  // 200.
  const auto unknowns = static_cast<double>(clusters) * static_cast<double>(rigid_motions);
  return {matrix, matrix, first && unknowns <= multigrid::max_direct_unknowns ? 3e3 * unknowns : 0};
}

}  // namespace gearshift::solid
