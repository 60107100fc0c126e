#include "solid/multigrid/coarse/rigid_basis.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gearshift::solid {

std::array<bool, rigid_motions> orthonormalise(RigidColumns& columns, const std::array<double, rigid_motions>& sizes) {
  std::array<bool, rigid_motions> dropped{};
  for (std::size_t mode = 0; mode < rigid_motions; ++mode) {
    auto& column = columns[mode];
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t other = 0; other < mode; ++other) {
        const double product = std::inner_product(column.begin(), column.end(), columns[other].begin(), 0.0);
        for (std::size_t i = 0; i < column.size(); ++i) column[i] -= product * columns[other][i];
      }
    const double left = std::inner_product(column.begin(), column.end(), column.begin(), 0.0);
    dropped[mode] = !(left > 1e-6 * sizes[mode]);
    for (double& number : column) number = dropped[mode] ? 0 : number / std::sqrt(left);
  }
  return dropped;
}

std::array<bool, rigid_motions> orthonormalise(RigidColumns& columns) {
  std::array<double, rigid_motions> sizes{};
  std::transform(columns.begin(), columns.end(), sizes.begin(), [](const std::vector<double>& column) {
    return std::inner_product(column.begin(), column.end(), column.begin(), 0.0);
  });
  return orthonormalise(columns, sizes);
}

}  // namespace gearshift::solid
