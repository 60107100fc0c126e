#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/report.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/linear/forcing.hpp"

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
/// Increments cannot reveal a tangent that does not match the residual. So in the first solve, and in every 64th after
/// it, the residual is evaluated after all: if its change along the increment y differs from J y by more than
/// 0.9 |J y|, the solve has not converged.
///
/// R was measured at increments of another size. Since Newton's error is quadratic in the increment of q, |d| / alpha,
/// the rate that judges a first increment grows with its |d| / alpha; larger steps thus measure their own rate. |d| is
/// a 2-norm, because the weights of the norm change when the tolerances follow the motion. A new measurement reduces R
/// to no less than 0.3 of its previous value. The first measurement is used as it is, but not below 0.1.
///
/// R was also measured in another state: a straight beam converges much faster than a bent one. The R that judges a
/// first increment above 30 T, as stages of one-step methods have, therefore grows by 10 % with each solve since the
/// measurement; when that R d exceeds T, a second increment measures R again. Otherwise a motion that grows from nothing
/// keeps the R of its beginning, and Newton's errors excite modes that the steps do not resolve. A shorter step would
/// then only be limited by faster modes.
///
/// Forcing ends the linear solves, by the same norm and tolerance.
///
/// Source: A.C. Hindmarsh et al., SUNDIALS, ACM TOMS 31 (2005), section 2.1, for R. CVODE resets R at every new
/// preconditioner, which is unnecessary with an exact tangent. P. Deuflhard, Newton Methods for Nonlinear Problems,
/// section 2.1, for the quadratic rate.
class WrmsNewton {
 public:
  /// @param forcing sets the accuracy of the linear solves
  explicit WrmsNewton(Forcing& forcing) : forcing_(forcing) {}
  ~WrmsNewton();
  WrmsNewton(const WrmsNewton&) = delete;
  WrmsNewton& operator=(const WrmsNewton&) = delete;

  /// Installs itself unless the user's options prevent it: -snes_linesearch_type has precedence. Call after the options
  /// of the SNES were read.
  /// @param at_rounding returns true if the residual at x does not exceed the rounding of its terms; called in doubt
  ///   only
  /// @param unusable returns true if a callback threw on this rank since the last residual; no iteration converges then
  void install(SNES snes, bool from_options, std::function<bool(Vec)> at_rounding, std::function<bool()> unusable);

  /// Ties the next solves to `norm` with tolerance T. An error x of the unknown is slope_q x in q and slope_v x in v;
  /// alpha is the coefficient of the formula.
  void begin(const ErrorNorm& norm, PetscReal tolerance, PetscReal slope_q, PetscReal slope_v, PetscReal alpha,
             StepReport& record);
  /// Restores the former line search and the linear solver's own test for the next solves.
  void end();
  /// Discards the knowledge from earlier solves.
  void forget() {
    rate_ = 1;
    rate_at_ = 0;
    unmeasured_ = 0;
    solves_ = 0;
    forcing_.forget();
  }
  /// Visits the knowledge from earlier solves that affects later ones.
  void archive(Archive& state);

  bool active() const { return norm_ != nullptr; }
  /// Returns the number of increments of the last solve that were larger than T: the iterations it needed.
  PetscInt needed() const { return needed_; }
  /// Returns the error R d_1 / T expected after the first increment of the last solve; 0 if R was not known.
  PetscReal first_error() const { return first_error_; }
  /// Returns the verdict on the last iteration, for the convergence test of the SNES.
  SNESConvergedReason test(SNES snes, PetscInt iteration);
  /// Returns true if the last solve evaluated the residual at its end.
  bool audited() const { return audited_; }
  /// Returns true if the last solve failed because the tangent does not match the residual.
  bool mistrusts_tangent() const { return mistrusts_tangent_; }

 private:
  static PetscErrorCode search(SNESLineSearch search, void* ctx);
  bool no_more_digits(PetscReal increment) const;
  SNESConvergedReason judge(Vec increment, PetscInt iteration);
  bool predicts_residual(SNES snes, Vec x, Vec f, Vec step, Vec work, Vec product);
  PetscReal measure_rate(PetscReal size, PetscReal plain, PetscInt iteration);

  Forcing& forcing_;
  SNES snes_ = nullptr;
  std::function<bool(Vec)> at_rounding_;
  std::function<bool()> unusable_;
  bool own_search_ = false;
  petsc::Handle<SNESLineSearch> former_search_, search_;
  const ErrorNorm* norm_ = nullptr;
  StepReport* record_ = nullptr;
  PetscReal tolerance_ = 1, slope_q_ = 0, slope_v_ = 1;
  PetscReal rate_ = 1, rate_at_ = 0;             // rate_at_: |d| / alpha at the measurement of R, 0 before the first
  PetscInt unmeasured_ = 0;                      // solves since the measurement
  PetscReal previous_ = 0, previous_plain_ = 0;  // norms of the previous increment
  PetscReal alpha_ = 1;
  PetscReal first_error_ = 0;
  PetscInt judged_ = -1, needed_ = 0;
  PetscInt solves_ = 0;  // since forget()
  bool mistrusts_tangent_ = false, audited_ = false;
  SNESConvergedReason verdict_ = SNES_CONVERGED_ITERATING;
};

}  // namespace gearshift
