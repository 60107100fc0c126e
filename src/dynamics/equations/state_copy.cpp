#include "dynamics/equations/state_copy.hpp"

#include "petsc/queries.hpp"

namespace gearshift {

using petsc::check;
using petsc::duplicate;
using petsc::Handle;

namespace {

/// Visits a Vec. Returns true unless loading has changed it.
template <class Visit>
bool keeps(Archive& state, Vec x, Visit&& visit) {
  Handle<Vec> old;
  PetscBool equal = PETSC_TRUE;
  if (state.loading()) old = petsc::copy_of(x);
  visit(x);
  if (old) check(VecEqual(old.get(), x, &equal));
  return equal;
}

}  // namespace

InternalCopy::InternalCopy(Vec layout) : base_(layout ? duplicate(layout) : Handle<Vec>()) {}

void InternalCopy::take(const InternalState& from) {
  rate_ = from.rate;
  has_base_ = from.base != nullptr;
  if (!has_base_) return;
  petsc::store(from.base, base_);
  check(VecScale(base_.get(), from.factor));
}

bool InternalCopy::archive(Archive& state) {
  if (!base_) return true;
  const Archive::Group group(state, "internal");
  const PetscReal old_rate = rate_;
  const bool had_base = has_base_;
  state("rate", rate_);
  state("has_base", has_base_);
  const bool same = keeps(state, base_.get(), [&](Vec base) { state.internal("base", base); });
  return same && rate_ == old_rate && has_base_ == had_base;
}

StateCopy::StateCopy(Vec layout, Vec internal) : internal_(internal) {
  for (auto& vec : levels_) vec = duplicate(layout);
}

void StateCopy::take(const State& x) {
  t_ = x.t;
  internal_.take(x.internal);
  const std::array from{x.q, x.v, x.a};
  for (std::size_t i = 0; i < from.size(); ++i) petsc::store(from[i], levels_[i]);
}

bool StateCopy::archive(Archive& state) {
  const PetscReal old_t = t_;
  state("t", t_);
  bool same = t_ == old_t;
  constexpr std::array names{"q", "v", "a"};
  for (std::size_t i = 0; i < names.size(); ++i)
    same = keeps(state, levels_[i].get(), [&](Vec vec) { state.vec(names[i], vec); }) && same;
  return internal_.archive(state) && same;
}

}  // namespace gearshift
