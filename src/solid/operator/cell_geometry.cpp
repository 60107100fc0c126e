#include "solid/operator/cell_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gearshift::solid {

CellShape shape_of(const Space& space, PetscInt cell) {
  const auto J = space.mesh_cells().constant_jacobian(cell);
  if (!J) return CellShape::general;
  // The few tetrahedra with edges along all three axes count as affine like their neighbours, and so do wedges.
  if (space.element(cell).kind() != CellKind::hexahedron) return CellShape::affine;
  double diagonal = 0, other = 0;
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 3; ++c)
      (r == c ? diagonal : other) = std::max(r == c ? diagonal : other, std::abs((*J)[r][c]));
  double far = 0;
  for (const double x : space.mesh_cells().position(cell, {0, 0, 0})) far = std::max(far, std::abs(x));
  return other <= 8 * std::numeric_limits<double>::epsilon() * (far + diagonal) ? CellShape::cartesian
                                                                                : CellShape::affine;
}

std::array<double, geometry_size> inverse(const std::array<Vec3, 3>& J) {
  std::array<double, geometry_size> result{};
  double det = 0;
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
      result[3 * c + r] = J[r1][c1] * J[r2][c2] - J[r1][c2] * J[r2][c1];  // inverse = transposed cofactors / det
    }
  for (std::size_t c = 0; c < 3; ++c) det += J[0][c] * result[3 * c];
  for (std::size_t i = 0; i < 9; ++i) result[i] /= det;
  result[9] = det;
  return result;
}

std::array<double, metric_size> metric(const std::array<double, geometry_size>& g, double mu) {
  std::array<double, metric_size> result{};
  std::size_t i = 0;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = a; b < 3; ++b, ++i)
      for (std::size_t j = 0; j < 3; ++j) result[i] += g[9] * mu * g[3 * a + j] * g[3 * b + j];
  result[6] = g[9];
  return result;
}

}  // namespace gearshift::solid
