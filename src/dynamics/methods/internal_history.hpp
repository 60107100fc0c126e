#pragma once

#include <gearshift/dynamics/bdf_scheme.hpp>
#include <gearshift/dynamics/state.hpp>

#include "dynamics/equations/guarded_system.hpp"

namespace gearshift {

/// The internal variables z of the last steps (SystemInternalVariables::internal_layout()) and z' at the two newest
/// steps. They accompany the motion of the same steps (MotionHistory) and are integrated by the same formulas:
///
///     z' = (z + inertia) / beta_tilde = rate (z - factor base)
///
/// Path-dependent variables (SystemInternalVariables::internal_follows_path()) are instead advanced from step to step:
/// base is z at the beginning of the step and factor is 1. One step can be taken back. For a System without internal
/// variables the history is empty and its functions do nothing.
class InternalHistory {
 public:
  InternalHistory(GuardedSystem& system, int order);

  bool any() const { return scheme_.has_value(); }
  bool follow_path() const { return follow_path_; }
  /// The internal variables of the newest state, of the solved step, and in the step begun with a formula.
  InternalState present() const;
  InternalState next() const;
  InternalState by_formula() const;

  /// Starts the history with a copy of the state z at time t; nullptr means zero.
  void start(PetscReal t, Vec z);
  /// Starts the history with z in equilibrium at x, reached from the present z.
  void start_in_equilibrium(State x);
  void set_order(int order);
  void begin_step(PetscReal dt);
  void begin_step(PetscReal dt, const bdf::Formula& formula);
  /// Computes z and z' of the step begun, whose solved state is x.
  void find(const State& x);
  /// Sets z and z' of the step begun if they are known.
  void set(Vec z, Vec slope);
  /// Makes z' of the step begun the derivative of the newest state.
  void adopt_slope();
  /// Makes the step begun the newest state, at time t.
  void push(PetscReal t);
  void pop();
  /// Like push() and pop(), but without z'.
  void advance(PetscReal t);
  void take_back();

  const BdfScheme& scheme() const { return *scheme_; }
  Vec slope() const { return slope_.get(); }
  Vec slope_before() const { return slope_before_.get(); }
  /// See BdfScheme::divide_last_step().
  void divide_last_step(int parts, const std::function<void(PetscReal t, int level, Vec out)>& state);

  void archive(Archive& state);

 private:
  GuardedSystem& system_;
  bool follow_path_ = false;
  std::optional<BdfScheme> scheme_;
  petsc::Handle<Vec> slope_, slope_before_, slope_next_, start_;
};

}  // namespace gearshift
