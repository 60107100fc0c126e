/// The map of cells, evaluated and inverted.

#include <gearshift/solid/space.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gearshift::solid {
namespace {

constexpr std::size_t max_points = 7;

struct Shapes {
  std::array<std::array<double, max_points>, 3> value{}, slope{};
  Shapes(const Basis& basis, const Vec3& xi) {
    const auto n = static_cast<std::size_t>(basis.n);
    for (std::size_t d = 0; d < 3; ++d) lagrange(basis.nodes, xi[d], {value[d].data(), n}, {slope[d].data(), n});
  }
};

}  // namespace

Vec3 Space::position(PetscInt cell, const Vec3& xi) const {
  const Shapes shapes(geometry_basis_, xi);
  const auto n = static_cast<std::size_t>(geometry_basis_.n);
  const Vec3* points = geometry_.data() + static_cast<std::size_t>(cell) * n * n * n;
  Vec3 X{};
  for (std::size_t k = 0, q = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i, ++q)
        for (std::size_t c = 0; c < 3; ++c)
          X[c] += shapes.value[0][i] * shapes.value[1][j] * shapes.value[2][k] * points[q][c];
  return X;
}

std::array<Vec3, 3> Space::jacobian(PetscInt cell, const Vec3& xi) const {
  const Shapes shapes(geometry_basis_, xi);
  const auto n = static_cast<std::size_t>(geometry_basis_.n);
  const Vec3* points = geometry_.data() + static_cast<std::size_t>(cell) * n * n * n;
  std::array<Vec3, 3> J{};
  for (std::size_t k = 0, q = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i, ++q) {
        const Vec3 slope{shapes.slope[0][i] * shapes.value[1][j] * shapes.value[2][k],
                         shapes.value[0][i] * shapes.slope[1][j] * shapes.value[2][k],
                         shapes.value[0][i] * shapes.value[1][j] * shapes.slope[2][k]};
        for (std::size_t c = 0; c < 3; ++c)
          for (std::size_t d = 0; d < 3; ++d) J[c][d] += slope[d] * points[q][c];
      }
  return J;
}

std::optional<std::array<Vec3, 3>> Space::constant_jacobian(PetscInt cell) const {
  const auto n = static_cast<std::size_t>(geometry_basis_.n);
  const Vec3* points = geometry_.data() + static_cast<std::size_t>(cell) * n * n * n;
  const auto& x = geometry_basis_.nodes;
  const std::size_t ends[] = {n - 1, n * (n - 1), n * n * (n - 1)};
  std::array<Vec3, 3> J{};
  double size = 0, gap = 0;
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t d = 0; d < 3; ++d) J[c][d] = (points[ends[d]][c] - points[0][c]) / 2;
  for (std::size_t q = 0; q < n * n * n; ++q)
    for (std::size_t c = 0; c < 3; ++c) {
      const double affine =
          points[0][c] + J[c][0] * (x[q % n] + 1) + J[c][1] * (x[q / n % n] + 1) + J[c][2] * (x[q / n / n] + 1);
      size = std::max(size, std::abs(points[q][c]));
      gap = std::max(gap, std::abs(points[q][c] - affine));
    }
  if (gap > 8 * std::numeric_limits<double>::epsilon() * size) return std::nullopt;
  return J;
}

void Space::shape_values(const Vec3& xi, std::span<double> values) const {
  const Shapes shapes(basis_, xi);
  const auto n = static_cast<std::size_t>(basis_.n);
  for (std::size_t k = 0, q = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i, ++q) values[q] = shapes.value[0][i] * shapes.value[1][j] * shapes.value[2][k];
}

std::optional<Location> Space::locate(const Vec3& X) const {
  const auto corners = static_cast<std::size_t>(geometry_basis_.n * geometry_basis_.n * geometry_basis_.n);
  for (PetscInt cell = 0; cell < cells_; ++cell) {
    // Only cells whose box, widened by half for curved ones, holds the point.
    Vec3 low{}, high{};
    double size = 0;
    bool near = true;
    for (std::size_t c = 0; c < 3; ++c) {
      low[c] = high[c] = geometry_[static_cast<std::size_t>(cell) * corners][c];
      for (std::size_t i = 1; i < corners; ++i) {
        low[c] = std::min(low[c], geometry_[static_cast<std::size_t>(cell) * corners + i][c]);
        high[c] = std::max(high[c], geometry_[static_cast<std::size_t>(cell) * corners + i][c]);
      }
      size = std::max(size, high[c] - low[c]);
    }
    for (std::size_t c = 0; c < 3; ++c) {
      const double margin = (geometry_basis_.degree > 1 ? 0.5 : 1e-9) * size;
      near = near && X[c] >= low[c] - margin && X[c] <= high[c] + margin;
    }
    if (!near) continue;
    Vec3 xi{};
    for (int iteration = 0; iteration < 30; ++iteration) {
      const Vec3 x = position(cell, xi);
      const auto J = jacobian(cell, xi);
      const Vec3 gap{X[0] - x[0], X[1] - x[1], X[2] - x[2]};
      const double det = J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) -
                         J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
                         J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
      if (det == 0 || !std::isfinite(det)) break;
      double step = 0;
      Vec3 next = xi;
      for (std::size_t d = 0; d < 3; ++d) {
        auto A = J;
        for (std::size_t c = 0; c < 3; ++c) A[c][d] = gap[c];
        const double numerator = A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) -
                                 A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
                                 A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
        next[d] = std::clamp(xi[d] + numerator / det, -3.0, 3.0);
        step = std::max(step, std::abs(next[d] - xi[d]));
      }
      xi = next;
      if (step < 1e-14) break;
    }
    const Vec3 x = position(cell, xi);
    const double miss = std::max({std::abs(x[0] - X[0]), std::abs(x[1] - X[1]), std::abs(x[2] - X[2])});
    const double out = std::max({std::abs(xi[0]), std::abs(xi[1]), std::abs(xi[2])}) - 1;
    if (miss > 1e-10 * size || out > 1e-8) continue;
    for (auto& value : xi) value = std::clamp(value, -1.0, 1.0);
    return Location{cell, xi};
  }
  return std::nullopt;
}

}  // namespace gearshift::solid
