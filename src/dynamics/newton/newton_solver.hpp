#pragma once

#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/stepper_options.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/equations/guarded_system.hpp"
#include "dynamics/equations/massless.hpp"
#include "dynamics/linear/tangent_solver.hpp"
#include "dynamics/newton/error_norm.hpp"
#include "dynamics/newton/full_steps.hpp"
#include "dynamics/newton/newton_convergence.hpp"
#include "dynamics/newton/residual_function.hpp"

#include <string_view>

namespace gearshift {

/// One nonlinear system r(x) = R(t, q(x), v(x), a(x)) = 0 as a SNES, solved by Newton's method: its function is a
/// ResidualFunction, its linear systems belong to a TangentSolver, SearchChoice selects the line search, and
/// NewtonConvergence ends the iteration.
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

  GuardedSystem& system() const { return system_; }
  SNES snes() const { return snes_.get(); }
  /// The map from the unknown to the state, with the constraints.
  MotionMap& motion() { return residual_.motion(); }
  ResidualFunction& residual() { return residual_; }
  TangentSolver& linear() { return linear_; }
  SearchChoice& search() { return search_; }
  NewtonConvergence& convergence() { return convergence_; }

  MasslessEntries& massless() { return massless_; }
  /// Finds them at a state. Collective.
  void find_massless(const State& at) { massless_.find(system_, at, motion().fixed().constrained()); }

  /// Solves from the guess in x, adds to `record` and returns true if the solve converged. Rethrows exceptions of
  /// callbacks.
  /// @param reference residual that tolerances are relative to; 0: the first residual
  bool solve(Vec x, StepReport& record, PetscReal reference = 0);
  /// Like solve(), for a guess residual().start() that is equal to x already, and tolerances relative to
  /// record.reference_residual.
  bool solve_from_guess(Vec x, StepReport& record);
  /// Returns true if the last solve failed because the body, at rest, can move rigidly.
  bool unsupported() const { return unsupported_; }
  /// Discards all knowledge from former solves about their convergence and about indefinite tangents.
  void forget_convergence();

  /// Asks the System again for the constrained entries; returns true if they have changed. Collective.
  bool find_constrained();

  /// Visits everything that affects the digits of later solves. The map must then be set again. Collective.
  void archive(Archive& state);

 private:
  bool solve_once(Vec x, StepReport& record);
  bool solve_with_fallbacks(Vec x, StepReport& record);
  bool solve_by_fallbacks(Vec x, StepReport& record);
  bool solve_with_retry(Vec x, StepReport& record);
  bool judge(Vec x, StepReport& record);

  static PetscErrorCode form_function(SNES snes, Vec x, Vec f, void* ctx);
  static PetscErrorCode form_jacobian(SNES snes, Vec x, Mat J, Mat P, void* ctx);

  GuardedSystem& system_;
  petsc::Handle<SNES> snes_;
  ResidualFunction residual_;
  TangentSolver linear_;
  NewtonConvergence convergence_;
  SearchChoice search_;
  MasslessEntries massless_;
  int after_indefinite_ = 0;  // number of further solves that start with the fallbacks instead of CG
  bool indefinite_ = false;   // the last solve met an indefinite tangent
  bool unsupported_ = false;
};

}  // namespace gearshift
