#pragma once

/// @file
/// How firmly cells hold groups of nodes together.

#include "solid/multigrid/coarse/stiff_parts.hpp"

#include <array>
#include <span>
#include <unordered_map>
#include <vector>

namespace gearshift::solid {

/// Pairs of a rank's groups and the largest shear modulus of the cells that join them, 0 for hinges of StiffParts.
class GroupCouplings {
 public:
  GroupCouplings() = default;
  /// @param group the global number of each local node's group
  /// @param own   the first of this rank's groups and the one after the last. Collective.
  GroupCouplings(const Space& corners, const StiffParts& parts, const MaterialTable& material,
                 std::span<const PetscInt> group, std::array<PetscInt, 2> own);

  /// The pairs, by local numbers, that are held together as firmly as each of them is by anything.
  Connections strong() const { return of(true); }
  /// All pairs.
  Connections all() const { return of(false); }
  /// Whether the body is mostly of stiff parts that turn about each other, of which clusters know nothing.
  bool hinged() const { return hinged_; }

 private:
  Connections of(bool strong) const;

  struct Coupling {
    double firmest = 0;
    bool hinge = false;  // in some cell
  };

  std::unordered_map<unsigned long long, Coupling> pairs_;  // by a count + b, a > b
  std::vector<double> stiffest_;  // of the cells that join a group with any other, on any rank
  bool hinged_ = false;
};

}  // namespace gearshift::solid
