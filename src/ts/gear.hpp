#pragma once

/// @file
/// The data of the TS type gear in TS::data, and declarations shared by its files.

#include <gearshift/dynamics/stepper_options.hpp>
#include <gearshift/petsc/stop_signals.hpp>

#include "dynamics/checkpoint/checkpoints.hpp"
#include "dynamics/checkpoint/memory_archive.hpp"
#include "dynamics/equations/guarded_system.hpp"
#include "dynamics/run/integrator.hpp"
#include "petsc/call_stack.hpp"
#include "petsc/queries.hpp"
#include "ts/ts_record.hpp"
#include "ts/ts_system.hpp"

#include <gearshift.h>
#include <petsc/private/tsimpl.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gearshift::ts {

using petsc::prefix_of;

/// Identifies a vector and its contents: PETSc increases the state with each write access. {0, -1} means no vector.
struct VecMark {
  PetscObjectId id = 0;
  PetscObjectState state = -1;
  bool operator==(const VecMark&) const = default;
};

struct Gear {
  StepperOptions asked;    ///< settings of the program and its options
  StepperOptions options;  ///< settings of the integrator: `asked`, and values read from the TS by TSSetUp() and steps
  PetscReal dt_at_set_up = 0;
  Tolerances tolerances;
  std::unique_ptr<TsSystem> system;
  std::unique_ptr<GuardedSystem> guarded;
  std::unique_ptr<Integrator> integrator;  // destroyed before its system
  petsc::Handle<Vec> error_q, error_v;
  RigidMotion rigid;
  int levels = 2;
  bool own_control = false;      ///< step and order follow gear's error control instead of TSAdapt's
  bool named_control = false;    ///< TSGearSetOption() has chosen which quantities follow the error
  bool ignores_history = false;  ///< TSADAPTHISTORY is set, but gear's own control chooses the steps
  bool user_lag = false;
  TSStepStatus status = TS_STEP_INCOMPLETE;
  /// The contents of the TS at the end of the last step; a difference is a change made by the program.
  struct Left {
    PetscReal dt = -1;
    VecMark q, v;
  } left;
  /// A fixed step whose solve failed is replaced by shorter steps up to the time at which it should have ended.
  struct Substeps {
    bool active = false;
    PetscReal whole = 0, end = 0;
  } substeps;
  bool recording = false;
  std::vector<TSGearStep> steps;  ///< the steps returned by TSGearGetSteps()
  TsRecord record;                ///< the record read by TSLoad(), until the solver is set up
  Checkpoints checkpoints{options};
  std::optional<StopSignals> signals;
  /// Data kept while TSResize() resets the TS: the history, and possible changes by the program since the last step.
  struct Carried {
    MemoryArchive history;
    PetscReal left_dt = -1;
    PetscBool restart_due = PETSC_FALSE;
  };
  std::optional<Carried> carried;
  bool resizing = false;  ///< the next TSReset() belongs to TSResize()
  int due = 0;            ///< requests that the ranks agreed on at the end of steps and that are not served yet
  int stopped = 0;        ///< stops that the ranks agreed on; they apply to further solves, too
  bool in_solve = false;  ///< gear's monitor was called since the last step
  /// The state that TSSetUp() loaded from a file, until the next step begins.
  struct Resumed {
    bool pending = false;
    Vec vec = nullptr;
    VecMark q;
    PetscReal t = 0;
  } resumed;
};

inline Gear& gear_of(TS ts) { return *static_cast<Gear*>(ts->data); }

/// Runs C++ code inside a C callback; an exception becomes a PETSc error with its text.
template <class Body>
PetscErrorCode boundary(TS ts, Body&& body) noexcept {
  const petsc::CallStack restored;
  std::string text;
  PetscErrorCode code = PETSC_ERR_LIB;
  try {
    body();
    return petsc::success;
  } catch (const PetscFailure& failure) {
    text = failure.what();
    code = failure.code;
  } catch (const std::exception& error) {
    text = error.what();
  } catch (...) {
    text = "unknown exception";
  }
  return PetscError(petsc::comm_of(ts), __LINE__, PETSC_FUNCTION_NAME, __FILE__, code, PETSC_ERROR_INITIAL, "gear: %s",
                    text.c_str());
}

/// Calls functions of the program inside a step. An error on one rank becomes an error on all. Returns true if the
/// functions return true on all ranks. Collective.
template <class Body>
bool all_say(TS ts, Body&& body) {
  petsc::CallbackGuard& guard = gear_of(ts).guarded->guard();
  bool yes = true;
  guard.run([&] { yes = body(); });
  return guard.agree(yes ? 0 : 1) == 0;
}

/// Reads the program's tolerances; they may change between steps.
void read_tolerances(TS ts);

/// The TS operations around a step (gear_step.cpp).
PetscErrorCode step(TS ts);
PetscErrorCode roll_back(TS ts);
/// Copies the state of the integrator to the TS.
void copy_to_ts(TS ts, const State& x);
/// Records the present contents of the TS as those left by gear.
void remember_left(TS ts);
VecMark state_of(Vec x);

/// Returns the time at which the step just accepted by the integrator must end so that PETSc detects an event inside
/// it; infinite if there is no such event. Leaves the dense output in the TS. Collective (ts_events.cpp).
PetscReal hidden_event(TS ts, PetscReal began);

/// Visits the whole state between two steps; after loading, the TS contains it (ts_state.cpp). Collective.
void archive(TS ts, Archive& state);
/// Visits the part of it that belongs to gear: history, order and step.
void archive_method(TS ts, Archive& state);

/// Called by TSResize() (ts_resize.cpp): offers the history to the program for transfer (`leaving`), or takes the
/// transferred history back.
PetscErrorCode resize_vectors(TS ts, PetscBool leaving);
/// Makes the transferred history the state of a TS that was set up again. Collective.
void arrive_resized(TS ts);

/// Forgets the records of steps after the present one.
void forget_steps_ahead(TS ts);

/// Returns the contents of a checkpoint. (The functions for checkpoints are in ts_checkpoint.cpp.)
Checkpoints::Contents contents_of(TS ts);
/// Prepares checkpoints; called at set-up.
void begin_checkpoints(TS ts);
/// Loads the state from the file of -ts_gear_restart, if there is one; called at the end of set-up.
PetscErrorCode resume(TS ts);
/// Called before a step. Returns true if the step belongs to TSSolve().
bool begin_step(TS ts);
/// Called after a step. Returns the requests of this rank, on which the ranks must agree.
int requests_after_step(TS ts);
/// Serves the requests agreed on. @param began the time at which the step began
void end_step(TS ts, int agreed, PetscReal began, bool in_solve);

}  // namespace gearshift::ts
