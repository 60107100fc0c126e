// Tests whether an equilibrium found by Newton is stable.

#include <gearshift/petsc/views.hpp>

#include "dynamics/newton/newton_solver.hpp"
#include "dynamics/newton/rough_motion.hpp"
#include "petsc/definite_pc.hpp"
#include "petsc/duplicate.hpp"
#include "petsc/lapack.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace gearshift {

using petsc::check;
using petsc::duplicate;
using petsc::Handle;

namespace {

/// A problem counts as linear if its first Newton step reduces the residual about as far as the tolerance of the linear
/// solver; its stiffness is then that of the undeformed body. Near buckling the first step leaves a residual of about
/// the strain. This exceeds the tolerance up to a slenderness of about 100.
constexpr PetscReal nearly_linear = 1.5;
constexpr PetscReal enough = 1e-3;  // of the residual: CG has met the soft modes by then
constexpr PetscInt max_linear_iterations = 2000;

/// Returns true if A has a direction of negative curvature, and nothing if a solve fails. Uses the Lanczos method for
/// A^-1, because the softest directions of both signs dominate there. It serves tangents whose solver is not CG, with
/// that solver. (Y. Saad, Numerical Methods for Large Eigenvalue Problems, 2011, 8.1)
std::optional<bool> inverse_is_indefinite(KSP ksp, Vec load, Vec motion) {
  constexpr std::size_t steps = 6;
  std::array<Handle<Vec>, steps> basis;
  PetscReal rtol = 0, norm = 0;
  check(KSPGetTolerances(ksp, &rtol, nullptr, nullptr, nullptr));
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(steps, steps);
  const auto solve = [&](PetscReal tolerance, Vec right) {
    KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
    check(KSPSetTolerances(ksp, tolerance, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
    check(KSPSolve(ksp, right, motion));
    check(KSPGetConvergedReason(ksp, &reason));
    check(KSPSetTolerances(ksp, rtol, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
    return reason > 0;
  };
  if (!solve(0.1, load)) return std::nullopt;  // a rough load needs only a rough response
  std::size_t count = 0;
  for (; count < steps; ++count) {
    check(VecNorm(motion, NORM_2, &norm));
    // A remainder this small is due to the solver's tolerance: no further directions exist.
    if (!(norm > (count == 0 ? 0.0 : 1e-5 * T.cwiseAbs().maxCoeff()))) break;
    check(VecScale(motion, 1 / norm));
    basis[count] = duplicate(motion);
    check(VecCopy(motion, basis[count].get()));
    if (!solve(1e-6, basis[count].get())) return std::nullopt;
    for (std::size_t i = 0; i <= count; ++i) {
      PetscScalar product = 0;
      check(VecDot(motion, basis[i].get(), &product));
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
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  check(KSPCreate(PetscObjectComm(reinterpret_cast<PetscObject>(pc)), ksp.out()));
  check(KSPSetType(ksp.get(), KSPCG));
  check(KSPSetOperators(ksp.get(), J, P));
  check(KSPSetPC(ksp.get(), pc));
  check(KSPSetReusePreconditioner(ksp.get(), PETSC_TRUE));
  check(KSPSetTolerances(ksp.get(), enough, PETSC_DEFAULT, 1e100, max_linear_iterations));
  check(KSPSolve(ksp.get(), load, motion));
  check(KSPGetConvergedReason(ksp.get(), &reason));
  check(KSPSetReusePreconditioner(ksp.get(), PETSC_FALSE));
  return reason;
}

}  // namespace

bool NewtonSolver::behaved_linearly(const StepReport& record) {
  if (was_unstable_) return false;
  KSP ksp = nullptr;
  PetscReal rtol = 0;
  check(SNESGetKSP(snes_.get(), &ksp));
  check(KSPGetTolerances(ksp, &rtol, nullptr, nullptr, nullptr));
  const auto& norms = record.residual_norms;
  if (record.reference_residual > 0)
    return was_linear_ && !norms.empty() && norms[0] <= nearly_linear * rtol * record.reference_residual;
  was_linear_ = norms.size() > 1 && norms[1] <= nearly_linear * rtol * norms[0];
  return was_linear_;
}

std::optional<bool> NewtonSolver::is_unstable(Vec x) {
  if (external_ || !linearized_ || !system_.symmetric()) return false;
  KSP ksp = nullptr;
  PC pc = nullptr;
  Mat J = nullptr, P = nullptr;
  check(SNESGetKSP(snes_.get(), &ksp));
  check(SNESGetJacobian(snes_.get(), &J, &P, nullptr, nullptr));
  const Handle<Vec> load = duplicate(x), motion = duplicate(x), undeformed = duplicate(x);
  PetscInt first = 0;
  check(VecGetOwnershipRange(load.get(), &first, nullptr));
  {
    const petsc::WriteView values(load.get());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = rough_motion(first + static_cast<PetscInt>(i));
  }
  motion_.set_fixed_entries(load.get(), 0.0);
  check(VecSet(undeformed.get(), 0));
  // Returns true if a callback has found a state invalid: then the answer is unknown.
  const auto invalid = [this] {
    const bool valid = guard().all_valid();
    if (std::exchange(checks_jacobian_, false)) check(SNESSetCheckJacobianDomainError(snes_.get(), PETSC_FALSE));
    return !valid;
  };
  const auto by_cg = [ksp] {
    KSPType type = nullptr;
    check(KSPGetType(ksp, &type));
    return std::string_view(type) == KSPCG;
  };
  if (!by_cg()) {
    policy_.invalidate();
    check(SNESComputeJacobian(snes_.get(), x, J, P));  // restores CG if Newton had to use another method
    if (invalid()) return std::nullopt;
    if (!by_cg()) {
      const std::optional<bool> unstable = inverse_is_indefinite(ksp, load.get(), motion.get());
      if (invalid()) return std::nullopt;
      was_unstable_ = was_unstable_ || unstable.value_or(false);
      return unstable;
    }
    policy_.invalidate();
  }
  // With a positive definite preconditioner CG finds any direction of negative curvature. Newton's initial
  // preconditioner is used if its point is the last equilibrium and was stable, or if the preconditioner is known to be
  // definite; otherwise that of the undeformed body. A preconditioner of another point may share that direction and
  // hide it, and so may one of this equilibrium. The latter is tried only if CG does not converge with the others
  // because the body has deformed too far.
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  const auto judged = [&] { return reason > 0 || reason == KSP_DIVERGED_INDEFINITE_MAT; };
  const auto ask = [&] {
    operator_->update(state_at(x));
    check(KSPGetPC(ksp, &pc));
    reason = probe(J, P, pc, load.get(), motion.get());
    if (invalid()) reason = KSP_DIVERGED_NANORINF;
  };
  const AffineMap map = motion_.map();
  ConstrainedValues unmoved;  // positions of the supports of the undeformed body
  for (auto& level : unmoved) level.assign(motion_.constrained().size(), 0);
  bool by_another = true;
  check(KSPGetPC(ksp, &pc));
  if (preconditioner_is_of_stable_point() || (policy_.built() && petsc::is_known_definite(pc))) ask();
  for (Vec at : {undeformed.get(), x}) {
    if (judged()) break;
    by_another = at != x;
    policy_.invalidate();
    if (by_another) set_map(map, unmoved);
    check(SNESComputeJacobian(snes_.get(), at, J, P));
    set_map(map);
    evaluated_ = nullptr;
    if (!invalid()) ask();
  }
  policy_.invalidate();
  if (reason > 0 && by_another) {
    if (!stable_) stable_ = duplicate(x);
    check(VecCopy(state_at(x).q, stable_.get()));
  }
  if (!judged()) return std::nullopt;
  was_unstable_ = was_unstable_ || reason == KSP_DIVERGED_INDEFINITE_MAT;
  return reason == KSP_DIVERGED_INDEFINITE_MAT;
}

bool NewtonSolver::preconditioner_is_of_stable_point() const {
  if (!policy_.built()) return false;
  PetscReal size = 0;
  check(VecNorm(policy_.point().q, NORM_INFINITY, &size));
  if (size == 0) return true;
  PetscBool same = PETSC_FALSE;
  if (stable_) check(VecEqual(policy_.point().q, stable_.get(), &same));
  return same == PETSC_TRUE;
}

}  // namespace gearshift
