#pragma once

#include <gearshift/dynamics/bdf_scheme.hpp>
#include <gearshift/dynamics/state.hpp>

#include "dynamics/methods/internal_history.hpp"

#include <array>
#include <span>

namespace gearshift {

/// The accepted motion: the states of the last steps and the slope x^(p) at the two newest ones (p = 2: the
/// acceleration, p = 1: the velocity), with the internal variables there. One step can be taken back.
class MotionHistory {
 public:
  MotionHistory(GuardedSystem& system, Vec layout, int levels, int order);

  /// The internal variables with which a history starts.
  enum class Internal { zero, present, in_equilibrium };
  /// Starts the history with a copy of the state {q, v} at time t; the slope there is unknown.
  void start(PetscReal t, std::span<const Vec> state, Internal internal);
  /// Sets the order of the history from the next step on.
  void set_order(int order);
  /// Begins a step from the present state, or begins it again, with the history's own formula or with another one.
  void begin_step(PetscReal dt);
  void begin_step(PetscReal dt, const bdf::Formula& formula);
  /// Begins a step and computes a prediction in the same pass over the states.
  void begin_step(PetscReal dt, const bdf::Formula& formula, const BdfScheme::Prediction& prediction);
  /// Takes over the solved state x of the step begun with a formula. Copies the parts that are not in next() yet.
  void find_next(const State& x);
  /// Divides the last step (BdfScheme::divide_last_step). Returns the number of parts.
  using StateAt = std::function<void(PetscReal t, int level, Vec out)>;
  int divide_last_step(int parts, const StateAt& state, const StateAt& internal);
  /// Makes the step begun the newest state, at time t, with the given slope. Copies the slope unless it is
  /// next_slope().
  void push(PetscReal t, Vec slope);
  /// Advance over a trial step, whose slope is not stored, and return from it.
  void go_on_from_probe(PetscReal t);
  void take_back_probe();
  /// Removes the newest state.
  void pop();

  const BdfScheme& scheme() const { return scheme_; }
  InternalHistory& internal() { return internal_; }
  const InternalHistory& internal() const { return internal_; }
  int levels() const { return levels_; }
  bool empty() const { return scheme_.size() == 0; }
  PetscReal time() const { return scheme_.time(); }

  /// {q, v} (p = 1: {q, nullptr}) of the newest state, and of the step being solved.
  std::array<Vec, 2> present() const { return at(1); }
  std::array<Vec, 2> next() const;
  /// The derivatives of present(): {v, a}, or {v, nullptr} if p = 1.
  std::array<Vec, 2> derivatives() const;
  /// The newest state; a is zero if p = 1.
  State state() const;

  Vec slope() const { return slope_.get(); }
  /// The Vec for the slope of the step being solved.
  Vec next_slope() const { return slope_next_.get(); }
  Vec slope_before() const { return slope_before_.get(); }
  /// Returns true if slope() belongs to the newest state: not between start() and the first step, unless it was
  /// computed.
  bool slope_known() const { return known_; }
  bool slope_before_known() const { return known_before_; }
  void set_slope_known(bool known) { known_ = known; }
  /// Marks the newest state as an equilibrium of statics, until the next start() or push().
  void set_at_rest() { at_rest_ = true; }

  /// The Vecs as a span of p elements.
  std::span<const Vec> levels_of(const std::array<Vec, 2>& vecs) const {
    return {vecs.data(), static_cast<std::size_t>(levels_)};
  }

  void archive(Archive& state);

 private:
  std::array<Vec, 2> at(int age) const;

  int levels_;
  BdfScheme scheme_;
  InternalHistory internal_;
  petsc::Handle<Vec> slope_, slope_before_, slope_next_, zero_;
  bool known_ = false, known_before_ = false, at_rest_ = false;
};

}  // namespace gearshift
