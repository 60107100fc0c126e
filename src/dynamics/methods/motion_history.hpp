#pragma once

#include <gearshift/dynamics/bdf_scheme.hpp>
#include <gearshift/dynamics/state.hpp>

#include "dynamics/methods/internal_history.hpp"

#include <array>
#include <span>

namespace gearshift {

/// The accepted motion: the states of the last steps and the slope x^(p) at the two newest ones (p = 2: the
/// acceleration, p = 1: the velocity), with the internal variables there, and with one step that can be taken back.
class MotionHistory {
 public:
  MotionHistory(GuardedSystem& system, Vec layout, int levels, int order);

  /// Which internal variables a history starts with.
  enum class Internal { zero, present, in_equilibrium };
  /// Forgets everything before the state {q, v} at time t; the slope there is not known. Copies.
  void start(PetscReal t, std::span<const Vec> state, Internal internal);
  /// Of the history, from the next step on.
  void set_order(int order);
  /// Begins (or begins again) a step from the present state, by the history's own formula or by another.
  void begin_step(PetscReal dt);
  void begin_step(PetscReal dt, const bdf::Formula& formula);
  /// The same with a prediction on the way.
  void begin_step(PetscReal dt, const bdf::Formula& formula, const BdfScheme::Prediction& prediction);
  /// x is the solved state of the step begun by a formula. Copies what is not in next() yet.
  void find_next(const State& x);
  /// The last step is divided (BdfScheme::divide_last_step). Returns the number of parts.
  using StateAt = std::function<void(PetscReal t, int level, Vec out)>;
  int divide_last_step(int parts, const StateAt& state, const StateAt& internal);
  /// The step begun becomes the newest state at time t, with the slope given, which is copied if it is not next_slope().
  void push(PetscReal t, Vec slope);
  /// The same of a trial step, whose slope is not kept, and back from there.
  void go_on_from_probe(PetscReal t);
  void take_back_probe();
  /// Takes the newest state back.
  void pop();

  const BdfScheme& scheme() const { return scheme_; }
  InternalHistory& internal() { return internal_; }
  const InternalHistory& internal() const { return internal_; }
  int levels() const { return levels_; }
  bool empty() const { return scheme_.size() == 0; }
  PetscReal time() const { return scheme_.time(); }

  /// {q, v} (p = 1: {q, nullptr}) of the newest state, of the one before, and of the step being solved.
  std::array<Vec, 2> present() const { return at(1); }
  std::array<Vec, 2> next() const;
  /// The derivatives of present(): {v, a}, or {v, nullptr}.
  std::array<Vec, 2> derivatives() const;
  /// The newest state; a is zero at p = 1.
  State state() const;

  Vec slope() const { return slope_.get(); }
  /// Where the slope of the step being solved may be written.
  Vec next_slope() const { return slope_next_.get(); }
  Vec slope_before() const { return slope_before_.get(); }
  /// Whether slope() belongs to the newest state: not after start() before the first step, unless it was found there.
  bool slope_known() const { return known_; }
  bool slope_before_known() const { return known_before_; }
  void set_slope_known(bool known) { known_ = known; }

  /// As a span of p Vecs.
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
  bool known_ = false, known_before_ = false;
};

}  // namespace gearshift
