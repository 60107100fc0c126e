#pragma once

#include <gearshift/petsc/handle.hpp>

#include "dynamics/equations/guarded_system.hpp"
#include "dynamics/equations/motion_map.hpp"

#include <petscsnes.h>

#include <array>
#include <optional>

namespace gearshift {

/// The function r(x) = R(t, q(x), v(x), a(x)) of a nonlinear solve. Knows the state and the reactions of its last
/// value, whether that value is usable on this rank, and whether a value consists of rounding errors.
class ResidualFunction {
 public:
  ResidualFunction(GuardedSystem& system, Vec layout);

  MotionMap& motion() { return motion_; }
  const MotionMap& motion() const { return motion_; }
  Shifts shifts() const { return motion_.map().slope; }
  petsc::CallbackGuard& guard() const { return system_.guard(); }

  /// Mark the begin and the end of a nonlinear solve from start(), which may call run() several times.
  void begin();
  void end();
  Vec start() const { return start_.get(); }
  /// Calls SNESSolve(); returns its error code.
  PetscErrorCode run(SNES snes, Vec x);
  bool running() const { return running_ != nullptr; }

  /// Computes f = r(x), and the state that belongs to x. Exceptions of callbacks are kept in the system's guard; f is
  /// then NaN.
  void evaluate(Vec x, Vec f);
  /// Computes r(x) again, for the reactions and the state.
  void evaluate(Vec x) { evaluate(x, values_.get()); }
  /// Returns the vector that run() uses for values of r.
  Vec values() const { return values_.get(); }
  /// Returns |r(x)|; nothing if it is not finite, or if a callback has thrown an InvalidState. Collective.
  std::optional<PetscReal> norm_at(Vec x);
  /// Returns the state that belongs to x; valid until the next call. SNES linearises at the point of its last residual,
  /// possibly a trial point in another Vec: that state is not computed again.
  State state_at(Vec x);
  /// Returns true if an exception since the last value has made this rank's results unusable.
  bool unusable() const;

  /// Returns the power of the reactions at the last value, for the velocity v [W]. Collective.
  PetscReal reaction_power(Vec v) const;
  void clear_reactions();

  /// Returns true if |r(x)| does not exceed the rounding of its terms. Costs two residuals. Collective.
  bool is_rounding(Vec x);
  /// Returns true if x is near start(): far away the terms of R may be so large that every residual is within their
  /// rounding. Collective.
  bool stayed_near(Vec x);
  /// Returns true if r around x is noise along a step y, within a small fraction of the displacement at start() or
  /// since then, or if r(x) is rounding and the displacement since start() a tiny fraction of the positions. Costs up to
  /// 99 residuals. Collective.
  bool is_noise(Vec x, Vec y);

  /// Returns |to - from|. Collective.
  PetscReal distance(Vec from, Vec to);
  /// Returns one of three vectors that every function of this class may overwrite.
  Vec work(std::size_t number);

 private:
  std::array<PetscReal, 2> distance_from_start(Vec x);

  GuardedSystem& system_;
  MotionMap motion_;
  petsc::Handle<Vec> values_, reactions_, start_;
  std::array<petsc::Handle<Vec>, 3> work_;  // created on first use
  SNES running_ = nullptr;                  // during run()
  Vec point_ = nullptr;                     // x of the last value during run(), as long as the state belongs to it
  bool blocked_ = false;                    // an earlier exception of a callback makes this solve fail
  bool invalid_ = false;                    // the last value is unusable
  long kept_ = 0;                           // number of this rank's exceptions up to the last value
};

}  // namespace gearshift
