#include "dynamics/newton/threshold_test.hpp"

#include "petsc/queries.hpp"

#include <utility>

namespace gearshift {

using petsc::check;

NewtonReason ThresholdTest::test(const NewtonIterate& at, Vec x) {
  const PetscReal x_now = limits_.increment_relative > 0 ? petsc::norm(x) : 0;
  const PetscReal x_before = std::exchange(x_before_, x_now);
  if (at.iteration == 0) {
    if (limits_.increment_sum > 0) petsc::store(x, start_);
    return at.residual == 0 || at.residual <= limits_.residual_absolute ? NewtonReason::equilibrium
                                                                        : NewtonReason::none;
  }
  if (at.residual < limits_.residual_successive * at.residual_before) return NewtonReason::residual_successive;
  if (at.residual < limits_.residual_initial * at.reference) return NewtonReason::residual_initial;
  if (at.residual < limits_.residual_absolute) return NewtonReason::residual_absolute;
  if (x_before > 0 && at.step < limits_.increment_relative * x_before) return NewtonReason::increment_relative;
  if (at.step < limits_.increment_absolute) return NewtonReason::increment_absolute;
  if (limits_.increment_sum > 0) {
    check(VecAXPY(start_.get(), -1, x));
    const PetscReal sum = petsc::norm(start_.get());
    check(VecAXPY(start_.get(), 1, x));
    if (at.step < limits_.increment_sum * sum) return NewtonReason::increment_sum;
  }
  return NewtonReason::none;
}

SNESConvergedReason snes_reason_of(NewtonReason reason) {
  using enum NewtonReason;
  if (reason == none) return SNES_CONVERGED_ITERATING;
  if (reason == residual_successive || reason == residual_initial) return SNES_CONVERGED_FNORM_RELATIVE;
  return reason == residual_absolute || reason == equilibrium ? SNES_CONVERGED_FNORM_ABS
                                                              : SNES_CONVERGED_SNORM_RELATIVE;
}

}  // namespace gearshift
