#pragma once

/// @file
/// Variable-step BDF on distributed vectors, for codes that keep their own time loop and their own solver.

#include <gearshift/bdf/formula.hpp>
#include <gearshift/dynamics/archive.hpp>
#include <gearshift/petsc/error.hpp>
#include <gearshift/petsc/handle.hpp>

#include <petscvec.h>

#include <array>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace gearshift {

/// The history and the formulas of BDF of order s for an ODE of order p = `levels`, x^(p) = f(t, x, ..., x^(p-1)).
///
/// With c_j = l_j'(t_s) [1/time] on the times t_0 < ... < t_s (t_s is being solved, steps may differ), each derivative
/// o = 0 .. p-1 satisfies
///
///     x_s^(o) + inertia(o) = beta_tilde x_s^(o+1),   beta_tilde = 1/c_s [time],
///     inertia(o) = sum_{k<s} alpha(k) x_k^(o),       alpha(k) = c_k / c_s
///
/// (Hairer, Norsett, Wanner, Solving ODEs I, III.5; sign conventions of the PBAT library). One step:
///
/// ```cpp
/// scheme.begin_step(dt);
/// // solve for x^(p-1) with x^(o) = beta_tilde x^(o+1) - inertia(o); then
/// scheme.finish_step({x, v});
/// ```
///
/// Invariant: the stored states are consecutive; weights are computed from step sizes, never from large absolute times.
/// Vectors are allocated only by the constructor and when the order is raised. Collective on the layout's communicator.
class GEARSHIFT_EXPORT BdfScheme {
 public:
  static constexpr int max_order = 12;

  /// @param layout layout of every x^(o); not kept. @param levels p >= 1. @param order s in 1..12. Throws OptionError.
  BdfScheme(Vec layout, int levels, int order);

  int levels() const { return levels_; }
  /// Returns the order set by the caller; the order in use is smaller while the history is short.
  int order() const { return order_; }
  /// Sets s in 1..12 for the next begin_step() and later; throws OptionError for other values. The stored history
  /// limits an increase.
  void set_order(int order);

  /// Discards the history and stores {x, x', ..., x^(p-1)} at time t as the only state. Copies.
  void set_initial_conditions(PetscReal t, std::span<const Vec> x);
  void set_initial_conditions(PetscReal t, std::initializer_list<Vec> x) {
    set_initial_conditions(t, std::span<const Vec>(x.begin(), x.size()));
  }

  /// Returns the number of completed states stored.
  int size() const { return size_; }
  /// Returns the number of newest states that can be used in a step of size dt. Two states that are closer in time than
  /// 1e-12 of their age at its end count as one, and older states are not used. dt = 0: for an interpolation.
  int size(PetscReal dt) const;
  /// Returns the time of the newest completed state.
  PetscReal time() const { return time_; }

  /// Begins (or restarts) the step to time() + dt: computes weights and inertias. Throws OptionError for dt <= 0.
  void begin_step(PetscReal dt);
  /// Begins the step with another formula, for the formula.points newest states and the new time (times()).
  /// `derivatives` are x^(level+1) at the newest state, one for each level, for formulas that use them (d != 0).
  void begin_step(PetscReal dt, const bdf::Formula& formula, std::span<const Vec> derivatives);
  /// A prediction like predict()'s, for the step begun. It is written to both vectors of `out`; the second may be
  /// nullptr.
  struct Prediction {
    int level = 0;
    int points = 1;
    std::array<Vec, 2> out{};
  };
  /// Begins the step with the given formula and computes a prediction in the same pass over the states.
  void begin_step(PetscReal dt, const bdf::Formula& formula, std::span<const Vec> derivatives,
                  const Prediction& prediction);
  /// Writes the times of the `count` newest states, oldest first, and of the end of a step of size dt to be begun. All
  /// are relative to that end.
  void times(int count, PetscReal dt, std::span<double> out) const;
  /// Returns the formula of the step begun.
  const bdf::Formula& formula() const { return formula_; }
  /// Returns s of the step begun: min(order(), size()), or the number of past states of the given formula.
  int step_order() const { return step_order_; }
  /// Returns dt of the step begun.
  PetscReal dt() const { return dt_; }

  /// Returns c_k/c_s, k = 0 (oldest) .. step_order()-1. Throws std::out_of_range.
  PetscReal alpha(int k) const;
  /// Returns 1/c_s [time].
  PetscReal beta_tilde() const { return beta_tilde_; }
  /// Returns sum_k alpha(k) x_k^(level), minus the extrapolation.
  Vec inertia(int level) const;

  /// Returns x^(level) of the k-th completed state of the step's formula, k = 0 oldest .. step_order()-1 newest.
  /// Between steps k counts the min(order(), size()) newest states. Throws std::out_of_range.
  Vec state(int k, int level) const;
  /// Returns the slot for x^(level) of the step being solved. finish_step() fills it; alternatively, fill it and call
  /// advance_time().
  Vec current(int level) const;

  /// Computes out = the extrapolation of x^(level) to the step being solved, by the polynomial through up to s+1
  /// states, or through up to `points` states.
  void predict(int level, Vec out) const;
  void predict(int level, int points, Vec out) const;

  /// Computes error = the estimate of the local error of x^(level) in current(): the residual of the formula of order
  /// s+1 on the same data, (sum_j c_j x_j - sum_j c'_j x_j) / c_s, with c' the weights on one more state. Returns false
  /// if the history does not have that state.
  bool local_error(int level, Vec error) const;
  /// Estimates the error of the BDF of another order on the same data.
  bool local_error(int level, int order, Vec error) const;

  /// Copies {x, x', ...} of the solved step into current() and completes the step.
  void finish_step(std::span<const Vec> x);
  void finish_step(std::initializer_list<Vec> x) { finish_step(std::span<const Vec>(x.begin(), x.size())); }
  /// Completes the step with the present contents of current().
  void advance_time();
  /// Completes the step like advance_time(), but at the given time instead of time() + dt (equal to it except for
  /// rounding).
  void advance_time_to(PetscReal t);
  /// Takes back the newest completed state. Can be called once after each completed step.
  void rollback();
  /// Divides the last step into `parts` equal steps. The states between its ends are computed by `state(t, level,
  /// out)`, which may read the two newest states. If there is not enough room, the oldest states are discarded. Returns
  /// the number of parts made, which is smaller than `parts` if the history has no room for all.
  int divide_last_step(int parts, const std::function<void(PetscReal t, int level, Vec out)>& state);

  /// Computes out = value at time t of the interpolation polynomial of x^(level) through the newest order()+1 states.
  void interpolate(int level, PetscReal t, Vec out) const;

  void interpolate(int level, int points, PetscReal t, Vec out) const;
  /// Computes out = the time derivative at t of the interpolation polynomial of x^(level) through the newest `points`
  /// states.
  void interpolate_derivative(int level, int points, PetscReal t, Vec out) const;
  /// Computes out = value at t of the cubic polynomial through the two newest states with the given derivatives at
  /// these states.
  void interpolate_two_sided(int level, PetscReal t, Vec derivative_before, Vec derivative_now, Vec out) const;

  /// Returns x^(level) of the newest completed state (age 1), the one before (2) ... size(). Throws std::out_of_range.
  Vec past(int age, int level) const;
  /// Returns the size of the last completed step [time].
  PetscReal last_step() const { return steps_[newest_]; }

  /// Writes the history to a checkpoint, an HDF5 file whose parts have names that begin with `name`. A previous file is
  /// kept as `<file>.previous`: a file holds one history, whatever its name. Throws IoError. Collective.
  void save(const std::string& file, const std::string& name = "bdf_scheme") const;
  /// Reads a file that save() wrote with this name; levels and global size must agree. The layout of ranks may differ
  /// only if the numbering does not depend on it: the layout has a DM with a natural numbering (DMDA), or
  /// `rank_independent_numbering` is true. Otherwise, and for files of earlier versions, throws IoError. Collective.
  void load(const std::string& file, const std::string& name = "bdf_scheme", bool rank_independent_numbering = false);
  /// Visits the stored states, their times and the order. Collective.
  void archive(Archive& state);

 private:
  static constexpr int max_points = max_order + 2;  // states that a polynomial passes through
  Vec slot(int age, int level) const;               // age 0: being solved, 1: newest completed ...
  void reserve(int order);
  /// Writes the times of the `count` newest states, oldest first, relative to a time `since_newest` after the newest.
  void past_times(int count, PetscReal since_newest, double* times) const;
  void prediction_weights(std::span<double> w) const;
  using Weights = void (*)(std::span<const double>, double, std::span<double>);
  void sum_of_past(int level, int points, PetscReal t, Weights weights, Vec out) const;
  bool scaled_difference(int level, int points, double factor, Vec out) const;

  petsc::Handle<Vec> layout_;
  int levels_, order_;
  int size_ = 0, newest_ = 0, step_order_ = 0;
  int kept_ = 0;  // maximum number of states kept: two more than the highest order so far
  PetscReal time_ = 0, dt_ = 0, beta_tilde_ = 0;
  std::vector<std::vector<petsc::Handle<Vec>>> ring_;  // [slot][level]
  std::vector<PetscReal> steps_;                       // steps_[slot]: step that led to the state in the slot
  std::vector<PetscReal> times_;                       // times_[slot]
  std::vector<petsc::Handle<Vec>> inertia_;
  bdf::Formula formula_;  // formula of the step begun
};

}  // namespace gearshift
