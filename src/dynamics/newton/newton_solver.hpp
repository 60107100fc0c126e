#pragma once

#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/stepper_options.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/equations/guarded_system.hpp"
#include "dynamics/equations/massless.hpp"
#include "dynamics/linear/quadratic_forms.hpp"
#include "dynamics/linear/tangent_solver.hpp"
#include "dynamics/newton/chosen_tolerances.hpp"
#include "dynamics/newton/error_norm.hpp"
#include "dynamics/newton/newton_convergence.hpp"
#include "dynamics/newton/residual_function.hpp"

#include <array>
#include <string>
#include <string_view>

namespace gearshift {

/// One nonlinear system r(x) = R(t, q(x), v(x), a(x)) = 0 as a SNES, solved by Newton's method: its function is a
/// ResidualFunction, its linear systems belong to a TangentSolver, and NewtonConvergence ends the iteration.
class NewtonSolver {
 public:
  /// @param snes a SNES to use, or nullptr. Its function and Jacobian belong to its owner, who calls residual() and the
  ///   other functions. Its convergence test, line search, linear solver's test and lag are restored when the
  ///   NewtonSolver is destroyed.
  NewtonSolver(GuardedSystem& system, Vec layout, const StepperOptions& options, SNES snes);
  ~NewtonSolver();
  NewtonSolver& operator=(NewtonSolver&&) = delete;

  /// Reads the solver's options. Call once, before the first solve.
  void set_up(std::string_view prefix, bool from_options);
  std::string_view prefix() const { return prefix_; }
  bool reads_options() const { return from_options_; }

  GuardedSystem& system() const { return system_; }
  SNES snes() const { return snes_.get(); }
  /// The map from the unknown to the state, with the constraints.
  MotionMap& motion() { return residual_.motion(); }
  const MotionMap& motion() const { return residual_.motion(); }
  ResidualFunction& residual() { return residual_; }
  TangentSolver& linear() { return linear_; }
  /// Requests a rebuild of the preconditioner at the next linearisation (policies `step`, `simulation` and `auto`).
  void request_rebuild() { linear_.policy().request(); }

  MasslessEntries& massless() { return massless_; }

  /// Solves from the guess in x, adds to `record` and returns true if the solve converged. Rethrows exceptions of
  /// callbacks.
  /// @param reference residual that tolerances are relative to; 0: the first residual
  bool solve(Vec x, StepReport& record, PetscReal reference = 0);
  /// Returns true if the last solve failed because the body, at rest, can move rigidly.
  bool unsupported() const { return unsupported_; }
  /// Like solve(), for a guess() that is equal to x already.
  bool solve_from_guess(Vec x, StepReport& record);
  /// Returns the guess from which the last solve started.
  Vec guess() const { return residual_.start(); }

  /// Ties the next solves to an error norm with this tolerance; nullptr restores PETSc's or the thresholds' test.
  /// Methods other than Newton's with a line search always keep the latter.
  /// @param reduction factor to which every linear solve must reduce its residual; 1: only as the tolerance requires
  void tie_to(const ErrorNorm* norm, PetscReal tolerance, PetscReal reduction = 1);
  /// Allows the next solves to leave an error, if newton_test is `automatic` and no tolerances of the SNES or its KSP
  /// have been set; valid until tie_to() or an empty allowance.
  void allow(const Allowance& allowance);
  /// Returns the first increment of the last solve with an allowance; 0 if it did not move.
  PetscReal first_increment() const { return convergence_.first_increment(); }
  /// Discards all knowledge about the convergence of Newton and Krylov methods.
  void forget_convergence();
  /// Returns the record of the last solve tied to an error norm.
  const WrmsNewton::Solve& newton() { return convergence_.wrms().last(); }

  /// Asks the System again for the constrained entries; returns true if they have changed. Collective.
  bool find_constrained();

  /// Returns (e'R_q e, e'R_v e, e'R_a e), each times its wanted factor, over the free entries, with the last tangent;
  /// if the tangent belongs to the host, by differences of R. A factor of zero costs nothing.
  Shifts quadratic_forms(Vec e, Shifts wanted);
  /// Returns the forms of R_q, R_v and, if wanted, R_a between two vectors, with the same tangent; entries that are not
  /// free must be zero in both vectors.
  PlaneForms plane_forms(std::array<Vec, 2> plane, bool with_a);
  /// Returns the power of the reactions at the unknown x, whose velocity is v [W]. Costs one more residual if the
  /// iteration skipped its last one, but none if no support moves. Collective.
  PetscReal reaction_power(Vec x, Vec v);

  /// Visits everything that affects the digits of later solves. The map must then be set again. Collective.
  void archive(Archive& state);

 private:
  petsc::CallbackGuard& guard() const { return system_.guard(); }
  bool use_difference_jacobian();
  bool solve_once(Vec x, StepReport& record);
  bool solve_again(Vec x, StepReport& record);
  bool solve_with_fallbacks(Vec x, StepReport& record);
  bool solve_by_fallbacks(Vec x, StepReport& record);
  bool solve_with_retry(Vec x, StepReport& record);
  bool judge(Vec x, StepReport& record);
  bool bypassed_test_converged(Vec x);
  std::string describe_failure();
  bool moves_rigidly();

  static PetscErrorCode form_function(SNES snes, Vec x, Vec f, void* ctx);
  static PetscErrorCode form_jacobian(SNES snes, Vec x, Mat J, Mat P, void* ctx);

  GuardedSystem& system_;
  petsc::Handle<SNES> snes_;
  ResidualFunction residual_;
  TangentSolver linear_;
  NewtonConvergence convergence_;
  ChosenTolerances chosen_;
  bool from_options_ = false;
  std::string prefix_;
  MasslessEntries massless_;
  int after_indefinite_ = 0;  // number of further solves that start with the fallbacks instead of CG
  bool indefinite_ = false;   // the last solve met an indefinite tangent
  bool unsupported_ = false;
  struct {
    const ErrorNorm* norm = nullptr;
    PetscReal tolerance = 1;
  } tie_;
  PetscReal reference_ = 0;  // of the present solve; 0: its first residual
};

}  // namespace gearshift
