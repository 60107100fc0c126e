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

/// The sequence of one accepted step:
///
///     next stop -> attempts until one is solved and passes -> accept -> events (which may take it back and shorten it)
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
    /// Skips times up to and including t.
    void skip_to(PetscReal t);
    /// Begins an integration at t: times before t are skipped.
    void begin(PetscReal t);
  };
  /// The functions called for each accepted step.
  struct Observers {
    std::deque<Output> outputs;                       ///< a function may add others while it writes
    std::function<void(const StepReport&)> monitors;  ///< may be empty
    /// Request bits of this rank for all ranks after the step; empty if it never has a request.
    std::function<int()> requests;
  };

  /// Begins (or begins again) at the state of the integrator.
  void begin(Observers& observers);
  /// Takes one accepted step towards `limit`. @param run the time left, a fraction of which is the first step
  StepReport step(PetscReal limit, PetscReal run, Observers& observers);

  /// The request bits of all ranks after the last step.
  int agreed_requests() const { return agreed_; }
  /// Throws StepFailed if the step adapts and the method has gained ten times the tolerated energy in several
  /// consecutive steps.
  void end_where_energy_grows() const;

  /// The state from which the next step starts; after a jump of the motion the new state.
  State state() const;
  /// Restarts the history if a restart is due.
  void apply_restart();

  void archive(Archive& state);

 private:
  void look_ahead(PetscReal t, PetscReal limit, PetscReal run);
  Timeline::Proposal propose(PetscReal t, const Timeline::Stop& stop, bool first);
  Timeline::Proposal take_step(const Timeline::Stop& stop, PetscReal run, StepReport& report);
  PetscReal shorten(const Timeline::Proposal& failed, bool solved);
  /// The attempts of a step that was not accepted.
  struct Attempts {
    PetscReal dt = 0, next = 0;  ///< sizes of the last one, and of the one that would follow
    int failures = 0;
    bool solved = false;  ///< the last one was solved, but did not pass the error test
  };
  /// Returns the reason why a solved step did not pass.
  static std::string failure_of_test(const StepReport& report);
  [[noreturn]] void give_up(const StepReport& report, const Attempts& attempts) const;
  /// The effect of the events on a step: it is kept; it is taken back and shortened; it is taken back, because they
  /// happen at its start, or because one of their functions is invalid in it.
  enum class Verdict { stands, ends_sooner, happens_at_start, invalid };
  Verdict settle_events(PetscReal before, const Timeline::Stop& stop, bool may_take_back, StepReport& report);
  void act(const std::vector<int>& happened, StepReport& report);
  void write_outputs(Observers& observers);
  void settle_accept();
  void check_energy(StepReport& report);
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
    bool announced = false;  ///< at a known discontinuity, where constraints may change
  };
  std::optional<Restart> restart_;
  static constexpr int energy_grows = 1 << 16, energy_unknown = 1 << 17;  // two of the agreed bits
  int agreed_ = 0;
  int growing_ = 0;          ///< consecutive steps after which this rank finds far too much energy
  bool accept_due_ = false;  ///< SystemHistory::accept() has not been called for the last step yet
  petsc::Handle<Vec> new_q_, new_v_, output_q_, output_v_;
};

}  // namespace gearshift
