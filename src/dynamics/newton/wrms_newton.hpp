#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/report.hpp>
#include <gearshift/petsc/handle.hpp>

#include "petsc/versions.hpp"

#include <petscsnes.h>

#include <functional>
#include <string>

namespace gearshift {

class ErrorNorm;

/// Newton's iteration tied to the error test of the step, for one SNES.
///
/// With d_m the weighted norm of the m-th increment, R its rate of convergence (carried from step to step) and T the
/// tolerance, the iteration ends when d_m min(1, R) <= T and fails when d_m > 2 d_{m-1} or after four iterations. The
/// residual after the last increment is not evaluated: an iteration costs one residual and one linear solve.
///
/// Whether the tangent is one of this residual, increments do not tell. So in the first solve and then in one of 64 the
/// residual is evaluated after all: if along the increment y it did not change by a tenth of J y, nothing has converged.
///
/// R was measured at increments of another size. Since Newton's error is quadratic in the increment of q, d / alpha, the
/// rate that judges a first increment grows with that of its d / alpha; larger steps thus measure their own rate. From
/// one measurement to the next R falls to 0.3 of itself at most; the first counts as it is, but for 0.1 at least.
///
/// The linear solve ends when its residual norm r, which fell by rho an iteration, is worth T/10 and promises an error of
/// at most 0.3 T,
///
///     g r <= T/10,    |error| <= g r / (1 - rho) <= 0.3 T.
///
/// The first is CVODE's test and binds where the preconditioner is good; where it is not, the second keeps errors small
/// that r does not show. With a preconditioned residual, an increment already, g is the weighted norm over the 2-norm of
/// the increment before; with another the weighted norm of that increment over the residual it removed.
///
/// Source: A.C. Hindmarsh et al., SUNDIALS, ACM TOMS 31 (2005), section 2.1, for g r and R; CVODE forgets R at every
/// preconditioner, which an exact tangent has no reason to, and takes rho for 0. P. Deuflhard, Newton Methods for
/// Nonlinear Problems, section 2.1, for the quadratic rate.
class WrmsNewton {
 public:
  WrmsNewton() = default;
  ~WrmsNewton();
  WrmsNewton(const WrmsNewton&) = delete;
  WrmsNewton& operator=(const WrmsNewton&) = delete;

  /// Installs itself where the user's options leave room: -snes_linesearch_type, -ksp_rtol and -ksp_atol win.
  /// Call after the options of the SNES were read.
  /// @param at_rounding whether the residual at x is no more than the rounding of its terms; asked in doubt only
  /// @param unusable whether a callback threw on this rank since the last residual; no iteration converges then
  void install(SNES snes, bool from_options, std::function<bool(Vec)> at_rounding, std::function<bool()> unusable);

  /// Linear solves reduce their residual by this factor at least.
  void require_reduction(PetscReal reduction) { krylov_reduction_ = reduction; }
  /// The next solves are tied to `norm` with tolerance T; an error x of the unknown makes slope_q x in q and slope_v x
  /// in v; alpha is the coefficient of the formula.
  void begin(const ErrorNorm& norm, PetscReal tolerance, PetscReal slope_q, PetscReal slope_v, PetscReal alpha,
             StepReport& record);
  /// The next solves are PETSc's again, with the line search and the linear solver's test that were there.
  void end();
  /// What was learned from solves before counts no more.
  void forget() {
    rate_ = 1;
    rate_at_ = 0;
    gain_ = 0;
    solves_ = 0;
  }
  /// What is known from earlier solves and steers later ones.
  void archive(Archive& state);

  bool active() const { return norm_ != nullptr; }
  /// Increments of the last solve that were larger than T: those that it needed.
  PetscInt needed() const { return needed_; }
  /// The error R d_1 / T that the first increment of the last solve was to leave; 0 where R was not known.
  PetscReal first_error() const { return first_error_; }
  /// The verdict on the iteration just done, for the convergence test of the SNES.
  SNESConvergedReason test(SNES snes, PetscInt iteration);
  /// Whether the last solve evaluated the residual at its end.
  bool audited() const { return audited_; }
  /// Whether the last solve failed because the tangent is none of the residual.
  bool mistrusts_tangent() const { return mistrusts_tangent_; }

 private:
  static PetscErrorCode search(SNESLineSearch search, void* ctx);
  static PetscErrorCode krylov_test(KSP ksp, PetscInt it, PetscReal norm, KSPConvergedReason* reason, void* ctx);
  bool no_more_digits(PetscReal increment) const;
  SNESConvergedReason judge(Vec increment, PetscInt iteration);
  bool predicts_residual(SNES snes, Vec x, Vec f, Vec step, Vec work, Vec product);
  PetscReal measure_rate(PetscReal size, PetscInt iteration);
  PetscReal krylov_target(KSP ksp, PetscInt it, PetscReal norm) const;

  /// The convergence test of the linear solver that was there before.
  struct KrylovTest {
    PetscErrorCode (*test)(KSP, PetscInt, PetscReal, KSPConvergedReason*, void*) = nullptr;
    void* context = nullptr;
    petsc::DestroyKspTest destroy = nullptr;
  };

  SNES snes_ = nullptr;
  std::function<bool(Vec)> at_rounding_;
  std::function<bool()> unusable_;
  bool own_search_ = false, own_krylov_ = false;
  petsc::Handle<SNESLineSearch> former_search_, search_;
  KrylovTest former_krylov_;
  const ErrorNorm* norm_ = nullptr;
  StepReport* record_ = nullptr;
  PetscReal krylov_reduction_ = 1;
  PetscReal tolerance_ = 1, slope_q_ = 0, slope_v_ = 1;
  PetscReal rate_ = 1, rate_at_ = 0, previous_ = 0;  // rate_at_: the d / alpha of its measurement, 0 before any
  // Weighted norm of the increment, per initial residual norm of its solve and per 2-norm.
  PetscReal gain_ = 0, weight_ = 0, krylov_start_ = 0;
  PetscReal alpha_ = 1, alpha_of_gain_ = 1;
  PetscReal first_error_ = 0;
  PetscInt judged_ = -1, needed_ = 0;
  PetscInt solves_ = 0;  // since forget()
  bool mistrusts_tangent_ = false, audited_ = false;
  SNESConvergedReason verdict_ = SNES_CONVERGED_ITERATING;
};

}  // namespace gearshift
