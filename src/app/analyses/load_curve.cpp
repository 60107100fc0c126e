#include "app/analyses/load_curve.hpp"

#include "petsc/queries.hpp"

#include <algorithm>

namespace gearshift::app {

using petsc::check;

void LoadCurve::add(PetscReal factor, Vec q) {
  if (given_up_) return;
  if (count_ == last_.size())
    std::rotate(last_.begin(), last_.begin() + 1, last_.end());
  else
    ++count_;
  Equilibrium& newest = last_[count_ - 1];
  newest.factor = factor;
  petsc::store(q, newest.q);
}

Vec LoadCurve::guess(PetscReal factor) {
  guessed_ = !given_up_ && count_ >= 2;
  if (!guessed_) return nullptr;
  if (!guess_) check(VecDuplicate(last_[0].q.get(), guess_.out()));
  check(VecZeroEntries(guess_.get()));
  for (std::size_t i = 0; i < count_; ++i) {
    const Equilibrium& one = last_[i];
    PetscReal weight = 1;
    for (std::size_t j = 0; j < count_; ++j)
      if (const Equilibrium& other = last_[j]; j != i) weight *= (factor - other.factor) / (one.factor - other.factor);
    check(VecAXPY(guess_.get(), weight, one.q.get()));
  }
  return guess_.get();
}

}  // namespace gearshift::app
