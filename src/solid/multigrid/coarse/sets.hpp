#pragma once

/// @file
/// Disjoint sets.

#include <petscsys.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace gearshift::solid {

inline std::size_t index(PetscInt number) { return static_cast<std::size_t>(number); }

/// Sets of points, merged pair by pair; each set is identified by its first point. (Tarjan, J. ACM 22, 1975, with path
/// halving.)
class Sets {
 public:
  explicit Sets(std::size_t points) : root_(points) { std::iota(root_.begin(), root_.end(), 0); }

  PetscInt find(PetscInt point) {
    const auto root = [&](PetscInt of) -> PetscInt& { return root_[index(of)]; };
    while (root(point) != point) point = root(point) = root(root(point));
    return point;
  }
  void join(PetscInt a, PetscInt b) {
    const PetscInt i = find(a), j = find(b);
    root_[index(std::max(i, j))] = std::min(i, j);
  }

 private:
  std::vector<PetscInt> root_;
};

}  // namespace gearshift::solid
