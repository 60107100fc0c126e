#pragma once

#include "dynamics/equations/guarded_system.hpp"

#include <petscvec.h>

#include <vector>

namespace gearshift {

/// The entries of the unknown that a solve does not find: those that the System constrains, some of which may depend on
/// other entries (SystemConstraints::dependent()), and those that are excluded.
class FixedEntries {
 public:
  /// @param layout must outlive this object
  FixedEntries(GuardedSystem& system, Vec layout) : system_(system), layout_(layout) {}

  /// Asks the System again for the constrained entries; returns true if they have changed on any rank. Collective.
  bool find();
  /// Sets the entries that are excluded in addition to the constrained ones (massless entries of an acceleration
  /// solve). Collective.
  void exclude(std::vector<PetscInt> local);

  /// Returns the local indices of the owned constrained entries.
  const std::vector<PetscInt>& constrained() const { return constrained_; }
  /// Returns their global indices.
  std::vector<PetscInt> rows() const;
  /// Returns true if one of them, by its place in constrained(), depends on others.
  bool depends(std::size_t place) const { return any_dependent_ && dependent_[place]; }
  const std::vector<PetscInt>& excluded() const { return excluded_; }
  /// Return true if any rank has a constrained entry, one that depends on others, or an excluded one.
  bool any_constrained() const { return any_constrained_; }
  bool any_dependent() const { return any_dependent_; }
  bool any_excluded() const { return any_excluded_; }
  bool none() const { return !any_constrained_ && !any_excluded_; }

  /// Set these entries of x to those of `from`, or to a value.
  void set(Vec x, Vec from) const;
  void set(Vec x, PetscScalar value) const;

 private:
  GuardedSystem& system_;
  Vec layout_;
  std::vector<PetscInt> constrained_, excluded_;  // local indices of owned entries
  std::vector<char> dependent_;                   // for each constrained entry: does it depend on others
  bool any_constrained_ = false, any_dependent_ = false, any_excluded_ = false;
};

}  // namespace gearshift
