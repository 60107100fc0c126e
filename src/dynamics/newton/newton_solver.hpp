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
  /// @param snes a SNES to use (its function and Jacobian are the owner's, who calls residual() and so on), or nullptr.
  ///   It gets its convergence test, line search, linear solver's test and lag back when the NewtonSolver ends.
  NewtonSolver(GuardedSystem& system, Vec layout, const StepperOptions& options, SNES snes);
  ~NewtonSolver();
  NewtonSolver(const NewtonSolver&) = delete;
  NewtonSolver& operator=(const NewtonSolver&) = delete;

  /// Reads the solver's options. Call once, before the first solve.
  void set_up(std::string_view prefix, bool from_options);

  /// Sets what the next solves are about.
  void set_map(const AffineMap& map) { motion_.set(map); }
  /// The same with values of the constrained entries other than the prescribed ones of its time.
  void set_map(const AffineMap& map, const ConstrainedValues& values) { motion_.set(map, values); }
  /// Whether any rank has a constrained entry, and g, g' and g'' there at time t; set_map() follows. Collective.
  bool any_constrained() const { return motion_.any_constrained(); }
  void prescribed_at(PetscReal t, ConstrainedValues& values) { motion_.prescribed_at(t, values); }
  /// Writes all constrained entries of a state.
  void prescribe(PetscReal t, Vec q, Vec v, Vec a) { motion_.prescribe(t, q, v, a); }

  /// Writes the prescribed value of the unknown into the constrained entries of x.
  void constrain(Vec x) const { motion_.constrain(x); }
  /// Sets the map of a static solve and moves q, in balance where its supports are now, to where it prescribes them: the
  /// free entries go along as the tangent at q says, which spreads the motion over the body, where the prescribed values
  /// alone would squeeze the cells beside the supports. Returns whether it did more than constrain(). Collective.
  bool move_supports(const AffineMap& map, Vec q);
  /// Sets the map of a static solve and puts `guess`, with its supports where the map prescribes them, in the place of q,
  /// in balance before the loads changed, unless q is the better start: where the guess is not finite, R is no number
  /// there, or is far larger than at q under the new loads. Returns the residual that the solve is to be held to, or
  /// nothing where q has stayed as it was. Two residuals. Collective.
  std::optional<PetscReal> take_guess(const AffineMap& map, Vec guess, Vec q);
  /// Writes zero there.
  void clear_constrained(Vec x) const { motion_.set_fixed_entries(x, 0.0); }

  /// Finds the free entries without mass (massless_entries()). Their velocity may jump, since balance determines it: it has
  /// no acceleration that a method could use, and does not belong into the error. Collective.
  void find_massless(const State& at);
  void forget_massless() { any_massless_ = false; }
  /// Returns true if some rank has found any.
  bool any_massless() const { return any_massless_; }
  /// Writes zero there; nothing before find_massless().
  void clear_massless(Vec x) const;

  /// Solves from the guess in x; returns whether it converged and adds to `record`. Throws what callbacks threw.
  bool solve(Vec x, StepReport& record);
  /// The same with tolerances relative to a residual that is not the first one; record.reference_residual tells it.
  bool solve_held_to(PetscReal reference, Vec x, StepReport& record);
  /// The same where guess() is equal to x already.
  bool solve_from_guess(Vec x, StepReport& record);
  /// The guess that the last solve started from.
  Vec guess() const { return start_.get(); }
  /// The state of what a solve has found; x becomes a part of it (MotionMap::solution()).
  State solution(Vec x);

  /// f = r(x), and the state that belongs to x. What a callback throws is kept in the system's guard; f is then
  /// not-a-number.
  void residual(Vec x, Vec f);
  /// The state that belongs to x; valid until the next call.
  State state_at(Vec x);
  /// The state at the last call of residual() or state_at().
  State state() const { return motion_.state(); }
  Shifts shifts() const { return motion_.map().slope; }
  /// Ties the next solves to an error norm with this tolerance; nullptr: PETSc's or the thresholds' test again. Methods
  /// other than Newton's with a line search keep the latter.
  /// @param reduction of the residual that every linear solve reaches at least; 1: as the tolerance allows
  void tie_to(const ErrorNorm* norm, PetscReal tolerance, PetscReal reduction = 1);
  /// The next solves may leave an error of this share of the way from their guess, where newton_test is `automatic` and
  /// nobody has set tolerances of the SNES or its KSP; until tie_to() or a share of 0.
  void tie_to_way(PetscReal share);
  /// The same for an error of this size, where the way from the guess is expected to be so long (0: not known).
  void tie_to_size(PetscReal size, PetscReal way);
  /// The way that the last solve tied to either went; 0 where it did not move.
  PetscReal way() const { return rules_.way(); }
  /// Discards what was learned about the convergence of Newton and Krylov.
  void forget_convergence() {
    rules_.wrms().forget();
    after_indefinite_ = 0;
  }
  /// How the last solve tied to an error norm went.
  const WrmsNewton& newton() { return rules_.wrms(); }

  /// Asks the System anew which entries are constrained; returns whether they are others. Collective.
  bool find_constrained();

  /// Asks for a rebuilt preconditioner at the next linearisation (policies `step`, `simulation` and `auto`).
  void request_rebuild() { policy_.request(); }
  /// Whether the next linearisation rebuilds the preconditioner; decides, and starts the age anew.
  bool take_rebuild();
  /// Ends the solve before a preconditioner is built if the Jacobian that SNES computes is not good on some rank. Returns
  /// true if it is good on all of them. Collective, one reduction.
  bool agree_on_jacobian(bool good_here);
  /// Number of times the preconditioner was built.
  PetscInt builds() const { return policy_.builds(); }
  /// Entries excluded besides the constrained ones, with value zero (massless entries of an acceleration solve).
  void exclude(std::vector<PetscInt> local) { motion_.exclude(std::move(local)); }

  /// (e'R_q e, e'R_v e, e'R_a e), each times its wanted factor, over the free entries, by the last tangent; by
  /// differences of R where that is the host's. A factor of zero costs nothing.
  Shifts quadratic_forms(Vec e, Shifts wanted);
  /// R_q, R_v and, where wanted, R_a between two vectors, by the same tangent; entries that are not free must be zero in
  /// both.
  PlaneForms plane_forms(std::array<Vec, 2> plane, bool with_a);
  /// Whether the residual at x is no more than the rounding of its terms; two residuals. Collective.
  bool residual_is_rounding_at(Vec x) { return at_rounding(x); }
  /// The power of the reactions at the unknown x, whose velocity is v [W]; a residual more where an iteration has spared
  /// its last one, but not where no support moves. Collective.
  PetscReal reaction_power(Vec x, Vec v);

  /// Whether the solve was one of a linear problem, by its residuals; by those of the last solve without a guess, and how
  /// good the guess was, where it began at one: near a solution every problem is linear.
  bool behaved_linearly(const StepReport& record);
  /// Whether the tangent at the equilibrium x has a direction along which the energy falls, as CG sees it under a rough
  /// load: a linear solve, and a preconditioner where the present one is not that of a stable state; seldom two of each.
  /// False where the tangent is not symmetric, nothing where no solve comes to an end. Collective.
  std::optional<bool> is_unstable(Vec x);
  /// StepReport::jump of the equilibrium x, if the solve before it began at `start` and the tangent there (or the guess)
  /// predicted a way of this length. If that was too short and no support moves, this takes a linear solve with the tangent
  /// at x. Collective.
  PetscReal jump(Vec start, PetscReal predicted, Vec x);
  /// |to - from|
  PetscReal distance(Vec from, Vec to);

  /// Visits all that steers the digits of later solves. After a load the preconditioner is the one of the archived
  /// point: built there anew, unless the present one was. The map is then to be set again. Collective.
  void archive(Archive& state);

  const std::vector<PetscInt>& constrained() const { return motion_.constrained(); }
  /// Whether any rank has constrained entries.
  bool has_constrained() const { return motion_.any_constrained(); }
  SNES snes() const { return snes_.get(); }
  GuardedSystem& system() const { return system_; }

 private:
  petsc::CallbackGuard& guard() const { return system_.guard(); }
  /// Whether what this rank has now is spoilt by an exception since the last residual.
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
  /// Whether it was built undeformed or at the equilibrium that was last found to be stable. Collective.
  bool preconditioner_is_of_stable_point() const;

  static PetscErrorCode form_function(SNES snes, Vec x, Vec f, void* ctx);
  static PetscErrorCode form_jacobian(SNES snes, Vec x, Mat J, Mat P, void* ctx);

  GuardedSystem& system_;
  bool external_;
  MotionMap motion_;
  petsc::Handle<SNES> snes_;
  std::unique_ptr<TangentOperator> operator_;  // none where the Jacobian is the host's
  petsc::Handle<Vec> function_, reactions_, start_;
  ConvergenceTest rules_;
  KrylovChoice krylov_;
  PreconditionerPolicy policy_;
  bool automatic_test_, pc_update_automatic_, from_options_ = false;
  std::string prefix_;
  bool pc_decided_ = false, user_lag_ = false, residual_asked_ = false, increment_asked_ = false;
  PetscInt former_lag_ = 1;
  std::vector<PetscInt> massless_;
  bool any_massless_ = false;   // on some rank
  bool linearized_ = false;     // the tangent has been at a point of a solve
  bool guess_follows_ = false;  // the next linearisation goes on from the one that its guess was found by
  bool solving_ = false;        // a SNESSolve is under way
  Vec evaluated_ = nullptr;     // where the residual was evaluated last, if the state is still that one
  bool blocked_ = false;        // what a callback threw on the way to this solve makes it fail
  bool invalid_ = false;        // the last residual is not one
  long kept_ = 0;               // exceptions of this rank up to the last residual
  bool remember_ = false;       // the next state is that of the host's preconditioner
  bool replaying_ = false;
  bool checks_jacobian_ = false;
  int after_indefinite_ = 0;  // so many more solves go where CG is not asked first
  bool indefinite_ = false;   // the last solve met an indefinite tangent
  const ErrorNorm* norm_ = nullptr;
  PetscReal tolerance_ = 1;
  bool may_tie_ = false;       // to an allowance
  bool may_loosen_ = false;    // linear systems on the way to an equilibrium
  PetscReal reference_ = 0;    // that the present solve is held to; 0: its first residual
  bool was_linear_ = false;    // the last equilibrium that was not guessed
  bool was_unstable_ = false;  // any equilibrium so far: small steps near it look linear
  Forcing forcing_;
  Allowance allowance_;
  petsc::Handle<Vec> work_, work_in_, moved_, stable_;  // made when first needed
};

}  // namespace gearshift
