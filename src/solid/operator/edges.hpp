#pragma once

/// @file
/// The nodes at which a rank's cells meet those of other ranks.

#include <gearshift/solid/space.hpp>

#include <cstddef>
#include <vector>

namespace gearshift::solid {

/// The numbering of the small copy on which edge cells work: the owned nodes that they touch, all ghosts, and one node
/// that belongs to nobody.
class Edges {
 public:
  /// @param touched owned nodes that edge cells touch, ascending.
  Edges(const Space& space, std::vector<PetscInt> touched)
      : owned_(space.owned_nodes()), ghosts_(space.ghost_nodes()), touched_(std::move(touched)) {}

  /// Where a node's entries begin in the copy.
  int entry(PetscInt node) const;
  int nobody() const { return 3 * static_cast<int>(touched_.size() + static_cast<std::size_t>(ghosts_)); }
  std::size_t size() const { return static_cast<std::size_t>(nobody()) + 3; }
  /// Where the ghosts' entries begin.
  std::size_t ghosts() const { return 3 * touched_.size(); }

  /// The copy of the touched nodes, and 0 for nobody.
  template <class T>
  void load(const T* owned, T* copy) const {
    T* to = copy;
    for (const PetscInt node : touched_)
      for (int c = 0; c < 3; ++c) *to++ = owned[3 * node + c];
    for (int c = 0; c < 3; ++c) copy[nobody() + c] = 0;
  }
  /// owned += copy of the touched nodes
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
