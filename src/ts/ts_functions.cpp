// Implementation of the functions of gearshift.h for a TS of type gear.

#include <gearshift/petsc/options.hpp>

#include "dynamics/checkpoint/memory_archive.hpp"
#include "petsc/options/key_names.hpp"
#include "petsc/options/nearest.hpp"
#include "ts/gear.hpp"

#include <memory>
#include <string>
#include <string_view>

struct _p_TSGearSnapshot {
  gearshift::MemoryArchive parts{gearshift::MemoryArchive::Names::kept};
};

namespace gearshift::ts {

using petsc::check;

void forget_steps_ahead(TS ts) {
  std::erase_if(gear_of(ts).steps, [now = ts->steps](const TSGearStep& step) { return step.step > now; });
}

namespace {

/// Runs `body` if the TS is of type gear; otherwise returns an error.
template <class Body>
PetscErrorCode for_gear(TS ts, Body&& body) {
  PetscBool of_ours = PETSC_FALSE;
  PetscFunctionBegin;
  PetscCheck(ts, PETSC_COMM_SELF, PETSC_ERR_ARG_NULL, "gear: the TS is a null pointer");
  PetscValidHeaderSpecific(ts, TS_CLASSID, 1);
  PetscCall(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(ts), "gear", &of_ours));
  PetscCheck(of_ours, petsc::comm_of(ts), PETSC_ERR_ARG_WRONG,
             "the TS is not of type gear: call TSSetType(ts, \"gear\") first");
  PetscCall(boundary(ts, std::forward<Body>(body)));
  PetscFunctionReturn(petsc::success);
}

/// Throws the error of a null argument.
void require(const void* argument, const char* what) {
  if (!argument) throw PetscFailure(std::string(what) + " is a null pointer", PETSC_ERR_ARG_NULL);
}

/// Replaces the program's option database by one with a single entry.
class OnlyOption {
 public:
  OnlyOption(const std::string& key, const char* value) {
    check(PetscOptionsCreate(&options_));
    check(PetscOptionsSetValue(options_, key.c_str(), value));
    check(PetscOptionsPush(options_));
  }
  ~OnlyOption() {
    (void)!PetscOptionsPop();
    (void)!PetscOptionsDestroy(&options_);
  }
  OnlyOption& operator=(OnlyOption&&) = delete;
  bool read() const {
    PetscInt left = 0;
    check(PetscOptionsAllUsed(options_, &left));
    return left == 0;
  }

 private:
  PetscOptions options_ = nullptr;
};

void set_option(TS ts, std::string_view name, const char* value) {
  Gear& gear = gear_of(ts);
  const std::string root = "-ts_gear_", prefix = prefix_of(ts), key = "-" + prefix + "ts_gear_" + std::string(name);
  if (gear.integrator)
    throw OptionError("option " + key + ": the solver is set up already; set it before TSSetUp() or the first step");
  StepperOptions changed = gear.asked;
  std::vector<std::string> known;
  bool found = false;
  {
    const OnlyOption only(key, value);
    petsc::read_options(petsc::comm_of(ts), prefix, "", [&](petsc::Options& options) {
      changed.read_method(options, root);
      changed.read_rebuild(options, root);
      changed.read_checkpoints(options, root);
      known = options.keys();
    });
    found = only.read();
  }
  if (!found) {
    for (std::string& other : known) other.erase(0, root.size());
    throw OptionError("gear has no option '" + std::string(name) + "'; " + petsc::meant(name, known) +
                      "-help lists them all as " + root + "...");
  }
  try {
    changed.validate();
  } catch (const OptionError& error) {
    throw OptionError(petsc::with_prefix(error.what(), prefix + "ts_", "gear_"));
  }
  gear.asked = changed;
  gear.named_control = gear.named_control || name == "adapt";
}

/// Prepares a TS between steps: sets it up, and before the first step begins its history with the present state.
void begin_history(TS ts) {
  check(TSSetUp(ts));
  Gear& gear = gear_of(ts);
  if (!gear.integrator->history().empty()) return;
  gear.integrator->start(ts->ptime, ts->vec_sol, gear.levels == 2 ? ts->vec_dot : nullptr, false);
  remember_left(ts);
}

/// Updates the data that depend on the state of a TS whose state was replaced.
void follow_state(TS ts) {
  gear_of(ts).integrator->adopt_settings();
  gear_of(ts).resumed = {};
  ts->reason = TS_CONVERGED_ITERATING;
  ts->steprollback = PETSC_FALSE;
  forget_steps_ahead(ts);
}

}  // namespace
}  // namespace gearshift::ts

using namespace gearshift;
using namespace gearshift::ts;

PetscErrorCode TSGearSetOption(TS ts, const char name[], const char value[]) {
  return for_gear(ts, [&] {
    require(name, "the name of the option");
    set_option(ts, name, value);
  });
}

PetscErrorCode TSGearSetRigidMotion(TS ts, TSGearTakeOutRigidMotion take_out, PetscInt vector_size, void* context) {
  return for_gear(ts, [&] {
    Gear& gear = gear_of(ts);
    if (gear.integrator) throw OptionError("call TSGearSetRigidMotion() before TSSetUp() and the first step");
    if (vector_size < 1) throw OptionError("TSGearSetRigidMotion(): vector_size must be positive");
    gear.rigid = {take_out, vector_size, context};
  });
}

PetscErrorCode TSGearSetRecording(TS ts, PetscBool on) {
  return for_gear(ts, [&] { gear_of(ts).recording = on; });
}

PetscErrorCode TSGearGetSteps(TS ts, PetscInt* n, const TSGearStep* steps[]) {
  return for_gear(ts, [&] {
    require(n, "n");
    require(steps, "steps");
    *n = static_cast<PetscInt>(gear_of(ts).steps.size());
    *steps = gear_of(ts).steps.data();
  });
}

PetscErrorCode TSGearInterpolate(TS ts, PetscReal t, Vec u, Vec v) {
  return for_gear(ts, [&] {
    const Gear& gear = gear_of(ts);
    if (!gear.integrator || gear.integrator->history().empty())
      throw Error("there is nothing to interpolate before the first step");
    gear.integrator->dense().interpolate(t, u, v);
  });
}

PetscErrorCode TSGearSnapshotCreate(TS ts, TSGearSnapshot* snapshot) {
  return for_gear(ts, [&] {
    require(snapshot, "snapshot");
    begin_history(ts);
    auto kept = std::make_unique<_p_TSGearSnapshot>();
    kept->parts.begin_saving();
    archive(ts, kept->parts);
    *snapshot = kept.release();
  });
}

PetscErrorCode TSGearSnapshotRestore(TS ts, TSGearSnapshot snapshot) {
  return for_gear(ts, [&] {
    require(snapshot, "the snapshot of TSGearSnapshotCreate()");
    check(TSSetUp(ts));
    snapshot->parts.begin_loading();
    archive(ts, snapshot->parts);
    snapshot->parts.finish_loading();
    follow_state(ts);
  });
}

PetscErrorCode TSGearSnapshotDestroy(TSGearSnapshot* snapshot) {
  PetscFunctionBegin;
  PetscCheck(snapshot, PETSC_COMM_SELF, PETSC_ERR_ARG_NULL, "gear: snapshot is a null pointer");
  delete *snapshot;
  *snapshot = nullptr;
  PetscFunctionReturn(petsc::success);
}

PetscErrorCode TSGearSave(TS ts, const char path[]) {
  return for_gear(ts, [&] {
    require(path, "path");
    begin_history(ts);
    Checkpoints::write(path, {ts->ptime, ts->steps}, contents_of(ts));
  });
}

PetscErrorCode TSGearLoad(TS ts, const char path[]) {
  return for_gear(ts, [&] {
    require(path, "path");
    check(TSSetUp(ts));
    Checkpoints::load(path, contents_of(ts));
    follow_state(ts);
  });
}
