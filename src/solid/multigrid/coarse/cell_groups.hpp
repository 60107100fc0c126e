#pragma once

/// @file
/// The groups that a cell's nodes are in.

#include <petscsys.h>

#include <algorithm>
#include <span>
#include <vector>

namespace gearshift::solid {

/// The groups of one cell's nodes, each once.
class CellGroups {
 public:
  /// @param group of each local node
  void find(std::span<const PetscInt> nodes, std::span<const PetscInt> group) {
    groups_.clear();
    of_.clear();
    for (const PetscInt node : nodes) {
      const PetscInt own = group[static_cast<std::size_t>(node)];
      of_.push_back(static_cast<std::size_t>(std::find(groups_.begin(), groups_.end(), own) - groups_.begin()));
      if (of_.back() == groups_.size()) groups_.push_back(own);
    }
  }

  std::size_t count() const { return groups_.size(); }
  PetscInt group(std::size_t i) const { return groups_[i]; }
  /// Which of them the cell's node is in.
  std::size_t of(std::size_t node) const { return of_[node]; }

 private:
  std::vector<PetscInt> groups_;
  std::vector<std::size_t> of_;
};

}  // namespace gearshift::solid
