#pragma once

#include <gearshift/bdf/formula.hpp>
#include <gearshift/dynamics/stepper_options.hpp>

#include "dynamics/methods/motion_history.hpp"
#include "dynamics/newton/newton_solver.hpp"

namespace gearshift {

/// Steps with a multistep formula: BDF of any order, NDF2 or BDF-alpha.
class BdfMethod {
 public:
  /// The formula of a step.
  struct Choice {
    int max_order = 2;            ///< maximum number of states of the history that the formula uses
    Family family = Family::bdf;  ///< ndf2 and bdf_alpha apply if the order is 2
    PetscReal rho_inf = 0;
  };

  BdfMethod(MotionHistory& history, NewtonSolver& solver) : history_(history), solver_(solver) {}

  /// Chooses the formula of the step of size dt to t_new and predicts its unknown.
  void begin(PetscReal t_new, PetscReal dt, const Choice& choice);
  /// Solves the step begun. On success history.next() and the state of the solver hold the result.
  /// @param try_harder retries once after a failure, from the present value of the unknown; for steps that are
  /// expensive to shorten
  bool solve(bool try_harder, StepReport& report);
  /// x^(p) at the new time, after solve().
  Vec slope() const { return slope_; }
  /// The unknown, stored in its place in the history; undefined after a step that is not accepted.
  Vec unknown() const { return history_.next()[history_.levels() - 1]; }

  /// Estimates the local errors of q and v of the solved step. If there are too few states for the formula's estimate,
  /// the solved values are compared with the extrapolation of the states; after a start with only one state, with the
  /// extrapolation along the derivative if it is known (otherwise the estimate is that of a step of order 0).
  void error(Vec error_q, Vec error_v) const;
  /// Estimates the errors that the BDF of another order would have made with the same data; returns false if there are
  /// too few states.
  bool error_of_order(int order, Vec error_q, Vec error_v) const;
  /// Returns true if there are enough states for error() to use the estimate of the formula.
  bool estimates_error() const {
    const BdfScheme& scheme = history_.scheme();
    return scheme.size(scheme.dt()) > scheme.formula().order;
  }
  /// The factor from an error of the unknown to error(). It is not smaller than at constant step, because the estimate
  /// hardly responds to such an error after a sudden increase of the step.
  PetscReal error_per_increment() const;

  /// Computes the derivative of the unknown at the present state by a trial step of backward Euler of size dt and takes
  /// the step back. If `change` is given, a second step follows and (slope(t+dt) - slope(t)) / dt is written there.
  /// Returns false if a solve fails.
  bool probe_slope(PetscReal dt, Vec slope, Vec change, StepReport& report);

 private:
  bdf::Formula formula(PetscReal dt, const Choice& choice) const;
  AffineMap map_of_step(PetscReal t_new) const;
  void take_solution(Vec x);
  void predict(int level, Vec out) const;
  bool predicts_along_slope(PetscReal dt) const { return history_.scheme().size(dt) == 1 && history_.slopes().known(); }
  PetscReal error_per_difference() const;

  MotionHistory& history_;
  NewtonSolver& solver_;
  Vec slope_ = nullptr;
};

}  // namespace gearshift
