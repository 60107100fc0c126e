#pragma once

/// @file
/// The nodes of cells at the boundary between ranks.

#include <gearshift/solid/space.hpp>

#include <cstddef>
#include <vector>

namespace gearshift::solid {

/// The numbering of the small copy on which edge cells work: the owned nodes that they touch, all ghosts, and one dummy
/// node that belongs to no rank.
class Edges {
 public:
  /// @param touched the owned nodes that edge cells touch, in ascending order.
  Edges(const Space& space, std::vector<PetscInt> touched)
      : owned_(space.owned_nodes()), ghosts_(space.ghost_nodes()), touched_(std::move(touched)) {}

  /// Returns the index of a node's first entry in the copy.
  int entry(PetscInt node) const;
  int nobody() const { return 3 * static_cast<int>(touched_.size() + static_cast<std::size_t>(ghosts_)); }
  std::size_t size() const { return static_cast<std::size_t>(nobody()) + 3; }
  /// Returns the index of the ghosts' first entry in the copy.
  std::size_t ghosts() const { return 3 * touched_.size(); }

  /// Copies the touched nodes into the copy, and sets the dummy node to 0.
  template <class T>
  void load(const T* owned, T* copy) const {
    T* to = copy;
    for (const PetscInt node : touched_)
      for (int c = 0; c < 3; ++c) *to++ = owned[3 * node + c];
    for (int c = 0; c < 3; ++c) copy[nobody() + c] = 0;
  }
  /// Adds the touched nodes of the copy: owned += copy.
  template <class T>
  void add(const T* copy, T* owned) const {
    for (const PetscInt node : touched_)
      for (int c = 0; c < 3; ++c) owned[3 * node + c] += *copy++;
  }

 private:
  PetscInt owned_, ghosts_;
  std::vector<PetscInt> touched_;
};

}  // namespace gearshift::solid
