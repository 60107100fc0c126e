#pragma once

#include <gearshift/dynamics/stepper.hpp>

#include "dynamics/checkpoint/checkpoints.hpp"
#include "dynamics/equations/guarded_system.hpp"
#include "dynamics/newton/static_solver.hpp"
#include "dynamics/run/event_finder.hpp"
#include "dynamics/run/integrator.hpp"
#include "dynamics/run/step_loop.hpp"
#include "dynamics/run/timeline.hpp"
#include "petsc/call_stack.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gearshift {

/// The members of a Stepper: settings and observers from the start, the integrator after set_up().
struct Stepper::Impl {
  Impl(System& user, Vec vec, StepperOptions opts, Overrides known);

  MPI_Comm comm() const { return PetscObjectComm(reinterpret_cast<PetscObject>(layout.get())); }
  void read_options();
  /// Creates the integrator, once. The options then present apply from there on.
  void set_up();
  /// Undoes set_up() before the first step, so that options may be read after the initial state was set.
  void tear_down();
  /// Returns the integrator once it is started; throws Error otherwise.
  Integrator& ready() const;
  /// Throws an error if a step cannot be taken yet.
  void check_dt() const;
  StepReport advance(Stepper& face, PetscReal limit, PetscReal end_of_run);
  /// Returns true if the energies of the System are added up.
  bool keeps_ledger() const {
    return ledger_wanted.value_or(options.energy || energy_viewer || options.energy_tolerance > 0);
  }
  void warn_of_energy(const StepReport& report);
  void warn_of_growing_mode(const StepReport& report);
  void warn_of_unseen_load(const StepReport& report);
  bool ends_at(PetscReal t_end) const;

  /// Loads a state by `read`. The function `read` calls `begin` before the first part. If it throws after that, the
  /// stepper has no state and keeps the settings it had before.
  void load_state(const std::function<void(const std::function<void()>& begin)>& read);

  /// Visits the whole state; the second function also visits the state of the program for files.
  void archive(Archive& state);
  void archive_with_files(Archive& state);
  void archive_settings(Archive& state);
  void archive_entry_tolerances(Archive& state);
  /// Returns a number that depends on every bit of x and on the order of its entries, but not on the ranks. Collective.
  std::int64_t checksum(Vec x) const;
  void adopt_settings();
  Checkpoints::Contents contents();
  Checkpoints::Moment moment() const;
  void load(const std::string& path);
  void resume();

  /// Returns the text with the prefix added to the option keys in it.
  std::string keyed(std::string text) const;
  /// Returns the result of the action; the keys in its errors get the prefix.
  template <class Action>
  decltype(auto) with_keys(Action&& action) const {
    const petsc::CallStack restored;
    try {
      return action();
    } catch (const OptionError& error) {
      const std::string text = keyed(error.what());
      if (text == error.what()) throw;
      throw OptionError(text);
    } catch (const StepFailed& failure) {
      throw StepFailed(keyed(failure.what()), failure.t, failure.dt);
    }
  }
  void warn(const std::string& text) const;
  void print_line(PetscViewer viewer, const StepReport& report);
  void print_ledger() const;

  System& user_system;
  Overrides overrides;
  petsc::Handle<Vec> layout;
  StepperOptions options;
  StepperOptions configured;                           ///< the options at set_up()
  std::array<petsc::Handle<Vec>, 2> configured_atol;   ///< for every entry of q and v, if there are any
  std::array<std::int64_t, 2> configured_atol_sums{};  ///< checksums of their values at set_up(); 0 without them
  PetscInt asked_order;  ///< as given, while options.order is the order that set_up() chose for it
  std::string prefix;
  bool use_options = false;
  std::optional<bool> ledger_wanted;                ///< set by Stepper::keep_ledger()
  bool growth_warned = false, load_warned = false;  ///< once per run
  std::string printed_preconditioner;               ///< the last one in the monitor's lines
  petsc::ViewerChoice monitor_viewer, view_viewer, energy_viewer;
  std::vector<Monitor> monitors;
  std::vector<std::function<void(Archive&)>> further_state;
  Checkpoints checkpoints{options};
  bool resumed = false, checkpoints_deferred = false;
  StepLoop::Observers observers;
  Tolerances tolerances;
  Timeline timeline;
  EventFinder events;

  std::unique_ptr<System> damped;
  std::unique_ptr<GuardedSystem> guarded;
  std::unique_ptr<Integrator> integrator;
  std::unique_ptr<StaticSolver> statics;  ///< created on first use; refers to the integrator's solver
  std::unique_ptr<StepLoop> loop;
};

}  // namespace gearshift
