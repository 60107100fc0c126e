#pragma once

#include <gearshift/dynamics/stepper.hpp>

#include "dynamics/equations/guarded_system.hpp"
#include "dynamics/run/event_finder.hpp"
#include "dynamics/run/integrator.hpp"
#include "dynamics/run/timeline.hpp"

#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace gearshift {

/// The course of one accepted step:
///
///     next stop -> attempt until solved and judged good -> accept -> events (which may take it back and end it sooner)
///     -> outputs, half-step residual, monitors -> SystemHistory::accept -> restart, if the loads or the motion jump here
///
/// A restart waits until the next step begins, so that interpolate() and reactions() still refer to the step just
/// taken.
class StepLoop {
 public:
  StepLoop(GuardedSystem& system, Integrator& integrator, const StepperOptions& options, Timeline& timeline,
           EventFinder& events);

  /// Dense output at requested times.
  struct Output {
    std::vector<PetscReal> times;  ///< ascending
    Stepper::Output write;
    std::size_t next = 0;
    /// Times up to t are past.
    void skip_to(PetscReal t);
    /// The integration starts at t: times before it are past.
    void begin(PetscReal t);
  };
  /// What is done with each accepted step.
  struct Observers {
    std::deque<Output> outputs;                       ///< one may add others while it writes
    std::function<void(const StepReport&)> monitors;  ///< may be empty
    /// Bits that this rank wants all ranks to know of after the step; empty where it never wants any.
    std::function<int()> requests;
  };

  /// The integration starts (anew) at the integrator's state.
  void begin(Observers& observers);
  /// Takes one accepted step towards `limit`. @param run the time left, of which the first step is a part
  StepReport step(PetscReal limit, PetscReal run, Observers& observers);

  /// The bits that any rank wanted after the last step.
  int agreed_requests() const { return agreed_; }
  /// Throws StepFailed where the step adapts and the method has gained ten times the energy that is tolerated,
  /// for some steps on end.
  void end_where_energy_grows() const;

  /// The state from which the next step starts: after a jump of the motion the new one.
  State state() const;
  /// Restarts the history, if that is due.
  void apply_restart();

  void archive(Archive& state);

 private:
  void look_ahead(PetscReal t, PetscReal limit, PetscReal run);
  Timeline::Proposal propose(PetscReal t, const Timeline::Stop& stop, bool first);
  Timeline::Proposal take_step(const Timeline::Stop& stop, PetscReal run, StepReport& report);
  PetscReal shorten(const Timeline::Proposal& failed, bool solved);
  [[noreturn]] void give_up(const StepReport& report, PetscReal dt, int failures) const;
  /// Effect of the events on a step: it stands; it is taken back and shortened; it is taken back, since they happen at
  /// its start, or since one of their functions is invalid in it.
  enum class Verdict { stands, ends_sooner, never_began, invalid };
  Verdict settle_events(PetscReal before, const Timeline::Stop& stop, bool may_take_back, StepReport& report);
  void act(const std::vector<int>& happened, StepReport& report);
  void write_outputs(Observers& observers);
  void settle_accept();
  void witness(StepReport& report);
  bool somebody_may_have_thrown(const Observers& observers) const;
  void need_vectors();

  GuardedSystem& system_;
  petsc::CallbackGuard& guard_;
  Integrator& integrator_;
  const StepperOptions& options_;
  Timeline& timeline_;
  EventFinder& events_;

  /// A restart that waits for the next step: at time t, from new_q_ and new_v_ if the motion jumps.
  struct Restart {
    PetscReal t = 0;
    bool motion_jumps = false;
    bool announced = false;  ///< a discontinuity, where constraints may change
  };
  std::optional<Restart> restart_;
  static constexpr int energy_grows = 1 << 16;  // among the bits agreed on
  int agreed_ = 0;
  int growing_ = 0;          ///< steps in a row after which this rank sees far too much energy
  bool accept_due_ = false;  ///< SystemHistory::accept() has not been called for the last step yet
  petsc::Handle<Vec> new_q_, new_v_, output_q_, output_v_;
};

}  // namespace gearshift
