#include "solid/multigrid/coarse/aggregation.hpp"

#include "solid/multigrid/constants.hpp"
#include "solid/numerics/points.hpp"
#include "solid/numerics/sets.hpp"

#include <algorithm>
#include <numeric>

namespace gearshift::solid {
namespace {

/// Moves about half of the points, those lowest along an axis, to the front and returns their number. A layer across
/// the axis is not divided as long as each side keeps a quarter of the points: two halves of a layer would have no gap
/// between them.
template <class Along>
std::size_t cut(std::span<PetscInt> points, Along&& along, double extent) {
  const std::size_t half = points.size() / 2;
  const auto middle = points.begin() + static_cast<std::ptrdiff_t>(half);
  std::nth_element(points.begin(), middle, points.end(),
                   [&](PetscInt a, PetscInt b) { return along(a) != along(b) ? along(a) < along(b) : a < b; });
  const double begin = along(*middle) - multigrid::same_layer * extent,
               end = along(*middle) + multigrid::same_layer * extent;
  const auto layer = std::partition(points.begin(), middle, [&](PetscInt p) { return along(p) < begin; });
  if (layer == middle) return half;  // the layer begins at the middle
  const auto rest = std::partition(middle, points.end(), [&](PetscInt p) { return along(p) <= end; });
  const std::size_t before = static_cast<std::size_t>(layer - points.begin()),
                    after = static_cast<std::size_t>(points.end() - rest);
  if (std::max(before, after) < points.size() / 4) return half;
  return before >= after ? before : points.size() - after;
}

/// Appends the sizes of the parts in order.
/// @param gaps between the part and the points that were cut off, along each axis: across thin cells a line of nodes
/// counts as that wide.
void bisect(std::span<const Vec3> x, std::span<PetscInt> points, std::size_t most, Vec3 gaps,
            std::vector<std::size_t>& sizes) {
  const auto at = [x](PetscInt point) -> const Vec3& { return x[static_cast<std::size_t>(point)]; };
  Extent box;
  for (const PetscInt point : points) box.add(at(point));
  const std::size_t axis = box.longest(1.0001);
  double width = 0;
  for (std::size_t c = 0; c < 3; ++c)
    if (c != axis) width = std::max({width, box.edge(c), gaps[c]});
  if (points.size() == 1 || (points.size() <= most && box.edge(axis) <= multigrid::slender * width)) {
    sizes.push_back(points.size());
    return;
  }
  const auto along = [&](PetscInt point) { return at(point)[axis]; };
  const std::size_t half = cut(points, along, box.edge(axis));
  double below = box.low[axis], above = box.high[axis];
  for (const PetscInt point : points.first(half)) below = std::max(below, along(point));
  for (const PetscInt point : points.subspan(half)) above = std::min(above, along(point));
  gaps[axis] = above - below;
  bisect(x, points.first(half), most, gaps, sizes);
  bisect(x, points.subspan(half), most, gaps, sizes);
}

/// Groups the members of each set; sets follow in the order in which `order` first reaches them.
NodeAggregates collect(std::span<const PetscInt> order, Sets<PetscInt>& sets) {
  NodeAggregates result;
  PetscInt count = 0;
  std::vector<PetscInt> number(order.size(), -1), aggregate(order.size());
  for (const PetscInt point : order) {
    PetscInt& own = number[static_cast<std::size_t>(sets.find(point))];
    if (own < 0) own = count++;
    aggregate[static_cast<std::size_t>(point)] = own;
  }
  result.members.assign(order.begin(), order.end());
  std::stable_sort(result.members.begin(), result.members.end(), [&](PetscInt a, PetscInt b) {
    return aggregate[static_cast<std::size_t>(a)] < aggregate[static_cast<std::size_t>(b)];
  });
  result.begins.assign(static_cast<std::size_t>(count) + 1, 0);
  for (const PetscInt of : aggregate) ++result.begins[static_cast<std::size_t>(of) + 1];
  std::partial_sum(result.begins.begin(), result.begins.end(), result.begins.begin());
  return result;
}

}  // namespace

NodeAggregates make_aggregates(std::span<const Vec3> points, std::size_t most, const Connections& connections,
                               std::span<const double> gaps) {
  const std::size_t size = points.size();
  std::vector<PetscInt> order(size), part(size);
  std::iota(order.begin(), order.end(), 0);
  Sets<PetscInt> connected(size);
  const auto known = [size](PetscInt a, PetscInt b) { return static_cast<std::size_t>(std::max(a, b)) < size; };
  connections([&](PetscInt a, PetscInt b) {
    if (known(a, b)) connected.join(a, b);
  });
  const NodeAggregates pieces = collect(order, connected);
  order = pieces.members;
  std::vector<std::size_t> sizes;
  for (PetscInt piece = 0; piece < pieces.count(); ++piece) {
    const auto members = std::span(order).subspan(
        static_cast<std::size_t>(pieces.begins[static_cast<std::size_t>(piece)]), pieces.of(piece).size());
    double gap = 0;
    if (!gaps.empty()) {
      const auto narrower = [gaps](PetscInt a, PetscInt b) {
        return gaps[static_cast<std::size_t>(a)] < gaps[static_cast<std::size_t>(b)];
      };
      gap = gaps[static_cast<std::size_t>(*std::min_element(members.begin(), members.end(), narrower))];
    }
    const bool whole = gap > 0 && members.size() <= 2 * most;
    bisect(points, members, whole ? 2 * most : most, {gap, gap, gap}, sizes);
  }
  std::size_t at = 0;
  for (std::size_t p = 0; p < sizes.size(); ++p)
    for (std::size_t i = 0; i < sizes[p]; ++i) part[static_cast<std::size_t>(order[at++])] = static_cast<PetscInt>(p);
  Sets<PetscInt> together(size);
  connections([&](PetscInt a, PetscInt b) {
    if (known(a, b) && part[static_cast<std::size_t>(a)] == part[static_cast<std::size_t>(b)]) together.join(a, b);
  });
  return collect(order, together);
}

}  // namespace gearshift::solid
