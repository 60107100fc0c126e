#include "solid/constraints/dependent_entries.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift::solid {

namespace {
// [sine] A direction this close to what other constraints of the node hold says nothing new.
constexpr double no_direction = 1e-3;
// Of a slope; that of a plane along the axes is rounding.
constexpr double no_slope = 1e-14;
// Components whose parts differ by less are equal, and the first one is taken, whatever rounding says.
constexpr double equal_parts = 1 + 1e-6;
}  // namespace

const DependentEntry* DependentEntries::find(std::size_t entry) const {
  const auto found = std::lower_bound(all_.begin(), all_.end(), entry,
                                      [](const DependentEntry& d, std::size_t at) { return d.entry < at; });
  return found != all_.end() && found->entry == entry ? &*found : nullptr;
}

void DependentEntries::fold_matrix(const DependentEntry& d, double* A, std::size_t rows, std::size_t place) {
  const std::size_t own = place + d.entry % 3;
  for (std::size_t c = 0; c < 3; ++c) {
    if (d.slopes[c] == 0) continue;
    for (std::size_t i = 0; i < rows; ++i) A[rows * i + place + c] += d.slopes[c] * A[rows * i + own];
    for (std::size_t j = 0; j < rows; ++j) A[rows * (place + c) + j] += d.slopes[c] * A[rows * own + j];
  }
}

std::vector<DependentEntry> dependent_entries(std::size_t node, unsigned known, std::vector<Vec3> directions) {
  std::vector<std::size_t> component(directions.size(), 3);  // that the direction gives
  unsigned taken = known;
  for (std::size_t step = 0; step < directions.size(); ++step) {
    std::size_t row = 0, column = 3;
    double best = no_direction;
    for (std::size_t r = 0; r < directions.size(); ++r)
      for (std::size_t c = 0; component[r] == 3 && c < 3; ++c)
        if (!(taken & (1U << c)) && std::abs(directions[r][c]) > best * equal_parts) {
          best = std::abs(directions[r][c]);
          row = r;
          column = c;
        }
    if (column == 3) break;
    component[row] = column;
    taken |= 1U << column;
    const double pivot = directions[row][column];
    for (double& x : directions[row]) x /= pivot;
    for (std::size_t r = 0; r < directions.size(); ++r) {
      const double factor = directions[r][column];
      for (std::size_t c = 0; r != row && c < 3; ++c) directions[r][c] -= factor * directions[row][c];
    }
  }
  std::vector<DependentEntry> result;
  for (std::size_t r = 0; r < directions.size(); ++r) {
    if (component[r] == 3) continue;
    DependentEntry& dependent = result.emplace_back(DependentEntry{3 * node + component[r], {}});
    for (std::size_t c = 0; c < 3; ++c)
      if (c != component[r] && std::abs(directions[r][c]) > no_slope) dependent.slopes[c] = -directions[r][c];
  }
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.entry < b.entry; });
  return result;
}

}  // namespace gearshift::solid
