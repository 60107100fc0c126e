#include "solid/multigrid/stretch.hpp"

#include <gearshift/petsc/error.hpp>

#include "solid/numerics/points.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

namespace gearshift::solid {

using petsc::check;

namespace {

using Edge = std::pair<std::size_t, std::size_t>;

/// Returns the number of the node at each vertex.
std::vector<std::size_t> vertices_of(const Element& element) {
  std::vector<std::size_t> result;
  const Element corners(element.kind(), 1);
  const auto& nodes = element.nodes();
  for (const Vec3& vertex : corners.nodes()) {
    const auto nearer = [&](const Vec3& a, const Vec3& b) {
      return squared_distance(a, vertex) < squared_distance(b, vertex);
    };
    result.push_back(static_cast<std::size_t>(std::min_element(nodes.begin(), nodes.end(), nearer) - nodes.begin()));
  }
  return result;
}

/// Returns the pairs of nodes at the two ends of each edge: vertices that share two faces.
std::vector<Edge> edges_of(const Element& element) {
  const Element corners(element.kind(), 1);
  const auto at = vertices_of(element);
  std::vector<Edge> edges;
  for (int a = 0; a < corners.vertices(); ++a)
    for (int b = a + 1; b < corners.vertices(); ++b) {
      int common = 0;
      for (int face = 0; face < corners.faces(); ++face) {
        const auto& nodes = corners.face_nodes(face);
        common += std::find(nodes.begin(), nodes.end(), a) != nodes.end() &&
                  std::find(nodes.begin(), nodes.end(), b) != nodes.end();
      }
      if (common == 2) edges.emplace_back(at[static_cast<std::size_t>(a)], at[static_cast<std::size_t>(b)]);
    }
  return edges;
}

}  // namespace

double share_stretched(const Space& space, double ratio) {
  std::vector<std::vector<Edge>> edges;
  for (const CellBlock& block : space.blocks()) edges.push_back(edges_of(block.element));
  const auto X = space.coordinates();
  std::array<PetscInt, 2> count{0, space.cells()};  // {stretched, all} cells
  for (PetscInt cell = 0; cell < space.cells(); ++cell) {
    const auto nodes = space.cell_nodes(cell);
    double shortest = std::numeric_limits<double>::max(), longest = 0;
    for (const auto& [a, b] : edges[space.block_of(cell)]) {
      const double length =
          squared_distance(X[static_cast<std::size_t>(nodes[a])], X[static_cast<std::size_t>(nodes[b])]);
      shortest = std::min(shortest, length);
      longest = std::max(longest, length);
    }
    count[0] += longest > ratio * ratio * shortest;
  }
  check(MPI_Allreduce(MPI_IN_PLACE, count.data(), 2, MPIU_INT, MPI_SUM, space.comm()));
  return count[1] > 0 ? static_cast<double>(count[0]) / static_cast<double>(count[1]) : 0;
}

}  // namespace gearshift::solid
