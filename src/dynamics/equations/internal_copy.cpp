#include "dynamics/equations/internal_copy.hpp"

#include <gearshift/petsc/error.hpp>

#include "petsc/duplicate.hpp"

#include <utility>

namespace gearshift {

using petsc::check;
using petsc::duplicate;

InternalCopy::InternalCopy(Vec layout) : base_(layout ? duplicate(layout) : petsc::Handle<Vec>()) {}

void InternalCopy::take(const InternalState& from) {
  rate_ = from.rate;
  has_base_ = from.base != nullptr;
  if (!has_base_) return;
  if (!base_) base_ = duplicate(from.base);
  check(VecCopy(from.base, base_.get()));
  check(VecScale(base_.get(), from.factor));
}

bool InternalCopy::archive(Archive& state) {
  if (!base_) return true;
  const Archive::Group group(state, "internal");
  const PetscReal old_rate = rate_;
  const bool had_base = has_base_;
  petsc::Handle<Vec> old;
  if (state.loading()) {
    old = duplicate(base_.get());
    check(VecCopy(base_.get(), old.get()));
  }
  state("rate", rate_);
  state("has_base", has_base_);
  state.internal("base", base_.get());
  if (!state.loading()) return true;
  PetscBool equal = PETSC_FALSE;
  check(VecEqual(old.get(), base_.get(), &equal));
  return equal && rate_ == old_rate && has_base_ == had_base;
}

}  // namespace gearshift
