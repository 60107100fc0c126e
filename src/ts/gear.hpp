#pragma once

/// @file
/// What the TS type gear keeps in TS::data, and what its files share.

#include <gearshift/dynamics/stepper_options.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/equations/guarded_system.hpp"
#include "dynamics/run/integrator.hpp"
#include "ts/ts_record.hpp"
#include "ts/ts_system.hpp"

#include <petsc/private/tsimpl.h>

#include <memory>
#include <string>

namespace gearshift::ts {

struct Gear {
  StepperOptions options;
  Tolerances tolerances;
  std::unique_ptr<TsSystem> system;
  std::unique_ptr<GuardedSystem> guarded;
  std::unique_ptr<Integrator> integrator;  // destroyed before its system
  petsc::Handle<Vec> error_q, error_v;
  int levels = 2;
  bool own_control = false;    ///< step and order follow gear's error control, not TSAdapt's
  bool chose_control = false;  ///< gear chose it, since the program said nothing
  bool user_lag = false;
  TSStepStatus status = TS_STEP_INCOMPLETE;
  /// What was left in the TS at the end of the last step; a difference is the program's wish.
  struct Left {
    PetscReal dt = -1;
    PetscObjectState q = -1, v = -1;
  } left;
  /// A fixed step whose solve failed is made of shorter ones, up to the time where it was to end.
  struct Substeps {
    bool active = false;
    PetscReal whole = 0, end = 0;
  } substeps;
  TsRecord record;  ///< that TSLoad() read, until the solver is set up
};

inline Gear& gear_of(TS ts) { return *static_cast<Gear*>(ts->data); }

/// Runs C++ inside a C callback; an exception becomes a PETSc error with its text.
template <class Body>
PetscErrorCode boundary(TS ts, Body&& body) noexcept {
  std::string text;
  PetscErrorCode code = PETSC_ERR_LIB;
  try {
    body();
    return 0;
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

}  // namespace gearshift::ts
