#pragma once

/// @file
/// Connected groups of neighbouring points.

#include <gearshift/solid/types.hpp>

#include <span>
#include <vector>

namespace gearshift::solid {

/// Group a holds members[begins[a]] to members[begins[a + 1]].
struct Groups {
  std::vector<PetscInt> begins{0}, members;

  PetscInt count() const { return static_cast<PetscInt>(begins.size()) - 1; }
  std::span<const PetscInt> of(PetscInt group) const {
    const auto a = static_cast<std::size_t>(group);
    return std::span(members).subspan(static_cast<std::size_t>(begins[a]),
                                      static_cast<std::size_t>(begins[a + 1] - begins[a]));
  }
};

/// Halves points across their longest extent until no part has more than `most`. Points that are close but not
/// connected, as on the two sides of a slot, do not become one group.
class Grouping {
 public:
  Grouping(std::span<const Vec3> points, std::size_t most);
  /// Connects points a and b if they are in the same part; numbers beyond the points are ignored.
  void join(PetscInt a, PetscInt b);
  Groups groups();

 private:
  PetscInt find(PetscInt point);

  std::vector<PetscInt> order_, part_, root_;
};

}  // namespace gearshift::solid
