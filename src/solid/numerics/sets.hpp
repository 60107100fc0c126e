#pragma once

/// @file
/// Disjoint sets.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace gearshift::solid {

template <class Index>
std::size_t index(Index number) {
  return static_cast<std::size_t>(number);
}

/// Sets of points, merged pair by pair; each set is identified by its first point. (Tarjan, J. ACM 22, 1975, with path
/// halving.)
template <class Index>
class Sets {
 public:
  explicit Sets(std::size_t points) : root_(points) { std::iota(root_.begin(), root_.end(), Index{0}); }

  Index find(Index point) {
    const auto root = [&](Index of) -> Index& { return root_[index(of)]; };
    while (root(point) != point) point = root(point) = root(root(point));
    return point;
  }
  void join(Index a, Index b) {
    const Index i = find(a), j = find(b);
    root_[index(std::max(i, j))] = std::min(i, j);
  }

 private:
  std::vector<Index> root_;
};

}  // namespace gearshift::solid
