#pragma once

/// @file
/// How firmly cells hold aggregates of nodes together.

#include "solid/multigrid/coarse/stiff_inclusions.hpp"

#include <array>
#include <span>
#include <unordered_map>
#include <vector>

namespace gearshift::solid {

/// Pairs of a rank's aggregates and the largest shear modulus of the cells that join them, hinges of StiffInclusions
/// left out.
class AggregateCouplings {
 public:
  AggregateCouplings() = default;
  /// @param aggregate the global number of each local node's aggregate
  /// @param own   the first of this rank's aggregates and the one after the last. Collective.
  AggregateCouplings(const Space& corners, const StiffInclusions& parts, const MaterialTable& material,
                     std::span<const PetscInt> aggregate, std::array<PetscInt, 2> own);

  /// The pairs, by local numbers, that are held together as firmly as each of them is by anything.
  Connections strong() const { return of(true); }
  /// All pairs.
  Connections all() const { return of(false); }
  /// Whether there is more than one hinge for every two aggregates: stiff parts turn about each other, which clusters
  /// of
  /// aggregates cannot follow. Hinges between the aggregates of two ranks are not counted.
  bool hinged() const { return hinged_; }

 private:
  Connections of(bool strong) const;

  struct Coupling {
    double firmest = 0;
    bool hinge = false;  // in at least one cell
  };

  std::unordered_map<unsigned long long, Coupling> pairs_;  // by a count + b, a > b
  std::vector<double> stiffest_;  // of the cells that join an aggregate with any other, on any rank
  bool hinged_ = false;
};

}  // namespace gearshift::solid
