#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/report.hpp>

#include "dynamics/control/mode_meter.hpp"

#include <functional>

namespace gearshift {

/// Chooses between BDF and the A-stable one-step method while step and order adapt.
///
/// If damping or stiffness dominates, nothing is cheaper than a multistep formula with its one solve per step. But
/// above order 2 such a formula makes a lightly damped oscillation decay too slowly or grow, by less than the error
/// test can detect. The one-step method is then the better one. The mode that limits the step is therefore measured
/// from time to time (ModeMeter):
///
///  - The one-step method takes the first steps. BDF replaces it if BDF is predicted to need fewer solves per unit of
///    time. For an oscillation this also requires that BDF5 does not amplify it at a step that resolves it, and that
///    the one-step method would cost more than its accuracy is worth. The lighter the damping and the longer the run so
///    far, the more its accuracy is worth.
///  - The one-step method replaces BDF for an oscillation by the same measure, or if BDF has amplified the mode: if the
///    sum of ln rho + zeta w h over the steps exceeds one fifth (for damped modes up to one half). rho is the growth
///    factor of the formula, and each term of the sum decays with the mode's own e^(-zeta w h).
///
/// A first-order system begins with BDF, and the one-step method takes over if an oscillation requires it. The mode of
/// a first-order system is measured in the plane of the errors of two successive steps.
///
/// Predictions use the scaled derivatives of the error estimates, at the same tolerance and in the same norm. The cost
/// of a step is its number of solves, never a measured time. If a method had to be replaced soon after it took over,
/// the number of iterations before it is tried again doubles.
class MethodChoice {
 public:
  /// @param levels number of time derivatives in the problem: 2, or 1 in a first-order system
  MethodChoice(ModeMeter& meter, int levels) : meter_(meter), first_order_(levels == 1) { reset(); }

  /// An accepted step.
  struct Step {
    Method method;
    int order, highest_order;  ///< of the step, and the highest one allowed for BDF
    PetscReal dt, error;       ///< size of the step, and its error in units of the tolerance
    PetscReal size_q,
        size_v;     ///< 2-norms of its errors of q and v; in a first-order system size_v is that of their rate
    PetscInt work;  ///< iterations spent on it, including failed attempts
  };
  /// The decision after the step.
  struct Finding {
    bool changes = false;
    Method method = Method::bdf;
    int order = 1;     ///< for BDF
    PetscReal dt = 0;  ///< first step of the other method
    ModeMeter::Mode mode;
    PetscReal growth = 1;
  };
  /// The step and order that BDF would choose now from the states of the one-step method; a step of 0 means unknown.
  struct Proposal {
    PetscReal dt = 0;
    int order = 1;
  };

  Method method() const { return method_; }
  /// Decides after an accepted step. @param errors has no `before` if there is no previous step to compare with
  /// @param propose_bdf only called if its result is needed
  Finding consider(const Step& step, const ModeMeter::Errors& errors, const std::function<Proposal()>& propose_bdf);

  /// Applies the energy criterion after a step: the one-step method replaces BDF if BDF has added more energy than
  /// tolerated since it took over. Returns true in that case. @param gain EnergyLedger::gain()
  bool leaves_bdf(PetscReal gain, PetscReal tolerance);

  /// Called after a step with plastic flow: the forces have kinks, where high orders cost more and gain nothing. BDF
  /// takes the next steps, at orders up to 2, until the body has been elastic for a while. Returns true if BDF takes
  /// over from the one-step method.
  bool flows();
  /// Returns true during that time.
  bool flowed() const { return flowed_; }

  /// Changes from the one-step method to BDF, because the steps of the former gain energy.
  void leave_one_step() { change(Method::bdf); }

  /// Resets the choice, as after a restart of the integration.
  void reset();
  void archive_numbers(Archive& state);

 private:
  using Errors = ModeMeter::Errors;
  Finding consider_one_step(const Step& step, const Errors& errors);
  Finding consider_bdf(const Step& step, const Errors& errors, const std::function<Proposal()>& propose_bdf);
  void change(Method to);
  void measure(const Errors& errors);

  ModeMeter& meter_;
  bool first_order_;
  ModeMeter::Mode mode_;
  Method method_ = Method::esdirk;
  bool measured_ = false, flowed_ = false;
  PetscReal growth_sum_ = 0;
  PetscReal gain_ = 0;  // energy gained before BDF took over
  PetscInt since_ = 0, pause_ = 0;
  PetscReal radians_ = 0;                                          // of the apparent oscillation since the (re)start
  PetscReal work_ = 0, ban_until_ = 0, ban_ = 0, changed_at_ = 0;  // in iterations since the (re)start
};

}  // namespace gearshift
