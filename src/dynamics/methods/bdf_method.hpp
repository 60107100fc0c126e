#pragma once

#include <gearshift/bdf/formula.hpp>
#include <gearshift/dynamics/stepper_options.hpp>

#include "dynamics/methods/motion_history.hpp"
#include "dynamics/newton/newton_solver.hpp"

namespace gearshift {

/// Steps by a multistep formula: BDF of any order, NDF2 or BDF-alpha.
class BdfMethod {
 public:
  /// Which formula takes the step.
  struct Choice {
    int max_order = 2;            ///< of the history's states as many are used at most
    Family family = Family::bdf;  ///< ndf2 and bdf_alpha apply where the order is 2
    PetscReal rho_inf = 0;
  };

  BdfMethod(MotionHistory& history, NewtonSolver& solver) : history_(history), solver_(solver) {}

  /// Chooses the formula of the step of size dt to t_new and predicts its unknown.
  void begin(PetscReal t_new, PetscReal dt, const Choice& choice);
  /// Solves the step begun; on success history.next() and the solver's state hold the result.
  /// @param try_harder after a failure once more, from the present value of the unknown: where a shorter step is dear
  bool solve(bool try_harder, StepReport& report);
  /// x^(p) at the new time, after solve().
  Vec slope() const { return slope_; }
  /// The unknown, solved for in its place in the history; after a step that is not accepted it means nothing.
  Vec unknown() const { return history_.next()[history_.levels() - 1]; }

  /// Estimates of the local errors of q and v of the solved step. Where the states are too few for its formula they
  /// are compared with their extrapolation; after a start, where there is one state alone, with that along the
  /// derivative, if it is known (else the estimate is that of a step of order 0).
  void error(Vec error_q, Vec error_v) const;
  /// The same for the BDF of another order on the same data; false where there are too few states.
  bool error_of_order(int order, Vec error_q, Vec error_v) const;
  /// Whether the states suffice for error() to be that of the formula.
  bool estimates_error() const {
    const BdfScheme& scheme = history_.scheme();
    return scheme.size(scheme.dt()) > scheme.formula().order;
  }
  /// How much an error of the unknown weighs in error(). Not less than at constant step: after a sudden growth of the
  /// step the estimate hardly feels it.
  PetscReal error_per_increment() const;

  /// Derivative of the unknown at the present state from a trial step of backward Euler of size dt, which is taken back;
  /// with `change` a second step follows, and (slope(t+dt) - slope(t)) / dt is written there. False where a solve fails.
  bool probe_slope(PetscReal dt, Vec slope, Vec change, StepReport& report);

 private:
  bdf::Formula formula(PetscReal dt, const Choice& choice) const;
  AffineMap map_of_step(PetscReal t_new) const;
  void take_solution(Vec x);
  void predict(int level, Vec out) const;
  bool predicts_along_slope(PetscReal dt) const { return history_.scheme().size(dt) == 1 && history_.slope_known(); }
  PetscReal error_per_difference() const;

  MotionHistory& history_;
  NewtonSolver& solver_;
  Vec slope_ = nullptr;
};

}  // namespace gearshift
