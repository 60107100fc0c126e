#pragma once

/// @file
/// Disjoint sets.

#include <petscsys.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace gearshift::solid {

/// Sets of points, merged pair by pair; each is known by its first point. (Tarjan, J. ACM 22, 1975, with path halving.)
class Sets {
 public:
  explicit Sets(std::size_t points) : root_(points) { std::iota(root_.begin(), root_.end(), 0); }

  PetscInt find(PetscInt point) {
    const auto root = [&](PetscInt of) -> PetscInt& { return root_[static_cast<std::size_t>(of)]; };
    while (root(point) != point) point = root(point) = root(root(point));
    return point;
  }
  void join(PetscInt a, PetscInt b) {
    const PetscInt i = find(a), j = find(b);
    root_[static_cast<std::size_t>(std::max(i, j))] = std::min(i, j);
  }

 private:
  std::vector<PetscInt> root_;
};

}  // namespace gearshift::solid
