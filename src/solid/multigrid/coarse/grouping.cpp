#include "solid/multigrid/coarse/grouping.hpp"

#include <algorithm>
#include <numeric>

namespace gearshift::solid {
namespace {

/// Parts are emitted one after the other.
void bisect(std::span<const Vec3> x, std::span<PetscInt> points, std::size_t most, std::vector<std::size_t>& sizes) {
  if (points.size() <= most) {
    sizes.push_back(points.size());
    return;
  }
  Vec3 low = x[static_cast<std::size_t>(points[0])], high = low;
  for (const PetscInt point : points)
    for (std::size_t c = 0; c < 3; ++c) {
      low[c] = std::min(low[c], x[static_cast<std::size_t>(point)][c]);
      high[c] = std::max(high[c], x[static_cast<std::size_t>(point)][c]);
    }
  std::size_t axis = 0;
  for (std::size_t c = 1; c < 3; ++c)
    if (high[c] - low[c] > 1.0001 * (high[axis] - low[axis])) axis = c;
  const std::size_t half = points.size() / 2;
  std::nth_element(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(half), points.end(),
                   [&](PetscInt a, PetscInt b) {
                     const auto &p = x[static_cast<std::size_t>(a)], &q = x[static_cast<std::size_t>(b)];
                     return p[axis] != q[axis] ? p[axis] < q[axis] : a < b;
                   });
  bisect(x, points.first(half), most, sizes);
  bisect(x, points.subspan(half), most, sizes);
}

}  // namespace

Grouping::Grouping(std::span<const Vec3> points, std::size_t most)
    : order_(points.size()), part_(points.size()), root_(points.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  std::iota(root_.begin(), root_.end(), 0);
  std::vector<std::size_t> sizes;
  if (!points.empty()) bisect(points, order_, most, sizes);
  std::size_t at = 0;
  for (std::size_t p = 0; p < sizes.size(); ++p)
    for (std::size_t i = 0; i < sizes[p]; ++i) part_[static_cast<std::size_t>(order_[at++])] = static_cast<PetscInt>(p);
}

PetscInt Grouping::find(PetscInt point) {
  const auto root = [&](PetscInt of) -> PetscInt& { return root_[static_cast<std::size_t>(of)]; };
  while (root(point) != point) point = root(point) = root(root(point));
  return point;
}

void Grouping::join(PetscInt a, PetscInt b) {
  const auto size = static_cast<PetscInt>(part_.size());
  if (a >= size || b >= size || part_[static_cast<std::size_t>(a)] != part_[static_cast<std::size_t>(b)]) return;
  const PetscInt i = find(a), j = find(b);
  root_[static_cast<std::size_t>(std::max(i, j))] = std::min(i, j);
}

Groups Grouping::groups() {
  Groups result;
  PetscInt count = 0;
  std::vector<PetscInt> number(order_.size(), -1), group(order_.size());
  for (const PetscInt point : order_) {
    PetscInt& own = number[static_cast<std::size_t>(find(point))];
    if (own < 0) own = count++;
    group[static_cast<std::size_t>(point)] = own;
  }
  result.members = order_;
  std::stable_sort(result.members.begin(), result.members.end(), [&](PetscInt a, PetscInt b) {
    return group[static_cast<std::size_t>(a)] < group[static_cast<std::size_t>(b)];
  });
  result.begins.assign(static_cast<std::size_t>(count) + 1, 0);
  for (const PetscInt of : group) ++result.begins[static_cast<std::size_t>(of) + 1];
  std::partial_sum(result.begins.begin(), result.begins.end(), result.begins.begin());
  return result;
}

}  // namespace gearshift::solid
