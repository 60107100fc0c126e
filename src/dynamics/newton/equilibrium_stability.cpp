// Stability of an equilibrium, and jumps to another branch of equilibria.

#include "dynamics/equations/probe_vector.hpp"
#include "dynamics/linear/forcing.hpp"
#include "dynamics/newton/constants.hpp"
#include "dynamics/newton/static_solver.hpp"
#include "petsc/definite_pc.hpp"
#include "petsc/lapack.hpp"
#include "petsc/queries.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace gearshift {

using petsc::check;
using petsc::duplicate;
using petsc::Handle;

namespace {

/// Returns true if A has a direction of negative curvature, and nothing if a solve fails. Uses the Lanczos method for
/// A^-1, because the softest directions of both signs dominate there. It serves tangents whose solver is not CG, with
/// that solver. (Y. Saad, Numerical Methods for Large Eigenvalue Problems, 2011, 8.1)
std::optional<bool> inverse_is_indefinite(KSP ksp, Vec load, Vec motion) {
  constexpr std::size_t steps = 6;
  std::array<Handle<Vec>, steps> basis;
  PetscReal norm = 0;
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(steps, steps);
  const auto solve = [&](PetscReal tolerance, Vec right) {
    LinearSettings own(ksp);
    own.solve_to(tolerance);
    check(KSPSolve(ksp, right, motion));
    return petsc::reason_of(ksp) > 0;
  };
  if (!solve(0.1, load)) return std::nullopt;  // a rough load needs only a rough response
  std::size_t count = 0;
  for (; count < steps; ++count) {
    check(VecNorm(motion, NORM_2, &norm));
    // A remainder this small is due to the solver's tolerance: no further directions exist.
    if (!(norm > (count == 0 ? 0.0 : 1e-5 * T.cwiseAbs().maxCoeff()))) break;
    check(VecScale(motion, 1 / norm));
    basis[count] = petsc::copy_of(motion);
    if (!solve(1e-6, basis[count].get())) return std::nullopt;
    for (std::size_t i = 0; i <= count; ++i) {
      const PetscScalar product = petsc::dot(motion, basis[i].get());
      T(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(count)) = product;
      check(VecAXPY(motion, -product, basis[i].get()));
    }
  }
  if (count == 0) return false;
  const auto n = static_cast<Eigen::Index>(count);
  Eigen::MatrixXd lower = T.topLeftCorner(n, n).transpose();
  if (!lower.allFinite()) return std::nullopt;
  const std::vector<double> modes = petsc::symmetric_eigen({lower.data(), count * count}, false);
  return modes.front() < -1e-4 * std::max(-modes.front(), modes.back());
}

/// Solves by CG for a load that excites every mode.
KSPConvergedReason probe(Mat J, Mat P, PC pc, Vec load, Vec motion) {
  Handle<KSP> ksp;
  check(KSPCreate(petsc::comm_of(pc), ksp.out()));
  check(KSPSetType(ksp.get(), KSPCG));
  check(KSPSetOperators(ksp.get(), J, P));
  check(KSPSetPC(ksp.get(), pc));
  check(KSPSetReusePreconditioner(ksp.get(), PETSC_TRUE));
  check(
      KSPSetTolerances(ksp.get(), newton::enough_for_soft_modes, PETSC_DEFAULT, 1e100, newton::max_linear_iterations));
  check(KSPSolve(ksp.get(), load, motion));
  const KSPConvergedReason reason = petsc::reason_of(ksp.get());
  check(KSPSetReusePreconditioner(ksp.get(), PETSC_FALSE));
  // PETSc compares the sign of a curvature with the one before. If all were negative, so is the work of the load.
  return reason > 0 && petsc::dot(load, motion) < 0 ? KSP_DIVERGED_INDEFINITE_MAT : reason;
}

}  // namespace

void StaticSolver::judge(Vec start, Vec q, StepReport& report) {
  if (!was_unstable_ && newton_.system().symmetric() && !tangent_changed(stable_ ? stable_.get() : start, q)) return;
  const std::optional<bool> unstable = is_unstable(q);
  report.unstable = unstable.value_or(false);
  report.stability_unknown = !unstable;
  was_unstable_ = was_unstable_ || report.unstable;
  if (!report.unstable) report.jump = jump(start, q);
}

/// Returns false if the tangents at both displacements are nearly equal: the equilibrium q is then as stable as the
/// other one, which was judged or is the undeformed body. Where a slender column buckles, its tangent has changed by the strain, 1e-7
/// if it is a thousand times longer than thick. Costs two linearisations and two products.
bool StaticSolver::tangent_changed(Vec from, Vec q) {
  TangentSolver& linear = newton_.linear();
  if (linear.of_host() || !linear.linearized()) return true;
  const Handle<Vec> along = duplicate(q), before = duplicate(q), after = duplicate(q);
  petsc::fill(along.get(), probe_vector);
  newton_.motion().fixed().set(along.get(), 0.0);
  for (const auto& [at, product] : {std::pair{from, before.get()}, std::pair{q, after.get()}}) {
    linear.jacobian().update(newton_.residual().state_at(at));
    linear.jacobian().apply(along.get(), product);
  }
  if (invalid()) return true;
  const PetscReal size = petsc::norm(before.get());
  check(VecAXPY(after.get(), -1, before.get()));
  return !(petsc::norm(after.get()) <= newton::equal_tangents * size);
}

/// Returns true if a callback has found a state invalid: then the answer is unknown.
bool StaticSolver::invalid() {
  const bool valid = newton_.system().guard().all_valid();
  newton_.linear().forget_invalid_jacobian();
  return !valid;
}

/// Returns true if the tangent at the equilibrium x has a direction along which the energy falls, as detected by CG
/// under a rough load. Returns false if the tangent is not symmetric, and nothing if no linear solve finishes.
std::optional<bool> StaticSolver::is_unstable(Vec x) {
  TangentSolver& linear = newton_.linear();
  if (linear.of_host() || !linear.linearized() || !newton_.system().symmetric()) return false;
  const Handle<Vec> load = duplicate(x), motion = duplicate(x);
  petsc::fill(load.get(), probe_vector);
  newton_.motion().fixed().set(load.get(), 0.0);
  const auto by_cg = [&linear] {
    KSPType type = nullptr;
    check(KSPGetType(linear.ksp(), &type));
    return std::string_view(type) == KSPCG;
  };
  if (!by_cg()) {
    const auto [J, P] = linear.matrices();
    linear.policy().invalidate();
    check(SNESComputeJacobian(newton_.snes(), x, J, P));  // restores CG if Newton had to use another method
    if (invalid()) return std::nullopt;
    if (!by_cg()) {
      const std::optional<bool> unstable = inverse_is_indefinite(linear.ksp(), load.get(), motion.get());
      return invalid() ? std::nullopt : unstable;
    }
    linear.policy().invalidate();
  }
  return is_unstable_by_cg(x, load.get(), motion.get());
}

/// With a positive definite preconditioner CG finds any direction of negative curvature. An indefinite preconditioner
/// may be negative in the same direction and hide it. CG therefore uses, until it gives an answer,
///
/// - Newton's initial preconditioner, if it was built at the last equilibrium and that was stable, or if it is known to
///   be definite;
/// - the preconditioner of the undeformed body;
/// - the preconditioner of this equilibrium, in case the body has deformed too far for the others.
std::optional<bool> StaticSolver::is_unstable_by_cg(Vec x, Vec load, Vec motion) {
  TangentSolver& linear = newton_.linear();
  MotionMap& positions = newton_.motion();
  const auto [J, P] = linear.matrices();
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  const auto judged = [&] { return reason > 0 || reason == KSP_DIVERGED_INDEFINITE_MAT; };
  const auto ask = [&, J = J, P = P] {
    linear.jacobian().update(newton_.residual().state_at(x));
    reason = probe(J, P, petsc::pc_of(linear.ksp()), load, motion);
    if (invalid()) reason = KSP_DIVERGED_NANORINF;
  };
  const AffineMap map = positions.map();
  ConstrainedValues unmoved;  // positions of the supports of the undeformed body
  for (auto& level : unmoved) level.assign(positions.fixed().constrained().size(), 0);
  const Handle<Vec> undeformed = duplicate(x);
  bool by_another = true, rebuilt = false;
  if (preconditioner_is_of_stable_point() ||
      (linear.policy().built() && petsc::is_known_definite(petsc::pc_of(linear.ksp()))))
    ask();
  for (Vec at : {undeformed.get(), x}) {
    if (judged()) break;
    by_another = at != x;
    rebuilt = true;
    linear.policy().invalidate();
    if (by_another) positions.set(map, unmoved);
    check(SNESComputeJacobian(newton_.snes(), at, J, P));
    positions.set(map);
    if (invalid()) continue;
    const PC pc = petsc::pc_of(linear.ksp());  // an assembled one is built now, from the matrix at this state
    check(PCSetOperators(pc, J, P));
    check(PCSetReusePreconditioner(pc, PETSC_FALSE));
    check(PCSetUp(pc));
    ask();
  }
  if (rebuilt) linear.policy().invalidate();
  if (reason > 0 && by_another) petsc::store(newton_.residual().state_at(x).q, stable_);
  return judged() ? std::optional(reason == KSP_DIVERGED_INDEFINITE_MAT) : std::nullopt;
}

/// Returns true if the preconditioner was built undeformed or at the equilibrium that was last found to be stable.
bool StaticSolver::preconditioner_is_of_stable_point() const {
  const PreconditionerPolicy& policy = newton_.linear().policy();
  if (!policy.built()) return false;
  if (petsc::norm(policy.point().q, NORM_INFINITY) == 0) return true;
  PetscBool same = PETSC_FALSE;
  if (stable_) check(VecEqual(policy.point().q, stable_.get(), &same));
  return same == PETSC_TRUE;
}

/// Returns StepReport::jump of the equilibrium x. If the displacement predicted was too short and no support moves,
/// this costs a linear solve with the tangent at x.
PetscReal StaticSolver::jump(Vec start, Vec x) {
  TangentSolver& linear = newton_.linear();
  if (linear.of_host() || !linear.linearized() || !(predicted_ > 0)) return 0;
  const PetscReal length = newton_.residual().distance(start, x);
  if (!(length > newton::farthest_of_start * predicted_)) return 0;
  const Handle<Vec> from = petsc::copy_of(start), force = duplicate(x), response = duplicate(x);
  newton_.motion().constrain(from.get());
  if (newton_.residual().distance(start, from.get()) > 0) return length / predicted_;
  // Response of the tangent at x to the change of loads since `start`, with the present preconditioner.
  KSP ksp = linear.ksp();
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  PetscReal answer = 0;
  LinearSettings own(ksp);
  own.solve_to(newton::linear_tolerance);
  check(KSPSetReusePreconditioner(ksp, PETSC_TRUE));
  petsc::CallbackGuard& guard = newton_.system().guard();
  const bool good = guard.run([&] {
    newton_.residual().evaluate(from.get(), force.get());
    newton_.motion().fixed().set(force.get(), 0.0);
    linear.jacobian().update(newton_.residual().state_at(x));
    const auto [J, P] = linear.matrices();
    check(KSPSetOperators(ksp, J, P));
    check(KSPSolve(ksp, force.get(), response.get()));
    check(KSPGetConvergedReason(ksp, &reason));
    check(VecNorm(response.get(), NORM_2, &answer));
  });
  check(KSPSetReusePreconditioner(ksp, PETSC_FALSE));
  const bool judged = !guard.any(!good) && reason > 0 && std::isfinite(answer);
  guard.forgive();
  newton_.residual().evaluate(x);  // restores the reactions, too
  return judged && length > newton::farthest_of_end * answer ? length / predicted_ : 0;
}

}  // namespace gearshift
