#pragma once

/// @file
/// A tree of boxes.

#include "solid/numerics/points.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace gearshift::solid {

/// Returns the squared distance of a point from a box, 0 inside.
inline double squared_distance_to(const Extent& box, const Vec3& x) {
  double sum = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    const double beyond = std::max({box.low[c] - x[c], x[c] - box.high[c], 0.0});
    sum += beyond * beyond;
  }
  return sum;
}

inline bool overlap(const Extent& a, const Extent& b) {
  for (std::size_t c = 0; c < 3; ++c)
    if (a.low[c] > b.high[c] || b.low[c] > a.high[c]) return false;
  return true;
}

/// A binary tree over boxes of items 0, 1, ..., halved along the longest side of the box around them.
class BoxTree {
 public:
  BoxTree() = default;
  explicit BoxTree(std::vector<Extent> items) : items_(std::move(items)), order_(items_.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    if (!items_.empty()) build(0, items_.size());
  }

  /// Calls use(item) for the items whose boxes overlap a box.
  template <class Use>
  void visit_overlapping(const Extent& box, Use&& use) const {
    if (!nodes_.empty()) visit(0, box, use);
  }
  /// Calls use(item), near boxes first, for items that may be nearer to x than the square root of limit(), which use()
  /// may reduce.
  template <class Limit, class Use>
  void visit_near(const Vec3& x, Limit&& limit, Use&& use) const {
    if (!nodes_.empty()) visit_near(0, x, limit, use);
  }

 private:
  /// A leaf with the items order_[first], ..., order_[last - 1], or the box around the next node and node `second`.
  struct Node {
    Extent extent;
    std::size_t first, last, second = 0;
  };
  static constexpr std::size_t leaf = 4;

  std::size_t build(std::size_t first, std::size_t last) {
    const std::size_t own = nodes_.size();
    nodes_.push_back({{}, first, last});
    Extent box;
    for (std::size_t i = first; i < last; ++i)
      for (const Vec3* corner : {&items_[order_[i]].low, &items_[order_[i]].high}) box.add(*corner);
    nodes_[own].extent = box;
    if (last - first <= leaf) return own;
    const std::size_t axis = box.longest(), middle = (first + last) / 2;
    const auto at = [&](std::size_t place) { return order_.begin() + static_cast<std::ptrdiff_t>(place); };
    const auto key = [&](std::size_t i) { return std::pair(items_[i].low[axis] + items_[i].high[axis], i); };
    std::nth_element(at(first), at(middle), at(last), [&](auto a, auto b) { return key(a) < key(b); });
    build(first, middle);
    const std::size_t second = build(middle, last);
    nodes_[own].second = second;
    return own;
  }

  template <class Use>
  void visit(std::size_t number, const Extent& box, Use& use) const {
    const Node& node = nodes_[number];
    if (!overlap(node.extent, box)) return;
    if (node.second != 0) {
      visit(number + 1, box, use);
      visit(node.second, box, use);
      return;
    }
    for (std::size_t i = node.first; i < node.last; ++i)
      if (overlap(items_[order_[i]], box)) use(order_[i]);
  }

  template <class Limit, class Use>
  void visit_near(std::size_t number, const Vec3& x, Limit& limit, Use& use) const {
    const Node& node = nodes_[number];
    if (squared_distance_to(node.extent, x) > limit()) return;
    if (node.second == 0) {
      for (std::size_t i = node.first; i < node.last; ++i) use(order_[i]);
      return;
    }
    std::size_t near = number + 1, far = node.second;
    if (squared_distance_to(nodes_[far].extent, x) < squared_distance_to(nodes_[near].extent, x)) std::swap(near, far);
    visit_near(near, x, limit, use);
    visit_near(far, x, limit, use);
  }

  std::vector<Extent> items_;
  std::vector<std::size_t> order_;
  std::vector<Node> nodes_;
};

}  // namespace gearshift::solid
