#pragma once

/// @file
/// The division of a box of cuboids among ranks.

#include <petscsys.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace gearshift::solid {

/// The cuboids first[c] <= at[c] < last[c] of a box; its vertices are first[c] <= at[c] <= last[c].
struct BoxPart {
  using Place = std::array<PetscInt, 3>;
  Place first{}, last{};

  bool empty() const { return first[0] == last[0]; }
  /// Returns true if this part and another one have a common vertex.
  bool touches(const BoxPart& other) const {
    bool touch = !empty() && !other.empty();
    for (std::size_t c = 0; c < 3; ++c) touch = touch && first[c] <= other.last[c] && other.first[c] <= last[c];
    return touch;
  }
  /// Return the number of cuboids and of vertices along each axis.
  Place cuboids() const { return {last[0] - first[0], last[1] - first[1], last[2] - first[2]}; }
  Place vertices() const { return {last[0] - first[0] + 1, last[1] - first[1] + 1, last[2] - first[2] + 1}; }
};

/// Returns the parts that share vertices with one part, by ascending rank. A box is halved across its longest side,
/// and its ranks with it, until each part has one rank (Berger and Bokhari 1987). If there are fewer cuboids than
/// ranks, some ranks have no part. Not collective; takes time in proportion to the result and log(ranks).
std::vector<std::pair<int, BoxPart>> parts_near(const BoxPart& box, int ranks, const BoxPart& near);

/// Returns the part of a rank; it is empty if the rank has none.
BoxPart part_of(const BoxPart& box, int ranks, int rank);

}  // namespace gearshift::solid
