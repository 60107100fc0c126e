#pragma once

#include <gearshift/dynamics/bdf_scheme.hpp>
#include <gearshift/dynamics/state.hpp>

#include "dynamics/equations/guarded_system.hpp"

namespace gearshift {

/// The internal variables z of the last steps (SystemInternalVariables::internal_layout()) and z' at the two newest
/// ones, beside the motion of the same steps (MotionHistory), and integrated by its formulas:
///
///     z' = (z + inertia) / beta_tilde = rate (z - factor base)
///
/// Those that follow a path (SystemInternalVariables::internal_follows_path()) go from step to step instead: base is z
/// at the step's beginning, factor 1. With one step that can be taken back. Of a System without any it is empty, and
/// its functions do nothing.
class InternalHistory {
 public:
  InternalHistory(GuardedSystem& system, int order);

  bool any() const { return scheme_.has_value(); }
  bool follow_path() const { return follow_path_; }
  /// Of the newest state, of the solved step, and in the step begun by a formula.
  InternalState present() const;
  InternalState next() const;
  InternalState by_formula() const;

  /// Forgets everything before the state z at time t; nullptr: zero. Copies.
  void start(PetscReal t, Vec z);
  /// The same with z in equilibrium at x, reached from the present z.
  void start_in_equilibrium(State x);
  void set_order(int order);
  void begin_step(PetscReal dt);
  void begin_step(PetscReal dt, const bdf::Formula& formula);
  /// Finds z and z' of the step begun, whose solved state is x.
  void find(const State& x);
  /// The same where they are known.
  void set(Vec z, Vec slope);
  /// z' of the newest state is that of the step begun.
  void adopt_slope();
  /// The step begun becomes the newest state at time t.
  void push(PetscReal t);
  void pop();
  /// The same without z'.
  void advance(PetscReal t);
  void take_back();

  const BdfScheme& scheme() const { return *scheme_; }
  Vec slope() const { return slope_.get(); }
  Vec slope_before() const { return slope_before_.get(); }
  /// See BdfScheme.
  void divide_last_step(int parts, const std::function<void(PetscReal t, int level, Vec out)>& state);

  void archive(Archive& state);

 private:
  GuardedSystem& system_;
  bool follow_path_ = false;
  std::optional<BdfScheme> scheme_;
  petsc::Handle<Vec> slope_, slope_before_, slope_next_, start_;
};

}  // namespace gearshift
