#pragma once

/// @file
/// The aggregates that contain a cell's nodes.

#include <petscsys.h>

#include <algorithm>
#include <span>
#include <vector>

namespace gearshift::solid {

/// The aggregates of one cell's nodes, each once.
class CellAggregates {
 public:
  /// @param aggregate the aggregate of each local node
  void find(std::span<const PetscInt> nodes, std::span<const PetscInt> aggregate) {
    aggregates_.clear();
    of_.clear();
    for (const PetscInt node : nodes) {
      const PetscInt own = aggregate[static_cast<std::size_t>(node)];
      of_.push_back(
          static_cast<std::size_t>(std::find(aggregates_.begin(), aggregates_.end(), own) - aggregates_.begin()));
      if (of_.back() == aggregates_.size()) aggregates_.push_back(own);
    }
  }

  std::size_t count() const { return aggregates_.size(); }
  PetscInt aggregate(std::size_t i) const { return aggregates_[i]; }
  /// Returns the index of the aggregate that contains a node of the cell.
  std::size_t of(std::size_t node) const { return of_[node]; }

 private:
  std::vector<PetscInt> aggregates_;
  std::vector<std::size_t> of_;
};

}  // namespace gearshift::solid
