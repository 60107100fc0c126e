/// Evaluation and inversion of the map of cells.

#include <gearshift/solid/rank_cells.hpp>

#include "solid/element/vectors.hpp"
#include "solid/numerics/points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gearshift::solid {
namespace {

constexpr std::size_t most_geometry_nodes = 27;

}  // namespace

Vec3 RankCells::position(PetscInt cell, const Vec3& xi) const {
  const Block& block = block_of(cell);
  const std::size_t size = block.nodes_per_cell();
  std::array<double, most_geometry_nodes> values;
  block.element.values(xi, {values.data(), size});
  const Vec3* points = geometry_.data() + block.at(cell);
  Vec3 X{};
  for (std::size_t q = 0; q < size; ++q)
    for (std::size_t c = 0; c < 3; ++c) X[c] += values[q] * points[q][c];
  return X;
}

std::array<Vec3, 3> RankCells::jacobian(PetscInt cell, const Vec3& xi) const {
  const Block& block = block_of(cell);
  const std::size_t size = block.nodes_per_cell();
  std::array<Vec3, most_geometry_nodes> slopes;
  block.element.slopes(xi, {slopes.data(), size});
  const Vec3* points = geometry_.data() + block.at(cell);
  std::array<Vec3, 3> J{};
  for (std::size_t q = 0; q < size; ++q)
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t d = 0; d < 3; ++d) J[c][d] += slopes[q][d] * points[q][c];
  return J;
}

std::optional<std::array<Vec3, 3>> RankCells::constant_jacobian(PetscInt cell) const {
  const Block& block = block_of(cell);
  const auto& nodes = block.element.nodes();
  const Vec3* points = geometry_.data() + block.at(cell);
  std::array<Vec3, 3> J{};
  double size = 0, gap = 0;
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t d = 0; d < 3; ++d)
      J[c][d] = (points[block.ends[d]][c] - points[0][c]) / (nodes[block.ends[d]][d] - nodes[0][d]);
  for (std::size_t q = 0; q < nodes.size(); ++q)
    for (std::size_t c = 0; c < 3; ++c) {
      const double affine = points[0][c] + J[c][0] * (nodes[q][0] - nodes[0][0]) +
                            J[c][1] * (nodes[q][1] - nodes[0][1]) + J[c][2] * (nodes[q][2] - nodes[0][2]);
      size = std::max(size, std::abs(points[q][c]));
      gap = std::max(gap, std::abs(points[q][c] - affine));
    }
  if (gap > 8 * std::numeric_limits<double>::epsilon() * size) return std::nullopt;
  return J;
}

std::optional<Location> RankCells::locate(const Vec3& X) const {
  for (const Block& block : blocks_)
    for (PetscInt cell = block.first; cell < block.last; ++cell)
      if (const auto found = locate_in(block, cell, X)) return found;
  return std::nullopt;
}

std::optional<Location> RankCells::locate_in(const Block& block, PetscInt cell, const Vec3& X) const {
  const Element& element = block.element;
  const auto nodes = nodes_of(block, cell);
  // Skips the cell if its bounding box, enlarged by half for curved cells, does not contain the point.
  Extent box;
  for (const Vec3& node : nodes) box.add(node);
  const double size = box.edge(box.longest());
  double far = 0;
  for (std::size_t c = 0; c < 3; ++c) far = std::max({far, std::abs(box.low[c]), std::abs(box.high[c])});
  const double rounding = 16 * std::numeric_limits<double>::epsilon() * far;  // of coordinates far from the origin
  for (std::size_t c = 0; c < 3; ++c) {
    const double margin = (element.degree() > 1 ? 0.5 : 1e-9) * size + rounding;
    if (X[c] < box.low[c] - margin || X[c] > box.high[c] + margin) return std::nullopt;
  }
  Vec3 xi = element.centre();
  for (int iteration = 0; iteration < 30; ++iteration) {
    const Vec3 x = position(cell, xi);
    const auto J = jacobian(cell, xi);
    const Vec3 gap{X[0] - x[0], X[1] - x[1], X[2] - x[2]};
    const double det = determinant(J);
    if (det == 0 || !std::isfinite(det)) break;
    double step = 0;
    Vec3 next = xi;
    for (std::size_t d = 0; d < 3; ++d) {
      auto A = J;
      for (std::size_t c = 0; c < 3; ++c) A[c][d] = gap[c];
      const double numerator = determinant(A);
      next[d] = std::clamp(xi[d] + numerator / det, -3.0, 3.0);
      step = std::max(step, std::abs(next[d] - xi[d]));
    }
    xi = next;
    if (step < 1e-14) break;
  }
  const Vec3 x = position(cell, xi);
  const double miss = std::max({std::abs(x[0] - X[0]), std::abs(x[1] - X[1]), std::abs(x[2] - X[2])});
  if (miss > 1e-10 * size + rounding || element.outside(xi) > 1e-8 + 2 * rounding / size) return std::nullopt;
  return Location{cell, element.clamped(xi)};
}

}  // namespace gearshift::solid
