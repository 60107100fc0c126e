#pragma once

#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/stepper_options.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/equations/guarded_system.hpp"
#include "dynamics/equations/massless.hpp"
#include "dynamics/equations/motion_map.hpp"
#include "dynamics/newton/convergence_test.hpp"
#include "dynamics/newton/error_norm.hpp"
#include "dynamics/newton/forcing.hpp"
#include "dynamics/newton/krylov_choice.hpp"
#include "dynamics/newton/preconditioner_policy.hpp"
#include "dynamics/newton/quadratic_forms.hpp"
#include "dynamics/newton/tangent_operator.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift {

/// One nonlinear system r(x) = R(t, q(x), v(x), a(x)) = 0 (MotionMap) as a SNES function with a shell matrix
/// (TangentOperator), solved by Newton's method.
class NewtonSolver {
 public:
  /// @param snes a SNES to use, or nullptr. Its function and Jacobian belong to its owner, who calls residual() and the
  ///   other functions. Its convergence test, line search, linear solver's test and lag are restored when the
  ///   NewtonSolver is destroyed.
  NewtonSolver(GuardedSystem& system, Vec layout, const StepperOptions& options, SNES snes);
  ~NewtonSolver();
  NewtonSolver(const NewtonSolver&) = delete;
  NewtonSolver& operator=(const NewtonSolver&) = delete;

  /// Reads the solver's options. Call once, before the first solve.
  void set_up(std::string_view prefix, bool from_options);

  /// Sets the map from the unknown to the state for the next solves.
  void set_map(const AffineMap& map) { motion_.set(map); }
  /// Sets the map with given values of the constrained entries, instead of those prescribed at its time.
  void set_map(const AffineMap& map, const ConstrainedValues& values) { motion_.set(map, values); }
  /// any_constrained() returns true if any rank has a constrained entry; prescribed_at() computes g, g' and g'' of
  /// these entries at time t, and set_map() must follow it. Collective.
  bool any_constrained() const { return motion_.any_constrained(); }
  void prescribed_at(PetscReal t, ConstrainedValues& values) { motion_.prescribed_at(t, values); }
  /// Writes all constrained entries of a state.
  void prescribe(PetscReal t, Vec q, Vec v, Vec a) { motion_.prescribe(t, q, v, a); }

  /// Writes the prescribed value of the unknown into the constrained entries of x.
  void constrain(Vec x) const { motion_.constrain(x); }
  /// Sets the map of a static solve and moves q, an equilibrium for the present positions of its supports, to the
  /// positions that the map prescribes. The free entries follow by the tangent at q: this spreads the motion over the
  /// body, while the prescribed values without it would squeeze the elements next to the supports. Returns true if it
  /// did more than constrain(). Collective.
  bool move_supports(const AffineMap& map, Vec q);
  /// Sets the map of a static solve and replaces q, an equilibrium under the former loads, by `guess` with its supports
  /// at the positions that the map prescribes. q stays unchanged if it is the better start: if the guess or R there is
  /// not finite, or if R there is far larger than at q under the new loads. If supports have moved, the guess is
  /// rejected as soon as R there is larger. Returns the reference residual for the solve, or nothing if q is unchanged.
  /// Costs two residuals. Collective.
  std::optional<PetscReal> take_guess(const AffineMap& map, Vec guess, Vec q);
  /// Writes zero into the constrained entries of x.
  void clear_constrained(Vec x) const { motion_.set_fixed_entries(x, 0.0); }

  /// Finds the free entries without mass (massless_entries()). Their velocity may jump, since it follows from
  /// equilibrium: they have no acceleration that a method could use, and are excluded from the error. Collective.
  void find_massless(const State& at);
  void forget_massless() { any_massless_ = false; }
  /// Returns true if any rank has found such entries.
  bool any_massless() const { return any_massless_; }
  /// Writes zero into the massless entries of x; does nothing before find_massless().
  void clear_massless(Vec x) const;

  /// Solves from the guess in x, adds to `record` and returns true if the solve converged. Rethrows exceptions of
  /// callbacks.
  bool solve(Vec x, StepReport& record);
  /// Like solve(), with tolerances relative to `reference` instead of the first residual; record.reference_residual
  /// reports it.
  bool solve_held_to(PetscReal reference, Vec x, StepReport& record);
  /// Like solve(), for a guess() that is equal to x already.
  bool solve_from_guess(Vec x, StepReport& record);
  /// Returns the guess from which the last solve started.
  Vec guess() const { return start_.get(); }
  /// Returns the state of a solution x; x becomes a part of it (MotionMap::solution()).
  State solution(Vec x);

  /// Computes f = r(x) and the state that belongs to x. Exceptions of callbacks are kept in the system's guard; f is
  /// then NaN.
  void residual(Vec x, Vec f);
  /// Returns the state that belongs to x; valid until the next call.
  State state_at(Vec x);
  /// Returns the state at the last call of residual() or state_at().
  State state() const { return motion_.state(); }
  Shifts shifts() const { return motion_.map().slope; }
  /// Ties the next solves to an error norm with this tolerance; nullptr restores PETSc's or the thresholds' test.
  /// Methods other than Newton's with a line search always keep the latter.
  /// @param reduction factor to which every linear solve must reduce its residual; 1: only as the tolerance requires
  void tie_to(const ErrorNorm* norm, PetscReal tolerance, PetscReal reduction = 1);
  /// Allows the next solves to leave an error of this fraction of the first Newton increment, if newton_test is
  /// `automatic` and no tolerances of the SNES or its KSP have been set; valid until tie_to() or a share of 0.
  void tie_to_way(PetscReal share);
  /// Allows an error of this size instead, with the expected distance `way` from the guess (0: unknown).
  void tie_to_size(PetscReal size, PetscReal way);
  /// Returns the first increment of the last solve tied to a share or size; 0 if it did not move.
  PetscReal way() const { return rules_.way(); }
  /// Discards all knowledge about the convergence of Newton and Krylov methods.
  void forget_convergence() {
    rules_.wrms().forget();
    after_indefinite_ = 0;
  }
  /// Returns the record of the last solve tied to an error norm.
  const WrmsNewton& newton() { return rules_.wrms(); }

  /// Asks the System again for the constrained entries; returns true if they have changed. Collective.
  bool find_constrained();

  /// Requests a rebuild of the preconditioner at the next linearisation (policies `step`, `simulation` and `auto`).
  void request_rebuild() { policy_.request(); }
  /// Decides whether the next linearisation rebuilds the preconditioner; returns true if so, and resets its age.
  bool take_rebuild();
  /// Ends the solve before a preconditioner is built if the Jacobian that SNES computes is invalid on some rank.
  /// Returns true if it is valid on all ranks. Collective, one reduction.
  bool agree_on_jacobian(bool good_here);
  /// Returns the number of times the preconditioner was built.
  PetscInt builds() const { return policy_.builds(); }
  /// Returns the name of the preconditioner, if it is a PCSHELL with a name.
  std::string preconditioner() const { return krylov_.preconditioner(); }
  /// Sets the entries that are excluded in addition to the constrained ones, with value zero (massless entries of an
  /// acceleration solve).
  void exclude(std::vector<PetscInt> local) { motion_.exclude(std::move(local)); }

  /// Returns (e'R_q e, e'R_v e, e'R_a e), each times its wanted factor, over the free entries, with the last tangent;
  /// if the tangent belongs to the host, by differences of R. A factor of zero costs nothing.
  Shifts quadratic_forms(Vec e, Shifts wanted);
  /// Returns the forms of R_q, R_v and, if wanted, R_a between two vectors, with the same tangent; entries that are not
  /// free must be zero in both vectors.
  PlaneForms plane_forms(std::array<Vec, 2> plane, bool with_a);
  /// Returns true if the residual at x does not exceed the rounding of its terms. Costs two residuals. Collective.
  bool residual_is_rounding_at(Vec x) { return at_rounding(x); }
  /// Returns the power of the reactions at the unknown x, whose velocity is v [W]. Costs one more residual if the
  /// iteration skipped its last one, but none if no support moves. Collective.
  PetscReal reaction_power(Vec x, Vec v);

  /// Returns true if the residuals of the solve are those of a linear problem. For a solve that began at a guess this
  /// is judged by the last solve without a guess and by the quality of the guess: near a solution every problem is
  /// linear.
  bool behaved_linearly(const StepReport& record);
  /// Returns true if the tangent at the equilibrium x has a direction along which the energy falls, as detected by CG
  /// under a rough load. Costs a linear solve, and a preconditioner if the present one does not belong to a stable
  /// state; rarely two of each. Returns false if the tangent is not symmetric, and nothing if no linear solve finishes.
  /// Collective.
  std::optional<bool> is_unstable(Vec x);
  /// Returns StepReport::jump of the equilibrium x, if the solve before it began at `start` and the tangent there (or
  /// the guess) predicted a displacement of the length `predicted`. If that was too short and no support moves, this
  /// costs a linear solve with the tangent at x. Collective.
  PetscReal jump(Vec start, PetscReal predicted, Vec x);
  /// |to - from|
  PetscReal distance(Vec from, Vec to);

  /// Visits everything that affects the digits of later solves. After a load the preconditioner is that of the archived
  /// point; it is rebuilt there unless the present one was built there, too. The map must then be set again.
  /// Collective.
  void archive(Archive& state);

  const std::vector<PetscInt>& constrained() const { return motion_.constrained(); }
  /// Returns true if any rank has constrained entries.
  bool has_constrained() const { return motion_.any_constrained(); }
  SNES snes() const { return snes_.get(); }
  GuardedSystem& system() const { return system_; }

 private:
  petsc::CallbackGuard& guard() const { return system_.guard(); }
  /// Returns true if an exception since the last residual has made this rank's present results unusable.
  bool unusable() const { return invalid_ || kept_ != guard().kept(); }
  bool keeps_default_tolerances() const;
  bool may_loosen(const Shifts& slope) const;
  bool asks_for_residual_alone() const;
  void allow(const Allowance& allowance);
  bool use_difference_jacobian(std::string_view prefix);
  void linearize(Vec x);
  void build(const State& at);
  void keep();
  void build_at_archived_point();
  void choose_preconditioner(PC pc);
  bool solve_once(Vec x, StepReport& record);
  bool solve_again(Vec x, StepReport& record);
  bool solve_with_fallbacks(Vec x, StepReport& record);
  bool solve_by_fallbacks(Vec x, StepReport& record);
  bool solve_with_retry(Vec x, StepReport& record);
  bool judge(Vec x, StepReport& record);
  bool bypassed_test_converged(Vec x);
  bool at_rounding(Vec x);
  std::pair<PetscReal, PetscReal> journey(Vec x);
  bool stayed_near(Vec x);
  bool noisy(Vec x, Vec y);
  std::string describe_failure();
  bool moves_rigidly();
  /// Returns true if it was built undeformed or at the equilibrium that was last found to be stable. Collective.
  bool preconditioner_is_of_stable_point() const;

  static PetscErrorCode form_function(SNES snes, Vec x, Vec f, void* ctx);
  static PetscErrorCode form_jacobian(SNES snes, Vec x, Mat J, Mat P, void* ctx);

  GuardedSystem& system_;
  bool external_;
  MotionMap motion_;
  petsc::Handle<SNES> snes_;
  std::unique_ptr<TangentOperator> operator_;  // nullptr if the Jacobian belongs to the host
  petsc::Handle<Vec> function_, reactions_, start_;
  ConvergenceTest rules_;
  KrylovChoice krylov_;
  PreconditionerPolicy policy_;
  bool automatic_test_, pc_update_automatic_, from_options_ = false;
  std::string prefix_;
  bool pc_decided_ = false, user_lag_ = false, residual_asked_ = false, increment_asked_ = false;
  PetscInt former_lag_ = 1;
  std::vector<PetscInt> massless_;
  bool any_massless_ = false;   // on any rank
  bool linearized_ = false;     // the tangent has been updated at a point of a solve
  bool guess_follows_ = false;  // the next linearisation continues from that of its guess
  bool solving_ = false;        // a SNESSolve is running
  Vec evaluated_ = nullptr;     // x of the last residual, as long as the state belongs to it
  bool blocked_ = false;        // an earlier exception of a callback makes this solve fail
  bool invalid_ = false;        // the last residual is unusable
  long kept_ = 0;               // number of this rank's exceptions up to the last residual
  bool remember_ = false;       // the next state is the point of the host's preconditioner
  bool replaying_ = false;
  bool checks_jacobian_ = false;
  int after_indefinite_ = 0;  // number of further solves that start with the fallbacks instead of CG
  bool indefinite_ = false;   // the last solve met an indefinite tangent
  const ErrorNorm* norm_ = nullptr;
  PetscReal tolerance_ = 1;
  bool may_tie_ = false;       // to an allowance
  bool may_loosen_ = false;    // linear systems of a static solve
  PetscReal reference_ = 0;    // reference residual of the present solve; 0: its first residual
  bool was_linear_ = false;    // at the last equilibrium without a guess
  bool was_unstable_ = false;  // at any equilibrium so far: small steps near it look linear
  Forcing forcing_;
  Allowance allowance_;
  petsc::Handle<Vec> work_, work_in_, moved_, stable_;  // created on first use
};

}  // namespace gearshift
