#pragma once

#include <gearshift/dynamics/report.hpp>

#include <petscsnes.h>

#include <string>

namespace gearshift {

class ErrorNorm;

/// Newton's iteration tied to the error test of the step, for one SNES.
///
/// With d_m the weighted norm of the m-th increment, R its rate of convergence (carried from step to step) and T the
/// tolerance, the iteration ends when d_m min(1, R) <= T and fails when d_m > 2 d_{m-1} or after four iterations. The
/// residual after the last increment is not evaluated: an iteration costs one residual and one linear solve. The linear
/// solve ends when its residual norm promises an error of T/10.
///
/// Source: A.C. Hindmarsh et al., SUNDIALS, ACM TOMS 31 (2005), section 2.1; CVODE takes T/20 there, which changed no
/// error that was measured, and forgets R at every preconditioner, which an exact tangent has no reason to.
class WrmsNewton {
 public:
  /// Installs itself where the user's options leave room: -snes_linesearch_type, -ksp_rtol and -ksp_atol win.
  /// Call after the options of the SNES were read.
  void install(SNES snes, bool from_options);

  /// The next solves are tied to `norm` with tolerance T; an error x of the unknown makes slope_q x in q and slope_v x
  /// in v; alpha is the coefficient of the formula.
  void begin(const ErrorNorm& norm, PetscReal tolerance, PetscReal slope_q, PetscReal slope_v, PetscReal alpha,
             StepReport& record);
  /// The next solves are PETSc's again.
  void end();
  /// What was learned from solves before counts no more.
  void forget() {
    rate_ = 1;
    gain_ = 0;
  }

  bool active() const { return norm_ != nullptr; }
  /// The verdict on the iteration just done, for the convergence test of the SNES.
  SNESConvergedReason test(SNES snes, PetscInt iteration);

 private:
  static PetscErrorCode search(SNESLineSearch search, void* ctx);
  static PetscErrorCode krylov_test(KSP ksp, PetscInt it, PetscReal norm, KSPConvergedReason* reason, void* ctx);
  SNESConvergedReason judge(Vec increment, PetscInt iteration);

  SNES snes_ = nullptr;
  std::string line_search_;
  bool own_search_ = false, own_krylov_ = false;
  const ErrorNorm* norm_ = nullptr;
  StepReport* record_ = nullptr;
  PetscReal tolerance_ = 1, slope_q_ = 0, slope_v_ = 1;
  PetscReal rate_ = 1, previous_ = 0;
  PetscReal gain_ = 0, krylov_start_ = 0;  // weighted norm of the increment per initial residual norm of its solve
  PetscReal alpha_ = 1, alpha_of_gain_ = 1;
  PetscInt judged_ = -1;
  SNESConvergedReason verdict_ = SNES_CONVERGED_ITERATING;
};

}  // namespace gearshift
