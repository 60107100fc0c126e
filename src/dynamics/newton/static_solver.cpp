#include "dynamics/newton/static_solver.hpp"

#include "dynamics/newton/constants.hpp"
#include "petsc/queries.hpp"
#include "petsc/text_of.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <string>

namespace gearshift {

using petsc::check;
using petsc::duplicate;
using petsc::Handle;

namespace {

/// Returns advice for a failed solve: a linear problem gains nothing from smaller loads.
const char* advice(const NewtonSolver& newton, const StepReport& failed) {
  if (newton.unsupported()) return "Clamp the body, or solve for its motion";
  if (failed.ksp_reason == KSP_DIVERGED_ITS || failed.ksp_reason == KSP_DIVERGED_DTOL)
    return "Try another preconditioner (-pc_type), more load steps (-load_steps), or look closer with "
           "-ksp_monitor_true_residual -ksp_view";
  return "Check that the loads and moduli have consistent units; try more load steps (-load_steps), a closer initial "
         "guess, another -snes_linesearch_type (bt, cp), or look closer with -snes_monitor -ksp_converged_reason";
}

}  // namespace

void StaticSolver::solve(const AffineMap& map, Vec start, Vec guess, Vec q, StepReport& report) {
  if (!find(map, start, guess, q, report)) return;
  const auto& norms = report.residual_norms;
  // It was slow: full steps may be faster under the next loads.
  search_first_ = search_first_ && std::ssize(norms) <= newton::many_iterations;
  last_.residual = norms.empty() ? 0 : norms.back();
  last_.size = petsc::norm(q);
  last_.rtol = petsc::rtol_of(newton_.snes());
  if (report.newton_iterations > 0) last_.linear_iterations = report.krylov_iterations / report.newton_iterations;
  last_.reference = report.reference_residual > 0 || norms.empty() ? report.reference_residual : norms.front();
}

/// Returns true if the equilibrium that Newton's method found last is one under the new loads, too: its residual is as
/// small as it was. Newton's tolerance relative to that residual could not be reached. A block that slides under a
/// constant load is an example.
bool StaticSolver::nothing_changed(const AffineMap& map, Vec q, StepReport& report) {
  if (!(last_.residual > 0) || petsc::norm(q) != last_.size || petsc::rtol_of(newton_.snes()) != last_.rtol)
    return false;
  newton_.motion().set(map);
  const std::optional<PetscReal> now = newton_.residual().norm_at(q);
  if (!now || *now > newton::same_equilibrium * last_.residual) return false;
  report.residual_norms.push_back(*now);
  report.reference_residual = last_.reference;
  report.newton_reason = NewtonReason::rounding;
  report.snes_reason = SNES_CONVERGED_FNORM_ABS;
  return true;
}

/// Returns false if the last equilibrium still holds.
bool StaticSolver::find(const AffineMap& map, Vec start, Vec guess, Vec q, StepReport& report) {
  check(VecCopy(start, q));
  newton_.convergence().tie_to(nullptr, 1);
  if (nothing_changed(map, q, report)) return false;
  newton_.linear().policy().request();
  const auto reference = guess ? take_guess(map, guess, q) : std::nullopt;
  if (reference) {
    predicted_ = newton_.residual().distance(start, q);
    if (solve_from_guess(*reference, q, report)) return true;
    check(VecCopy(start, q));
  }
  const bool moved = move_supports(map, q);
  predicted_ = newton_.residual().distance(start, q);
  newton_.linear().policy().request();
  if (solve_from_rest(q, report)) {
    if (!report.increment_norms.empty()) predicted_ += report.increment_norms.front();
    return true;
  }
  if (moved) {  // start from where the body was, with only the supports moved
    start_again(start, q, report);
    newton_.motion().constrain(q);
    if (solve_from_rest(q, report)) return true;
  }
  throw StepFailed("no static equilibrium was found at t = " + petsc::text_of(map.t) + ": " + report.failure + ". " +
                       advice(newton_, report),
                   map.t, 0);
}

bool StaticSolver::with_full_steps(FullSteps::Rises rises, Vec q, StepReport& report, PetscReal reference) {
  const FullSteps full(newton_.search(), rises);
  const bool solved = newton_.solve(q, report, reference);
  astray_ = full.astray();
  return solved;
}

/// Solves by PETSc's own line search. With smaller loads it may take larger steps.
bool StaticSolver::with_line_search(Vec q, StepReport& report, PetscReal reference) {
  const SearchAlone alone(newton_.search());
  return newton_.solve(q, report, reference);
}

/// Prepares another attempt after one that failed: with a new preconditioner, and records that it must fill again.
void StaticSolver::start_again(Vec from, Vec q, StepReport& report) {
  check(VecCopy(from, q));
  newton_.linear().policy().request();
  report.residual_norms.clear();
  report.increment_norms.clear();
  report.iteration_seconds.clear();
}

/// Solves from the guess in q, with tolerances relative to the residual of the loads.
bool StaticSolver::solve_from_guess(PetscReal reference, Vec q, StepReport& report) {
  const Handle<Vec> start = petsc::copy_of(q);
  LinearSettings limit(newton_.linear().ksp());
  if (last_.linear_iterations > 0) limit.expect(last_.linear_iterations);
  if (!search_first_) {
    if (with_full_steps(FullSteps::Rises::few, q, report, reference)) return true;
    start_again(start.get(), q, report);
    search_first_ = astray_;
  }
  if (search_first_) {
    if (with_line_search(q, report, reference)) return true;
    start_again(start.get(), q, report);
    search_first_ = false;
  }
  report.reference_residual = 0;
  report.guess_failed = true;
  return false;
}

/// Solves from q: by full steps, then with PETSc's own line search, then by full steps that may wander; unless the user
/// chose the line search.
bool StaticSolver::solve_from_rest(Vec q, StepReport& report) {
  if (!newton_.search().allows_full_steps()) return newton_.solve(q, report);
  const Handle<Vec> start = petsc::copy_of(q);
  astray_ = search_first_;
  if (!search_first_) {
    if (with_full_steps(FullSteps::Rises::few, q, report)) return true;
    start_again(start.get(), q, report);
  }
  search_first_ = astray_;
  if (with_line_search(q, report)) return true;
  search_first_ = false;
  if (!astray_) return false;
  start_again(start.get(), q, report);
  return with_full_steps(FullSteps::Rises::any, q, report);
}

/// Sets the map and replaces q, an equilibrium under the former loads, by `guess` with its supports at the positions
/// that the map prescribes. q stays unchanged if it is the better start: if the guess or R there is not finite, or if R
/// there is far larger than at q under the new loads. If supports have moved, the guess is rejected as soon as R there
/// is larger. Returns the reference residual for the solve, or nothing if q is unchanged. Costs two residuals.
std::optional<PetscReal> StaticSolver::take_guess(const AffineMap& map, Vec guess, Vec q) {
  constexpr PetscReal infinite = std::numeric_limits<PetscReal>::infinity();
  MotionMap& motion = newton_.motion();
  motion.set(map);
  const Handle<Vec> start = petsc::copy_of(q), candidate = petsc::copy_of(guess);
  motion.constrain(start.get());
  motion.constrain(candidate.get());
  if (!std::isfinite(petsc::norm(candidate.get()))) return std::nullopt;
  Vec change = newton_.residual().work(0);
  check(VecWAXPY(change, -1, q, start.get()));
  const PetscReal moved = petsc::norm(change, NORM_INFINITY);
  const PetscReal of_loads = newton_.residual().norm_at(start.get()).value_or(infinite);
  const std::optional<PetscReal> left = newton_.residual().norm_at(candidate.get());
  if (!left) return std::nullopt;
  PetscReal reference = of_loads;
  if (moved > 0) {
    // Supports that have moved without the body cause a residual that move_supports() reduces about as far as linear
    // solves can. This is the minimum reference that a solve without the guess would have.
    if (*left > of_loads) return std::nullopt;
    reference = std::isfinite(of_loads) ? std::max(*left, petsc::rtol_of(newton_.linear().ksp()) * of_loads) : *left;
  } else {
    const PetscReal worst = newton_.system().parts().preconditioner->inner_iterations() > 0
                                ? newton::worst_residual_of_inner_iterations
                                : newton::worst_residual;
    if (!std::isfinite(of_loads) || *left > worst * of_loads) return std::nullopt;
  }
  if (!(reference > 0)) return std::nullopt;
  check(VecCopy(candidate.get(), q));
  return reference;
}

/// Sets the map and moves q, an equilibrium for the present positions of its supports, to the positions that the map
/// prescribes. The free entries follow by the tangent at q: this spreads the motion over the body, while the prescribed
/// values without it would squeeze the elements next to the supports. Returns true if it did more than constrain().
bool StaticSolver::move_supports(const AffineMap& map, Vec q) {
  MotionMap& motion = newton_.motion();
  TangentSolver& linear = newton_.linear();
  petsc::CallbackGuard& guard = newton_.system().guard();
  const Handle<Vec> change = petsc::copy_of(q), response = duplicate(q), force = duplicate(q);
  motion.set(map);
  motion.constrain(change.get());
  check(VecAXPY(change.get(), -1, q));
  if (linear.of_host() || !(petsc::norm(change.get(), NORM_INFINITY) > 0)) {
    motion.constrain(q);
    return false;
  }
  // The tangent at the former positions of the supports.
  ConstrainedValues before;
  {
    const petsc::ReadView values(q);
    for (const PetscInt i : motion.fixed().constrained()) before[0].push_back(values[static_cast<std::size_t>(i)]);
    before[1].assign(before[0].size(), 0);
    before[2] = before[1];
  }
  motion.set(map, before);
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  check(SNESSetSolution(newton_.snes(), q));
  check(SNESSetUp(newton_.snes()));
  const auto [J, P] = linear.matrices();
  newton_.linear().policy().request();
  const bool good = guard.run([&, J = J, P = P] {
    check(SNESComputeJacobian(newton_.snes(), q, J, P));
    linear.linearize_if_never(newton_.residual().state_at(q));
    linear.jacobian().tangent().apply(newton_.residual().shifts(), change.get(), force.get());
    check(VecScale(force.get(), -1));
    motion.fixed().set(force.get(), 0.0);
    check(KSPSetOperators(linear.ksp(), J, P));
    check(KSPSolve(linear.ksp(), force.get(), response.get()));
    check(KSPGetConvergedReason(linear.ksp(), &reason));
  });
  const bool solved = !guard.any(!(good && reason > 0));
  guard.forgive();
  motion.set(map);
  if (solved) check(VecAXPY(q, 1, response.get()));
  motion.constrain(q);
  linear.continue_next(solved);
  return solved;
}

}  // namespace gearshift
