#include <gearshift/solid/quality.hpp>

#include "solid/element/vectors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace gearshift::solid {
namespace {

using Matrix = std::array<Vec3, 3>;

/// Returns the inverse of the Jacobian of the ideal cell: a cube, a regular tetrahedron, or a wedge on an equilateral
/// triangle. Its size is arbitrary, because mean_ratio() does not depend on it.
Matrix from_ideal(CellKind kind) {
  const double a = 1 / std::numbers::sqrt3, b = 1 / std::sqrt(6.0);
  if (kind == CellKind::tetrahedron) return {{{1, -a, -b}, {0, 2 * a, -b}, {0, 0, std::sqrt(1.5)}}};
  if (kind == CellKind::wedge) return {{{1, -a, 0}, {0, 2 * a, 0}, {0, 0, 2}}};
  return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

/// Returns the mean ratio 3 det(A)^(2/3) / |A|^2 of A = J from_ideal: 1 for the ideal cell, 0 for an inverted one.
double mean_ratio(const Matrix& J, const Matrix& from_ideal) {
  Matrix A{};
  double square = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) A[i][j] += J[i][k] * from_ideal[k][j];
      square += A[i][j] * A[i][j];
    }
  const double det = determinant(A);
  return det > 0 ? 3 * std::cbrt(det * det) / square : 0;
}

/// Returns derivatives of the shape functions at the nodes: [node][shape function].
std::vector<Vec3> slopes_at_nodes(const Element& element) {
  const std::size_t size = element.nodes().size();
  std::vector<Vec3> slopes(size * size);
  for (std::size_t i = 0; i < size; ++i) element.slopes(element.nodes()[i], {slopes.data() + i * size, size});
  return slopes;
}

}  // namespace

std::vector<double> cell_quality(const Space& space, Vec q) {
  std::vector<PetscReal> u(q ? 3 * static_cast<std::size_t>(space.local_nodes()) : 0);
  if (q) {
    space.node_exchange().global_to_local_begin(q, u.data());
    space.node_exchange().global_to_local_end(q, u.data());
  }
  std::vector<double> quality(static_cast<std::size_t>(space.cells()), 1);
  for (const CellBlock& block : space.blocks()) {
    const Matrix ideal = from_ideal(block.element.kind());
    const auto& nodes = block.element.nodes();
    const std::vector<Vec3> slopes = q ? slopes_at_nodes(block.element) : std::vector<Vec3>();
    for (PetscInt cell = block.first; cell < block.last; ++cell) {
      double& least = quality[static_cast<std::size_t>(cell)];
      const auto numbers = space.cell_nodes(cell);
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        Matrix J = space.mesh_cells().jacobian(cell, nodes[i]);
        for (std::size_t a = 0; q && a < nodes.size(); ++a)
          for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t d = 0; d < 3; ++d)
              J[c][d] += u[3 * static_cast<std::size_t>(numbers[a]) + c] * slopes[i * nodes.size() + a][d];
        least = std::min(least, mean_ratio(J, ideal));
      }
    }
  }
  return quality;
}

}  // namespace gearshift::solid
