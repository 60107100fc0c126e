#pragma once

/// @file
/// The nodes at which a rank's cells meet those of other ranks.

#include <gearshift/solid/space.hpp>

#include <vector>

namespace gearshift::solid {

/// Most cells read and write the arrays of global Vecs themselves. The others, at the edge, work on a small copy:
/// the owned nodes that they touch, all ghosts, and one node that belongs to nobody. There ghosts are exchanged without a
/// copy of the vector, and while inner cells are at work: half of them while ghosts arrive, the others while what the
/// edge found travels to its owners.
class Edges {
 public:
  /// @param touched owned nodes that edge cells touch, ascending.
  Edges(const Space& space, std::vector<PetscInt> touched) : space_(space), touched_(std::move(touched)) {}

  /// Where a node's entries begin in the copy.
  int entry(PetscInt node) const;
  int nobody() const { return 3 * static_cast<int>(touched_.size() + static_cast<std::size_t>(space_.ghost_nodes())); }
  std::size_t size() const { return static_cast<std::size_t>(nobody()) + 3; }

  /// copy = the nodes' values in the owned array. Collective; inner cells' work goes between the two.
  void load_begin(const PetscReal* owned, PetscReal* copy) const;
  void load_end(const PetscReal* owned, PetscReal* copy) const { space_.ghosts_end(owned, copy + ghosts()); }
  /// owned += copy, ghosts to their owners; likewise.
  void add_begin(const PetscReal* copy, PetscReal* owned) const { space_.add_ghosts_begin(copy + ghosts(), owned); }
  void add_end(const PetscReal* copy, PetscReal* owned) const;

  /// The parts of the same that need no exchange, in any precision: between the owned array and the copy's first nodes,
  /// which ghosts() follow.
  std::size_t ghosts() const { return 3 * touched_.size(); }
  template <class T>
  void load_touched(const T* owned, T* copy) const {
    T* to = copy;
    for (const PetscInt node : touched_)
      for (int c = 0; c < 3; ++c) *to++ = owned[3 * node + c];
    for (int c = 0; c < 3; ++c) copy[nobody() + c] = 0;
  }
  template <class T>
  void add_touched(const T* copy, T* owned) const {
    for (const PetscInt node : touched_)
      for (int c = 0; c < 3; ++c) owned[3 * node + c] += *copy++;
  }

 private:
  const Space& space_;
  std::vector<PetscInt> touched_;
};

}  // namespace gearshift::solid
