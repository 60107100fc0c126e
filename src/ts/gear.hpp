#pragma once

/// @file
/// What the TS type gear keeps in TS::data, and what its files share.

#include <gearshift/dynamics/stepper_options.hpp>
#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/stop_signals.hpp>

#include "dynamics/equations/guarded_system.hpp"
#include "dynamics/run/checkpoints.hpp"
#include "dynamics/run/integrator.hpp"
#include "dynamics/run/memory_archive.hpp"
#include "petsc/call_stack.hpp"
#include "ts/ts_record.hpp"
#include "ts/ts_system.hpp"

#include <gearshift.h>
#include <petsc/private/tsimpl.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gearshift::ts {

/// Identifies a vector and its contents: PETSc raises the state with each write access. {0, -1} means no vector.
struct VecMark {
  PetscObjectId id = 0;
  PetscObjectState state = -1;
  bool operator==(const VecMark&) const = default;
};

struct Gear {
  StepperOptions asked;    ///< what the program and its options say
  StepperOptions options;  ///< those of the integrator: asked, with what TSSetUp() and steps take from the TS
  PetscReal dt_at_set_up = 0;
  Tolerances tolerances;
  std::unique_ptr<TsSystem> system;
  std::unique_ptr<GuardedSystem> guarded;
  std::unique_ptr<Integrator> integrator;  // destroyed before its system
  petsc::Handle<Vec> error_q, error_v;
  RigidMotion rigid;
  int levels = 2;
  bool own_control = false;      ///< step and order follow gear's error control, not TSAdapt's
  bool named_control = false;    ///< TSGearSetOption() has said what follows the error
  bool ignores_history = false;  ///< TSADAPTHISTORY is named, but own control chooses the steps
  bool user_lag = false;
  TSStepStatus status = TS_STEP_INCOMPLETE;
  /// What was left in the TS at the end of the last step; a difference is the program's wish.
  struct Left {
    PetscReal dt = -1;
    VecMark q, v;
  } left;
  /// A fixed step whose solve failed is made of shorter ones, up to the time where it was to end.
  struct Substeps {
    bool active = false;
    PetscReal whole = 0, end = 0;
  } substeps;
  bool recording = false;
  std::vector<TSGearStep> steps;  ///< that TSGearGetSteps() gives
  TsRecord record;                ///< that TSLoad() read, until the solver is set up
  Checkpoints checkpoints{options};
  std::optional<StopSignals> signals;
  /// What goes through TSResize() while it resets the TS: the history, and what the program may have wished since the step.
  struct Carried {
    MemoryArchive history;
    PetscReal left_dt = -1;
    PetscBool restart_due = PETSC_FALSE;
  };
  std::optional<Carried> carried;
  bool resizing = false;  ///< the next TSReset() belongs to TSResize()
  int due = 0;            ///< what the ranks agreed on at the end of steps and is not done yet
  int stopped = 0;        ///< stops that they agreed on; these hold for further solves, too
  bool in_solve = false;  ///< our monitor has come by since the last step
  /// The state that TSSetUp() took from a file, until the next step begins.
  struct Resumed {
    bool pending = false;
    Vec vec = nullptr;
    VecMark q;
    PetscReal t = 0;
  } resumed;
};

inline Gear& gear_of(TS ts) { return *static_cast<Gear*>(ts->data); }

/// Runs C++ inside a C callback; an exception becomes a PETSc error with its text.
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
  return PetscError(PetscObjectComm(reinterpret_cast<PetscObject>(ts)), __LINE__, PETSC_FUNCTION_NAME, __FILE__, code,
                    PETSC_ERROR_INITIAL, "gear: %s", text.c_str());
}

/// Calls functions of the program inside of a step. An error on one rank becomes an error on all, and the answer is true if
/// it is true on all. Collective.
template <class Body>
bool all_say(TS ts, Body&& body) {
  petsc::CallbackGuard& guard = gear_of(ts).guarded->guard();
  bool yes = true;
  guard.run([&] { yes = body(); });
  return guard.agree(yes ? 0 : 1) == 0;
}

/// The prefix of the program's options.
const char* prefix_of(TS ts);
/// Takes the program's tolerances, which it may change between steps.
void read_tolerances(TS ts);

/// The TS operations around a step (gear_step.cpp).
PetscErrorCode step(TS ts);
PetscErrorCode roll_back(TS ts);
/// The state of the integrator becomes the TS's.
void copy_to_ts(TS ts, const State& x);
/// What the TS holds now is what gear left there.
void remember_left(TS ts);
VecMark state_of(Vec x);

/// The time at which the step that the integrator has just accepted must end so that PETSc detects an event inside of it;
/// infinite if there is no such event. Leaves the dense output in the TS. Collective (ts_events.cpp).
PetscReal hidden_event(TS ts, PetscReal began);

/// The whole state between two steps; after a load the TS holds it (ts_state.cpp). Collective.
void archive(TS ts, Archive& state);
/// The part of it that is gear's own: history, order and step.
void archive_method(TS ts, Archive& state);

/// TSResize() (ts_resize.cpp): the history leaves, to be transferred by the program, or what it made of it comes back;
PetscErrorCode resize_vectors(TS ts, PetscBool leaving);
/// and what came back becomes the state of a TS that was set up anew. Collective.
void arrive_resized(TS ts);

/// Forgets the records of steps behind the present one.
void forget_steps_ahead(TS ts);

/// Checkpoints (ts_checkpoint.cpp): what one contains,
Checkpoints::Contents contents_of(TS ts);
/// at set-up,
void begin_checkpoints(TS ts);
/// at its end, where the state may come from a file,
PetscErrorCode resume(TS ts);
/// before a step; whether it is one of TSSolve(),
bool begin_step(TS ts);
/// after it, for the ranks to agree on,
int requests_after_step(TS ts);
/// and what they agreed on. @param began the time at which the step began
void end_step(TS ts, int agreed, PetscReal began, bool in_solve);

}  // namespace gearshift::ts
