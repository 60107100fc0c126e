#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/report.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/linear/forcing.hpp"
#include "dynamics/newton/residual_function.hpp"

#include <petscsnes.h>

namespace gearshift {

class ErrorNorm;

/// The rate R at which Newton's increments decrease, carried from solve to solve.
///
/// R was measured at increments of another size. Since Newton's error is quadratic in the increment of q, |d| / alpha,
/// the rate that judges a first increment grows with its |d| / alpha; larger steps thus measure their own rate. |d| is
/// a 2-norm, because the weights of the norm change when the tolerances follow the motion. A new measurement reduces R
/// to no less than 0.3 of its previous value. The first measurement is used as it is, but not below 0.1.
///
/// R was also measured in another state: a straight beam converges much faster than a bent one. The R that judges a
/// first increment above 30 T, as stages of one-step methods have, therefore grows by 10 % with each solve since the
/// measurement; when that R d exceeds T, a second increment measures R again. Otherwise a motion that grows from
/// nothing keeps the R of its beginning, and Newton's errors excite modes that the steps do not resolve. A shorter step
/// would then only be limited by faster modes. Below 30 T it grows by 2 %: bodies that stick by friction settle into
/// small increments that converge much more slowly than those before.
///
/// Source: A.C. Hindmarsh et al., SUNDIALS, ACM TOMS 31 (2005), section 2.1, for R. CVODE resets R at every new
/// preconditioner, which is unnecessary with an exact tangent. P. Deuflhard, Newton Methods for Nonlinear Problems,
/// section 2.1, for the quadratic rate.
class ConvergenceRate {
 public:
  /// Adds the increment of an iteration: its weighted norm d and |d| / alpha. Returns R.
  PetscReal add(PetscReal size, PetscReal change_of_q, PetscInt iteration);
  /// Returns the factor by which doubt increases the R of an increment; `large`: above 30 T.
  PetscReal doubt(PetscInt iteration, bool large);
  /// Returns true if R was measured.
  bool known() const { return measured_at_ > 0; }
  /// The weighted norm of the increment added last.
  PetscReal last_size() const { return size_; }
  void forget();
  void archive(Archive& state);

 private:
  PetscReal rate_ = 1, measured_at_ = 0;  // R, and |d| / alpha at its measurement; 0 before the first
  PetscInt unmeasured_ = 0;               // solves since the measurement
  PetscReal size_ = 0, change_of_q_ = 0;  // of the increment added last
};

/// Newton's iteration tied to the error test of the step, for one SNES.
///
/// With d_m the weighted norm of the m-th increment, R its rate of convergence (ConvergenceRate) and T the tolerance,
/// the iteration ends when d_m min(1, R) <= T and fails when d_m > 2 d_{m-1} or after four iterations. The residual
/// after the last increment is not evaluated: an iteration costs one residual and one linear solve.
///
/// Increments cannot reveal a tangent that does not match the residual. So in the first solve, and in every 64th after
/// it, the residual is evaluated after all: if its change along the increment y differs from J y by more than
/// 0.9 |J y|, the solve has not converged.
///
/// Forcing ends the linear solves, by the same norm and tolerance.
class WrmsNewton {
 public:
  /// @param forcing sets the accuracy of the linear solves
  WrmsNewton(ResidualFunction& residual, Forcing& forcing) : residual_(residual), forcing_(forcing) {}
  ~WrmsNewton();
  WrmsNewton& operator=(WrmsNewton&&) = delete;

  /// Installs itself unless the user's options prevent it: -snes_linesearch_type has precedence. Call after the options
  /// of the SNES were read.
  void install(SNES snes, bool from_options);

  /// Ties the next solves to `norm` with tolerance T; nullptr: restores the former line search and the linear solver's
  /// own test.
  void tie_to(const ErrorNorm* norm, PetscReal tolerance);
  bool tied() const { return norm_ != nullptr; }
  /// Begins a tied solve.
  void begin(StepReport& record);
  /// Discards the knowledge from earlier solves.
  void forget();
  /// Visits the knowledge from earlier solves that affects later ones.
  void archive(Archive& state);

  /// The outcome of the last solve.
  struct Solve {
    PetscInt judged = -1;  ///< its last iteration, and the verdict on it
    SNESConvergedReason verdict = SNES_CONVERGED_ITERATING;
    PetscInt needed = 0;             ///< number of increments that were larger than T: the iterations it needed
    PetscReal first_error = 0;       ///< error R d_1 / T expected after the first increment; 0 if R was not known
    bool audited = false;            ///< it evaluated the residual at its end
    bool mistrusts_tangent = false;  ///< it failed because the tangent does not match the residual
  };
  const Solve& last() const { return last_; }
  /// Returns the verdict on the last iteration, for the convergence test of the SNES.
  SNESConvergedReason test(PetscInt iteration);

 private:
  void end();
  static PetscErrorCode search(SNESLineSearch search, void* ctx);
  SNESConvergedReason judge(Vec increment, PetscInt iteration);
  bool predicts_residual(Vec x, Vec f, Vec step, Vec work, Vec product);

  ResidualFunction& residual_;
  Forcing& forcing_;
  SNES snes_ = nullptr;
  petsc::Handle<SNESLineSearch> former_search_, search_;
  const ErrorNorm* norm_ = nullptr;
  PetscReal tolerance_ = 1;
  StepReport* record_ = nullptr;
  ConvergenceRate rate_;
  PetscInt solves_ = 0;  // since forget()
  Solve last_;
};

}  // namespace gearshift
