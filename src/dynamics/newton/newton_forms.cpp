// Results of a solved step other than its solution: the power of its reactions, bilinear forms of its tangent.

#include "dynamics/newton/newton_solver.hpp"
#include "dynamics/newton/newton_types.hpp"
#include "dynamics/newton/quadratic_forms.hpp"
#include "petsc/duplicate.hpp"

namespace gearshift {

using petsc::check;
using petsc::duplicate;

PetscReal NewtonSolver::reaction_power(Vec x, Vec v) {
  if (!motion_.supports_move()) return 0;
  if (norm_ || !is_line_search_newton(snes_.get())) residual(x, function_.get());
  PetscScalar power = 0;
  check(VecDot(reactions_.get(), v, &power));
  return power;
}

Shifts NewtonSolver::quadratic_forms(Vec e, Shifts wanted) {
  if (!work_) work_ = duplicate(e);
  if (!work_in_) work_in_ = duplicate(e);
  check(VecCopy(e, work_in_.get()));
  motion_.set_fixed_entries(work_in_.get(), 0.0);
  if (external_) {
    if (!moved_) moved_ = duplicate(e);
    return difference_forms(system_, state(), work_in_.get(), wanted, work_.get(), moved_.get());
  }
  if (!linearized_) operator_->update(state());  // for methods that compute no tangent themselves, and -snes_mf
  return gearshift::quadratic_forms(operator_->tangent(), work_in_.get(), wanted, work_.get());
}

PlaneForms NewtonSolver::plane_forms(std::array<Vec, 2> plane, bool with_a) {
  if (!work_) work_ = duplicate(plane[0]);
  if (external_) {
    if (!moved_) moved_ = duplicate(plane[0]);
    return difference_plane_forms(system_, state(), plane, with_a, work_.get(), moved_.get());
  }
  if (!linearized_) operator_->update(state());
  return gearshift::plane_forms(operator_->tangent(), plane, with_a, work_.get());
}

}  // namespace gearshift
