#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/report.hpp>

#include "dynamics/control/mode_meter.hpp"

#include <functional>

namespace gearshift {

/// Chooses between BDF and the A-stable one-step method while step and order adapt.
///
/// Where damping or stiffness rules, a multistep formula takes one solve a step, and nothing is cheaper. Of a lightly
/// damped oscillation it makes one that decays too slowly or grows, at every order above 2, by less than the error test
/// can see: the right answer is another method. So the mode that limits the step is measured now and then (ModeMeter):
///
///  - The one-step method takes the first steps. It gives way where BDF is predicted to take fewer solves per time; for an
///    oscillation, only where it is resolved by a step at which BDF5 does not amplify it, and only where the one-step
///    method would be dearer than its accuracy is worth: the more, the lighter the damping and the longer the run so far.
///  - BDF gives way to an oscillation by the same measure, or where its formula has amplified the mode: where
///    sum (ln rho + zeta w h) over the steps, each decaying with the mode's own e^(-zeta w h), is more than a fifth
///    (of damped modes up to a half); rho is the formula's growth factor.
///
/// A first-order system begins with BDF, and the one-step method takes over where an oscillation asks for it: there the
/// mode is measured in the plane of the errors of two successive steps.
///
/// Predictions come from the scaled derivatives in the error estimates, at the same tolerance and in the same norm; a step
/// costs its solves, never a time by a clock. A method that had to be left again soon is not tried again before twice the
/// iterations of the last time have been done.
class MethodChoice {
 public:
  /// @param levels time derivatives in the problem: 2, or 1 of a first-order system
  MethodChoice(NewtonSolver& problem, ModeMeter::RayleighDamping known, int levels)
      : meter_(problem, known), first_order_(levels == 1) {
    reset();
  }

  /// An accepted step.
  struct Step {
    Method method;
    int order, highest_order;  ///< of the step, and that BDF may have
    PetscReal dt, error;       ///< of the step, in units of the tolerance
    PetscReal size_q,
        size_v;     ///< 2-norms of its errors; of a first-order system the latter that of their rate of change
    PetscInt work;  ///< iterations spent on it, failed attempts included
  };
  /// What is to happen after it.
  struct Finding {
    bool changes = false;
    Method method = Method::bdf;
    int order = 1;     ///< of BDF
    PetscReal dt = 0;  ///< first step of the other method
    ModeMeter::Mode mode;
    PetscReal growth = 1;
  };
  /// The step and order that BDF would take now, from the states of the one-step method; a step of 0: not known.
  struct Proposal {
    PetscReal dt = 0;
    int order = 1;
  };

  Method method() const { return method_; }
  /// Looks at an accepted step. @param errors without those of the step before where there were none to compare with
  /// @param propose_bdf only called where the answer is needed
  Finding consider(const Step& step, const ModeMeter::Errors& errors, const std::function<Proposal()>& propose_bdf);

  /// What the energies say after a step: BDF gives way where it has added more than is tolerated since it took over.
  /// Returns whether it does. @param gain EnergyLedger::gain()
  bool leaves_bdf(PetscReal gain, PetscReal tolerance);

  /// After a step in which the body flows plastically: forces have kinks, at which high orders gain nothing for their price.
  /// BDF takes the next steps, at orders up to 2, until the body has been elastic for a while. Returns true if it takes over
  /// from the one-step method.
  bool flows();
  /// Returns true during that time.
  bool flowed() const { return flowed_; }

  /// BDF takes over from the one-step method, since its steps gain energy.
  void leave_one_step() { change(Method::bdf); }

  PetscInt products() const { return meter_.products(); }
  /// Starts anew, as after a restart of the integration.
  void reset();
  void archive_numbers(Archive& state);

 private:
  using Errors = ModeMeter::Errors;
  Finding consider_one_step(const Step& step, const Errors& errors);
  Finding consider_bdf(const Step& step, const Errors& errors, const std::function<Proposal()>& propose_bdf);
  void change(Method to);
  void measure(const Errors& errors);

  ModeMeter meter_;
  bool first_order_;
  ModeMeter::Mode mode_;
  Method method_ = Method::esdirk;
  bool measured_ = false, flowed_ = false;
  PetscReal growth_sum_ = 0;
  PetscReal gain_ = 0;  // of energy, before BDF took over
  PetscInt since_ = 0, pause_ = 0;
  PetscReal radians_ = 0;                                          // of the apparent oscillation since the (re)start
  PetscReal work_ = 0, ban_until_ = 0, ban_ = 0, changed_at_ = 0;  // in iterations since the (re)start
};

}  // namespace gearshift
