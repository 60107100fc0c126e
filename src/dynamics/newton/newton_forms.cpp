#include "dynamics/newton/newton_forms.hpp"

#include "dynamics/newton/newton_solver.hpp"
#include "dynamics/newton/newton_types.hpp"

namespace gearshift {

using petsc::check;

PetscReal reaction_power(NewtonSolver& newton, Vec x, Vec v) {
  if (!newton.motion().supports_move()) return 0;
  if (newton.convergence().wrms().tied() || !is_line_search_newton(newton.snes())) newton.residual().evaluate(x);
  return newton.residual().reaction_power(v);
}

Shifts quadratic_forms(NewtonSolver& newton, Vec e, Shifts wanted) {
  ResidualFunction& r = newton.residual();
  const State at = r.motion().state();
  Vec free = r.work(1);
  check(VecCopy(e, free));
  r.motion().fixed().set(free, 0.0);
  if (newton.linear().of_host()) return difference_forms(newton.system(), at, free, wanted, r.work(0), r.work(2));
  newton.linear().linearize_if_never(at);
  return quadratic_forms(newton.linear().jacobian().tangent(), free, wanted, r.work(0));
}

PlaneForms plane_forms(NewtonSolver& newton, std::array<Vec, 2> plane, bool with_a) {
  ResidualFunction& r = newton.residual();
  const State at = r.motion().state();
  if (newton.linear().of_host())
    return difference_plane_forms(newton.system(), at, plane, with_a, r.work(0), r.work(2));
  newton.linear().linearize_if_never(at);
  return plane_forms(newton.linear().jacobian().tangent(), plane, with_a, r.work(0));
}

}  // namespace gearshift
