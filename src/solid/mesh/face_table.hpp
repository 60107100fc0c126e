#pragma once

/// @file
/// A table that finds faces and edges by their vertices.

#include <petscsys.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

namespace gearshift::solid {

/// Numbers sets of two to four vertices in the order in which they are added. The few
/// sets with the same lowest vertex are chained: two arrays instead of a hash table.
class FaceTable {
 public:
  /// Creates an empty table for the vertices begin, ..., end - 1.
  FaceTable(PetscInt begin, PetscInt end) : begin_(begin), last_(static_cast<std::size_t>(end - begin), -1) {}

  PetscInt size() const { return static_cast<PetscInt>(entries_.size()); }
  /// Returns the number of a set, or -1.
  PetscInt find(std::span<const PetscInt> vertices) const { return find(key_of(vertices)); }
  /// Adds a set unless it is known. Returns its number: size() - 1 if it is new.
  PetscInt put(std::span<const PetscInt> vertices) {
    const Key key = key_of(vertices);
    const PetscInt found = find(key);
    if (found >= 0) return found;
    PetscInt& last = last_[static_cast<std::size_t>(key[0] - begin_)];
    entries_.push_back({key[1], key[2], key[3], last});
    return last = size() - 1;
  }

 private:
  using Key = std::array<PetscInt, 4>;  // sorted
  struct Entry {
    PetscInt second, third, fourth, before;
  };

  static Key key_of(std::span<const PetscInt> vertices) {
    Key key;
    key.fill(std::numeric_limits<PetscInt>::max());
    std::copy(vertices.begin(), vertices.end(), key.begin());
    std::sort(key.begin(), key.end());
    return key;
  }
  PetscInt find(const Key& key) const {
    PetscInt i = last_[static_cast<std::size_t>(key[0] - begin_)];
    while (i >= 0) {
      const Entry& entry = entries_[static_cast<std::size_t>(i)];
      if (entry.second == key[1] && entry.third == key[2] && entry.fourth == key[3]) break;
      i = entry.before;
    }
    return i;
  }

  PetscInt begin_;
  std::vector<PetscInt> last_;  // the most recent set with each lowest vertex
  std::vector<Entry> entries_;
};

}  // namespace gearshift::solid
