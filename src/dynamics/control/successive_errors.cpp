#include "dynamics/control/successive_errors.hpp"

#include "petsc/queries.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift {

using petsc::check;

bool SuccessiveErrors::follows_from(const Step& step) {
  const bool adjacent = step_.order == step.order && std::abs(step.t - step.dt - step_.t) <= 1e-6 * step.dt;
  if (!adjacent) return false;
  check(VecScale(before_.get(), std::pow(step.dt / step_.dt, step.order)));
  step_.dt = step.dt;
  return true;
}

PetscReal SuccessiveErrors::rate(Vec error, PetscReal size) const {
  const PetscScalar product = petsc::dot(error, before_.get());
  const PetscReal size_before = petsc::norm(before_.get());
  const PetscReal square = size * size - 2 * product + size_before * size_before;
  return std::sqrt(std::max<PetscReal>(square, 0)) / step_.dt;
}

void SuccessiveErrors::keep(Vec error, const Step& step) {
  petsc::store(error, before_);
  step_ = step;
}

void SuccessiveErrors::archive(Archive& state, Vec layout) {
  const Archive::Group group(state, "error_before");
  state("t", step_.t);
  state("dt", step_.dt);
  state("order", step_.order);
  if (step_.order == 0) return;
  if (!before_) before_ = petsc::duplicate(layout);
  state.vec("value", before_.get());
}

}  // namespace gearshift
