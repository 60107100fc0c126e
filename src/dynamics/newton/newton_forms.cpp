// Results of a solved step other than its solution: the power of its reactions, bilinear forms of its tangent.

#include "dynamics/linear/quadratic_forms.hpp"
#include "dynamics/newton/newton_solver.hpp"
#include "dynamics/newton/newton_types.hpp"

namespace gearshift {

using petsc::check;

PetscReal NewtonSolver::reaction_power(Vec x, Vec v) {
  if (!motion().supports_move()) return 0;
  if (tie_.norm || !is_line_search_newton(snes_.get())) residual_.evaluate(x);
  return residual_.reaction_power(v);
}

Shifts NewtonSolver::quadratic_forms(Vec e, Shifts wanted) {
  Vec free = residual_.work(1);
  check(VecCopy(e, free));
  motion().set_fixed_entries(free, 0.0);
  if (linear_.of_host())
    return difference_forms(system_, motion().state(), free, wanted, residual_.work(0), residual_.work(2));
  linear_.linearize_if_never(motion().state());
  return gearshift::quadratic_forms(linear_.jacobian().tangent(), free, wanted, residual_.work(0));
}

PlaneForms NewtonSolver::plane_forms(std::array<Vec, 2> plane, bool with_a) {
  if (linear_.of_host())
    return difference_plane_forms(system_, motion().state(), plane, with_a, residual_.work(0), residual_.work(2));
  linear_.linearize_if_never(motion().state());
  return gearshift::plane_forms(linear_.jacobian().tangent(), plane, with_a, residual_.work(0));
}

}  // namespace gearshift
