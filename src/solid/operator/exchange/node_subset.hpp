#pragma once

/// @file
/// Some nodes of a space, whichever ranks own them.

#include "solid/operator/exchange/halo.hpp"

#include <array>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace gearshift::solid {

/// Some nodes of a space, numbered 0, 1, ... on each rank, and the exchange of their values with the owners.
class NodeSubset {
 public:
  NodeSubset() = default;
  /// @param globals global numbers of the nodes, possibly repeated. Collective.
  NodeSubset(const Space& space, std::vector<PetscInt> globals);

  std::size_t count() const { return globals_.size(); }
  /// Returns the number of a node.
  std::size_t find(PetscInt global) const;
  /// Returns the owned node, or -1 if another rank owns it.
  PetscInt owned(std::size_t node) const { return owned_[node]; }

  /// Copies the values of all nodes from an array of the owned entries. Collective.
  template <class T>
  void fetch(const T* owned, std::vector<std::array<T, 3>>& values) const;
  void fetch(std::span<const std::array<double, 3>> owned, std::vector<std::array<double, 3>>& values) const {
    fetch(owned.empty() ? nullptr : owned.front().data(), values);
  }
  /// Calls to(owned node, value) for the rank's own values, then for those of the others in the order of their numbers.
  /// Collective.
  template <class T, class To>
  void give(const std::vector<std::array<T, 3>>& values, To&& to) const {
    std::vector<T> others;
    for (const std::size_t i : others_) others.insert(others.end(), values[i].begin(), values[i].end());
    halo<T>().gather_begin(others.data());
    for (std::size_t i = 0; i < count(); ++i)
      if (owned_[i] >= 0) to(owned_[i], values[i]);
    halo<T>().gather_end(to);
  }
  /// Adds them to an array of the owned entries.
  template <class T>
  void add(const std::vector<std::array<T, 3>>& values, T* owned) const {
    give(values, [owned](PetscInt node, const std::array<T, 3>& value) {
      for (std::size_t c = 0; c < 3; ++c) owned[3 * static_cast<std::size_t>(node) + c] += value[c];
    });
  }

  double bytes() const;

 private:
  template <class T>
  Halo<T>& halo() const {
    if constexpr (std::is_same_v<T, float>)
      return *floats_;
    else
      return *doubles_;
  }

  std::vector<PetscInt> globals_;    // ascending
  std::vector<PetscInt> owned_;      // the owned node, or -1
  std::vector<std::size_t> others_;  // nodes of other ranks
  std::shared_ptr<Halo<double>> doubles_;
  std::shared_ptr<Halo<float>> floats_;
};

}  // namespace gearshift::solid
