// Checkpoints of the TS type gear, stops between steps, and restarts from a file.
//
// A step of TSSolve() is complete after event handling and the program's post-step function, but a TS type is not
// notified of either. The monitors are called next, so gear adds its own monitor. For a program that calls TSStep()
// itself, requests are served at the end of the step.

#include "ts/gear.hpp"
#include "ts/versions.hpp"

#include <utility>

namespace gearshift::ts {

using petsc::check;

namespace {

std::string key(TS ts, const char* name) { return std::string("-") + prefix_of(ts) + "ts_gear_" + name; }

std::string reason_of_stop(TS ts, int requests) {
  if (!(requests & Checkpoints::stop_by_signal)) return "the limit " + key(ts, "max_wall") + " is reached";
  int signal = StopSignals::received();  // the signal may have reached only one rank
  MPI_Allreduce(MPI_IN_PLACE, &signal, 1, MPI_INT, MPI_MAX, petsc::comm_of(ts));
  return std::string(StopSignals::name(signal)) + " was received";
}

std::string way_on(TS ts) {
  const Gear& gear = gear_of(ts);
  const std::string& file = gear.options.checkpoint;
  if (file.empty()) return "without " + key(ts, "checkpoint") + " the run can only start from the beginning";
  const std::string restart = key(ts, "restart") + " " + file;
  if (gear.checkpoints.failure().empty()) return "continue from here with " + restart;
  if (gear.checkpoints.written())
    return "the last checkpoint could not be written, continue from the one before with " + restart;
  return find_checkpoint(petsc::comm_of(ts), file).empty()
             ? "no checkpoint could be written, the run can only start from the beginning"
             : "no checkpoint could be written, the checkpoint " + file + " is of an earlier run";
}

/// Writes a checkpoint that is due and prints why the solve ends.
void serve(TS ts) {
  Gear& gear = gear_of(ts);
  const int due = std::exchange(gear.due, 0) & Checkpoints::any;
  if (!due) return;
  gear.checkpoints.serve(due, {ts->ptime, ts->steps}, contents_of(ts));
  if (due & Checkpoints::stops && ts->reason == TS_CONVERGED_USER)
    check(PetscPrintf(petsc::comm_of(ts), "stopped at t = %.10g, step %" PetscInt_FMT ": %s; %s\n",
                      static_cast<double>(ts->ptime), ts->steps, reason_of_stop(ts, due).c_str(), way_on(ts).c_str()));
}

/// A state set by the program after TSSetUp() would be lost, or be mistaken for a small correction of the loaded state.
void require_state_resumed(TS ts) {
  const Gear::Resumed then = std::exchange(gear_of(ts).resumed, {});
  if (!then.pending || (then.vec == ts->vec_sol && then.q == state_of(ts->vec_sol) && then.t == ts->ptime)) return;
  throw OptionError("the program has set time or state after TSSetUp() had loaded them by " + key(ts, "restart") +
                    ": set them before TSSetUp(), or leave that call to TSSolve()");
}

/// The monitor that is called after each step and before the next.
PetscErrorCode between_steps(TS ts, PetscInt step, PetscReal, Vec, void*) {
  PetscBool of_ours = PETSC_FALSE;
  const PetscErrorCode code = PetscObjectTypeCompare(reinterpret_cast<PetscObject>(ts), "gear", &of_ours);
  if (code || !of_ours || step < 0) return code;
  return boundary(ts, [&] {
    Gear& gear = gear_of(ts);
    gear.in_solve = true;
    if (gear.carried) check(TSSetUp(ts));  // TSResize() has just reset it
    require_state_resumed(ts);
    if (!ts->steprollback) serve(ts);
    if (ts->reason) gear.signals.reset();  // outside of solves signals have their usual effect
  });
}

}  // namespace

Checkpoints::Contents contents_of(TS ts) {
  Gear& gear = gear_of(ts);
  return {{ts->vec_sol, gear.guarded->natural_numbering()}, [ts](Archive& state) {
            const PetscReal now = gear_of(ts).dt_at_set_up;
            PetscReal then = now;
            state("configured_dt", then);
            archive(ts, state);
            // A time step configured differently since then takes precedence.
            if (state.loading() && then != now) ts->time_step = now;
          }};
}

void begin_checkpoints(TS ts) {
  Gear& gear = gear_of(ts);
  const StepperOptions& options = gear.options;
  if ((!options.checkpoint.empty() || !options.restart.empty()) && (ts->quadraturets || ts->forward_solve))
    throw OptionError(
        "integrals and sensitivities that TS computes during the solve are not part of a checkpoint: leave out " +
        key(ts, "checkpoint") + " and " + key(ts, "restart"));
  gear.checkpoints.name_keys(prefix_of(ts) + std::string("ts_gear_"));
  gear.checkpoints.require_folder(petsc::comm_of(ts));
  gear.checkpoints.begin();
  if (gear.checkpoints.wanted() || !options.restart.empty()) check(TSMonitorSet(ts, between_steps, nullptr, nullptr));
}

bool begin_step(TS ts) {
  Gear& gear = gear_of(ts);
  require_state_resumed(ts);
  if (!gear.options.checkpoint.empty() && !StopSignals::watching()) gear.signals.emplace();
  return std::exchange(gear.in_solve, false);
}

int requests_after_step(TS ts) {
  const Gear& gear = gear_of(ts);
  return gear.checkpoints.wanted() ? gear.stopped | gear.checkpoints.requests(ts->steps + 1) : 0;
}

void end_step(TS ts, int agreed, PetscReal began, bool in_solve) {
  Gear& gear = gear_of(ts);
  gear.due |= agreed;
  gear.stopped |= agreed & Checkpoints::stops;
  const bool at_end = ts->ptime >= ts->max_time || ts->steps + 1 >= ts->max_steps;
  if (agreed & Checkpoints::stops && !at_end && !ts->reason) ts->reason = TS_CONVERGED_USER;
  if (in_solve) return;
  // Set the fields as TSStep() will leave them.
  ts->steprestart = ts->steprollback = PETSC_FALSE;
  std::swap(ts->ptime_prev, began);
  ++ts->steps;
  serve(ts);
  --ts->steps;
  std::swap(ts->ptime_prev, began);
}

PetscErrorCode resume(TS ts) {
  return boundary(ts, [&] {
    Gear& gear = gear_of(ts);
    if (gear.carried) return arrive_resized(ts);
    if (gear.record.held()) {
      gear.record.load(ts->vec_sol, key(ts, ""), [ts](Archive& state) { archive(ts, state); });
      forget_solution_at_start(ts);
      return;
    }
    const std::string file = gear.checkpoints.file_to_resume(petsc::comm_of(ts));
    if (file.empty()) return;
    Checkpoints::load(gear.options.restart, contents_of(ts));
    gear.integrator->adopt_settings();
    Checkpoints::report_resumed(petsc::comm_of(ts), file, {ts->ptime, ts->steps});
    forget_solution_at_start(ts);
    gear.resumed = {true, ts->vec_sol, state_of(ts->vec_sol), ts->ptime};
  });
}

}  // namespace gearshift::ts
