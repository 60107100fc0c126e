#pragma once

#include <gearshift/dynamics/bdf_scheme.hpp>
#include <gearshift/dynamics/state.hpp>

#include "dynamics/methods/internal_history.hpp"
#include "dynamics/methods/slopes.hpp"

#include <array>

namespace gearshift {

/// The accepted motion: the states of the last steps and the slope x^(p) at the two newest ones (p = 2: the
/// acceleration, p = 1: the velocity), with the internal variables there. One step can be taken back.
class MotionHistory {
 public:
  MotionHistory(GuardedSystem& system, Vec layout, int levels, int order);

  /// The internal variables with which a history starts.
  enum class Internal { zero, present, in_equilibrium };
  /// Starts the history with a copy of the state {q, v} (p = 1: only q is read) at time t; the slope there is unknown.
  void start(PetscReal t, const std::array<Vec, 2>& state, Internal internal);
  /// Sets the order of the history from the next step on.
  void set_order(int order);
  /// Begins a step from the present state, or begins it again, with the history's own formula or with another one. With
  /// a formula it also computes a prediction, if one is wanted, in the same pass over the states.
  void begin_step(PetscReal dt);
  void begin_step(PetscReal dt, const bdf::Formula& formula, const BdfScheme::Prediction* prediction = nullptr);
  /// Takes over the solved state x of the step begun with a formula. Copies the parts that are not in next() yet.
  void find_next(const State& x);
  /// Divides the last step (BdfScheme::divide_last_step). Returns the number of parts.
  using StateAt = std::function<void(PetscReal t, int level, Vec out)>;
  int divide_last_step(int parts, const StateAt& state, const StateAt& internal);
  /// Makes the step begun the newest state, at time t, with the given slope (Slopes::push()).
  void push(PetscReal t, Vec slope);
  /// Advance over a trial step, whose slope is not stored, and return from it.
  void go_on_from_probe(PetscReal t);
  void take_back_probe();
  /// Removes the newest state.
  void pop();

  const BdfScheme& scheme() const { return scheme_; }
  InternalHistory& internal() { return internal_; }
  const InternalHistory& internal() const { return internal_; }
  Slopes& slopes() { return slopes_; }
  const Slopes& slopes() const { return slopes_; }
  int levels() const { return levels_; }
  bool empty() const { return scheme_.size() == 0; }
  PetscReal time() const { return scheme_.time(); }

  /// {q, v} (p = 1: {q, nullptr}) of the newest state, and of the step being solved.
  std::array<Vec, 2> present() const;
  std::array<Vec, 2> next() const;
  /// The derivatives of present(): {v, a}, or {v, nullptr} if p = 1.
  std::array<Vec, 2> derivatives() const;
  /// The newest state; a is zero if p = 1.
  State state() const;

  /// Marks the newest state as an equilibrium of statics, until the next start() or push().
  void set_at_rest() { at_rest_ = true; }

  void archive(Archive& state);

 private:
  int levels_;
  BdfScheme scheme_;
  InternalHistory internal_;
  Slopes slopes_;
  petsc::Handle<Vec> zero_;
  bool at_rest_ = false;
};

}  // namespace gearshift
