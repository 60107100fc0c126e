#include "solid/constraints/constraints.hpp"

#include "petsc/queries.hpp"
#include "solid/constraints/node_directions.hpp"

#include <cmath>
#include <utility>

namespace gearshift::solid {

using petsc::check;

namespace {
// [sine] A direction this close to those held by other constraints of the node is not independent.
constexpr double no_direction = 1e-3;
// A smaller slope counts as 0: it is the rounding error of a plane along the axes.
constexpr double no_slope = 1e-14;
}  // namespace

void Constraints::set_up(const Space& space, std::vector<char> constrained, std::vector<DependentEntry> dependent) {
  constrained_ = std::move(constrained);
  dependent_ = std::move(dependent);
  entries_.clear();
  owned_dependent_ = 0;
  const auto owned = 3 * static_cast<std::size_t>(space.owned_nodes());
  const PetscInt first = 3 * space.first_node();
  std::vector<PetscInt> all, some;
  for (std::size_t entry = 0; entry < owned; ++entry)
    if (held(entry)) {
      entries_.push_back(static_cast<PetscInt>(entry));
      all.push_back(first + entries_.back());
    }
  for (; owned_dependent_ < dependent_.size() && dependent_[owned_dependent_].entry < owned; ++owned_dependent_)
    some.push_back(first + static_cast<PetscInt>(dependent_[owned_dependent_].entry));
  const auto make = [&](const std::vector<PetscInt>& global, petsc::Handle<IS>& is) {
    check(ISCreateGeneral(space.comm(), static_cast<PetscInt>(global.size()), global.data(), PETSC_COPY_VALUES,
                          is.out()));
  };
  make(all, constrained_is_);
  dependent_is_.reset();
  if (petsc::any(space.comm(), !some.empty())) make(some, dependent_is_);
}

const DependentEntry* Constraints::find(std::size_t entry) const {
  const auto found = std::lower_bound(dependent_.begin(), dependent_.end(), entry,
                                      [](const DependentEntry& d, std::size_t at) { return d.entry < at; });
  return found != dependent_.end() && found->entry == entry ? &*found : nullptr;
}

void Constraints::reduce(std::span<const PetscInt> nodes, double* A) const {
  const std::size_t rows = 3 * nodes.size();
  const auto entry_of = [&](std::size_t row) { return 3 * static_cast<std::size_t>(nodes[row / 3]) + row % 3; };
  for (std::size_t row = 0; depend() && row < rows; ++row) {
    const DependentEntry* d = find(entry_of(row));
    if (!d) continue;
    const std::size_t place = row - row % 3;
    for (std::size_t c = 0; c < 3; ++c) {
      if (d->slopes[c] == 0) continue;
      for (std::size_t i = 0; i < rows; ++i) A[rows * i + place + c] += d->slopes[c] * A[rows * i + row];
      for (std::size_t j = 0; j < rows; ++j) A[rows * (place + c) + j] += d->slopes[c] * A[rows * row + j];
    }
  }
  for (std::size_t row = 0; row < rows; ++row)
    if (held(entry_of(row)))
      for (std::size_t other = 0; other < rows; ++other) A[rows * row + other] = A[rows * other + row] = 0;
}

std::vector<DependentEntry> dependent_entries(std::size_t node, unsigned known, std::vector<Vec3> directions) {
  std::vector<std::size_t> component(directions.size(), 3);  // the component that each direction gives
  unsigned taken = known;
  for (std::size_t step = 0; step < directions.size(); ++step) {
    std::size_t row = 0, column = 3;
    double best = no_direction;
    for (std::size_t r = 0; r < directions.size(); ++r)
      for (std::size_t c = 0; component[r] == 3 && c < 3; ++c)
        if (!(taken & (1U << c)) && std::abs(directions[r][c]) > best * equal_sizes) {
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
