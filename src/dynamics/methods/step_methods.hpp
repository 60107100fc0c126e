#pragma once

#include <gearshift/dynamics/report.hpp>

#include "dynamics/methods/bdf_method.hpp"
#include "dynamics/methods/sdirk_method.hpp"

#include <memory>

namespace gearshift {

/// The methods of an integration, and the one that solves the present step. A one-step method is created when it is
/// first needed, because it stores a Vec for each stage.
class StepMethods {
 public:
  StepMethods(MotionHistory& history, NewtonSolver& solver)
      : history_(history), solver_(solver), bdf_(history, solver) {}

  MotionHistory& history() const { return history_; }
  NewtonSolver& solver() const { return solver_; }
  BdfMethod& bdf() { return bdf_; }
  /// Returns the method of a kind other than bdf; creates it if necessary.
  SdirkMethod& of(Method kind);

  /// Begins a trial step to t by a method of this kind.
  void begin(Method kind, PetscReal t);
  /// The kind of the method of the trial step, and the method unless it is bdf; nullptr otherwise.
  Method kind() const { return kind_; }
  const SdirkMethod* one_step() const {
    return kind_ == Method::bdf ? nullptr : kind_ == Method::esdirk ? esdirk_.get() : sdirk_.get();
  }
  /// The state at the end of the trial step.
  State state() const;
  /// x^(p) there, and the unknown for which its residual vanishes.
  Vec slope() const { return one_step() ? one_step()->slope() : bdf_.slope(); }
  Vec unknown() const { return one_step() ? one_step()->unknown() : bdf_.unknown(); }
  /// Estimates the local errors of q and v of the trial step.
  void error(Vec error_q, Vec error_v) const;
  /// Returns the power of dt to which they are proportional.
  int error_order() const;

  /// Forgets the data learned from earlier steps of the one-step methods.
  void forget() { taught_by_sdirk_ = taught_by_esdirk_ = {}; }
  /// Visits these data.
  void archive_numbers(Archive& state);
  void archive_kind(Archive& state) { state("trial_method", kind_); }

 private:
  MotionHistory& history_;
  NewtonSolver& solver_;
  BdfMethod bdf_;
  SdirkMethod::Taught taught_by_sdirk_, taught_by_esdirk_;
  std::unique_ptr<SdirkMethod> sdirk_, esdirk_;
  Method kind_ = Method::bdf;
  PetscReal t_ = 0;
};

}  // namespace gearshift
