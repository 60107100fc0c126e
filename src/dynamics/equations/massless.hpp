#pragma once

#include "dynamics/equations/guarded_system.hpp"

#include <vector>

namespace gearshift {

/// Returns the local indices, ascending, of the free entries without mass: those with a row of zeros in M = R_a,
/// determined by differences of the residual. Returns an empty list if no entry has mass. Collective.
/// @param constrained local indices of the constrained entries
std::vector<PetscInt> massless_entries(GuardedSystem& system, const State& at,
                                       const std::vector<PetscInt>& constrained);

/// The massless entries of a problem, once they were looked for. Their velocity may jump, since it follows from
/// equilibrium: they have no acceleration that a method could use, and are excluded from the error.
class MasslessEntries {
 public:
  /// Finds them (massless_entries()). Collective.
  void find(GuardedSystem& system, const State& at, const std::vector<PetscInt>& constrained);
  void forget() { *this = {}; }
  bool searched() const { return searched_; }
  /// Returns true if any rank has found such entries.
  bool any() const { return any_; }
  /// Writes zero into these entries of x.
  void clear(Vec x) const;

 private:
  std::vector<PetscInt> entries_;
  bool any_ = false, searched_ = false;
};

}  // namespace gearshift
