#pragma once

/// @file
/// The strength of the coupling of aggregates of nodes by cells.

#include "solid/multigrid/coarse/stiff_inclusions.hpp"

#include <array>
#include <span>
#include <unordered_map>
#include <vector>

namespace gearshift::solid {

/// The pairs of coupled aggregates of a rank, each with the largest shear modulus of the cells that join them, not
/// counting hinges of StiffInclusions.
class AggregateCouplings {
 public:
  AggregateCouplings() = default;
  /// @param aggregate the global number of each local node's aggregate
  /// @param own       the first of this rank's aggregates and the one after the last. Collective.
  AggregateCouplings(const Space& corners, const StiffInclusions& parts, const MaterialTable& material,
                     std::span<const PetscInt> aggregate, std::array<PetscInt, 2> own);

  /// Returns the strongly coupled pairs, by local numbers: their coupling is as strong as the strongest coupling of
  /// each aggregate, see holds_together().
  Connections strong() const { return of(true); }
  /// Returns all pairs.
  Connections all() const { return of(false); }
  /// Returns true if there is more than one hinge for every two aggregates: stiff parts then rotate relative to each
  /// other, and clusters of aggregates cannot represent this. Hinges between the aggregates of two ranks are not
  /// counted.
  bool hinged() const { return hinged_; }

 private:
  Connections of(bool strong) const;

  struct Coupling {
    double firmest = 0;
    bool hinge = false;  // in one cell or more
  };

  std::unordered_map<unsigned long long, Coupling> pairs_;  // by a count + b, a > b
  std::vector<double> stiffest_;  // moduli: maximum over the cells that join an aggregate with others, on any rank
  bool hinged_ = false;
};

}  // namespace gearshift::solid
