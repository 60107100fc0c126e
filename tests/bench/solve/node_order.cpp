#include "bench/solve/node_order.hpp"

#include <gearshift/petsc/handle.hpp>

#include <petscmat.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gearshift::bench {
namespace {

using petsc::check;
using petsc::Handle;

/// Owned nodes, ordered by position.
using Sequence = std::vector<PetscInt>;

Sequence along_lines(const solid::Space& space) {
  Sequence result(static_cast<std::size_t>(space.owned_nodes()));
  std::iota(result.begin(), result.end(), PetscInt{0});
  const auto& X = space.coordinates();
  double size = 0;
  for (const auto& x : X)
    for (const double value : x) size = std::max(size, std::abs(value));
  // The coordinates of the nodes of a line differ by round-off.
  const auto key = [&](PetscInt node, std::size_t d) {
    return std::llround(X[static_cast<std::size_t>(node)][d] / size * 1e9);
  };
  std::sort(result.begin(), result.end(), [&](PetscInt a, PetscInt b) {
    for (const std::size_t d : {2, 1, 0})
      if (key(a, d) != key(b, d)) return key(a, d) < key(b, d);
    return a < b;
  });
  return result;
}

/// Computed by PETSc on the graph of owned nodes that share a cell.
Sequence cuthill_mckee(const solid::Space& space) {
  const auto owned = static_cast<std::size_t>(space.owned_nodes());
  std::vector<std::vector<PetscInt>> neighbours(owned);
  for (PetscInt cell = 0; cell < space.cells(); ++cell)
    for (const PetscInt node : space.cell_nodes(cell))
      for (const PetscInt other : space.cell_nodes(cell))
        if (node < space.owned_nodes() && other < space.owned_nodes())
          neighbours[static_cast<std::size_t>(node)].push_back(other);
  std::vector<PetscInt> rows{0}, columns;
  for (auto& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    columns.insert(columns.end(), list.begin(), list.end());
    rows.push_back(static_cast<PetscInt>(columns.size()));
    std::vector<PetscInt>().swap(list);
  }
  std::vector<PetscScalar> values(columns.size(), 1);
  Handle<Mat> graph;
  Handle<IS> by_rows, by_columns;
  check(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, space.owned_nodes(), space.owned_nodes(), rows.data(),
                                  columns.data(), values.data(), graph.out()));
  check(MatGetOrdering(graph.get(), MATORDERINGRCM, by_rows.out(), by_columns.out()));
  const PetscInt* nodes = nullptr;
  check(ISGetIndices(by_rows.get(), &nodes));
  Sequence result(nodes, nodes + owned);
  check(ISRestoreIndices(by_rows.get(), &nodes));
  return result;
}

}  // namespace

std::vector<PetscInt> places(const solid::Space& space, NodeOrder order) {
  Sequence sequence(static_cast<std::size_t>(space.owned_nodes()));
  std::iota(sequence.begin(), sequence.end(), PetscInt{0});
  if (order == NodeOrder::lines) sequence = along_lines(space);
  if (order == NodeOrder::rcm) sequence = cuthill_mckee(space);
  std::vector<PetscInt> result(sequence.size());
  for (std::size_t i = 0; i < sequence.size(); ++i)
    result[static_cast<std::size_t>(sequence[i])] = static_cast<PetscInt>(i);
  return result;
}

}  // namespace gearshift::bench
