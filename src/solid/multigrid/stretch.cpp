#include "solid/multigrid/stretch.hpp"

#include <gearshift/petsc/error.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

namespace gearshift::solid {

using petsc::check;

namespace {

using Edge = std::pair<std::size_t, std::size_t>;

/// Pairs of vertices: of hexahedra those that differ in one reference coordinate, of tetrahedra all.
std::vector<Edge> edges_of(const Element& corners) {
  const auto& nodes = corners.nodes();
  std::vector<Edge> edges;
  for (std::size_t a = 0; a < nodes.size(); ++a)
    for (std::size_t b = a + 1; b < nodes.size(); ++b) {
      int different = 0;
      for (std::size_t d = 0; d < 3; ++d) different += nodes[a][d] != nodes[b][d];
      if (different == 1 || corners.kind() == CellKind::tetrahedron) edges.emplace_back(a, b);
    }
  return edges;
}

double squared_distance(const Vec3& a, const Vec3& b) {
  double sum = 0;
  for (std::size_t d = 0; d < 3; ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

}  // namespace

double share_stretched(const Space& corners, double ratio) {
  const std::vector<Edge> edges = edges_of(corners.element());
  const auto X = corners.coordinates();
  std::array<PetscInt, 2> count{0, corners.cells()};  // stretched, all
  for (PetscInt cell = 0; cell < corners.cells(); ++cell) {
    const auto nodes = corners.cell_nodes(cell);
    double shortest = std::numeric_limits<double>::max(), longest = 0;
    for (const auto& [a, b] : edges) {
      const double length =
          squared_distance(X[static_cast<std::size_t>(nodes[a])], X[static_cast<std::size_t>(nodes[b])]);
      shortest = std::min(shortest, length);
      longest = std::max(longest, length);
    }
    count[0] += longest > ratio * ratio * shortest;
  }
  check(MPI_Allreduce(MPI_IN_PLACE, count.data(), 2, MPIU_INT, MPI_SUM, corners.comm()));
  return count[1] > 0 ? static_cast<double>(count[0]) / static_cast<double>(count[1]) : 0;
}

}  // namespace gearshift::solid
