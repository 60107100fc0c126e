// The TS type "gear": PETSc's TS interface over a Stepper. The only part that needs PETSc's private header.

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/options.hpp>

#include "ts/ts_system.hpp"

#include <gearshift.h>
#include <petsc/private/tsimpl.h>

#include <memory>
#include <string>
#include <string_view>

namespace gearshift::ts {
namespace {

using petsc::check;
using petsc::Handle;

struct Gear {
  StepperOptions options;
  std::unique_ptr<TsSystem> system;
  std::unique_ptr<Stepper> stepper;  // destroyed before its system
  Handle<Vec> error_q, error_v;
  int levels = 2;
  bool started = false;
  bool own_control = false;  ///< step and order follow gear's error control, not TSAdapt's
  bool user_lag = false;
  TSStepStatus status = TS_STEP_INCOMPLETE;
};

Gear& gear_of(TS ts) { return *static_cast<Gear*>(ts->data); }

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

void copy_to_ts(TS ts, const State& x) {
  check(VecCopy(x.q, ts->vec_sol));
  if (ts->vec_dot && gear_of(ts).levels == 2) check(VecCopy(x.v, ts->vec_dot));
}

const char* prefix_of(TS ts) {
  const char* prefix = nullptr;
  check(PetscObjectGetOptionsPrefix(reinterpret_cast<PetscObject>(ts), &prefix));
  return prefix ? prefix : "";
}

/// A first-order program gets gear's control of step and order, as it would get an adaptive step from PETSc's own BDF;
/// a second-order one keeps its step unless it asks. Who names a TSAdapt type gets that.
void choose_control(TS ts) {
  Gear& gear = gear_of(ts);
  TSAdaptType type = nullptr;
  check(TSAdaptGetType(ts->adapt, &type));
  const bool named =
      petsc::has_option(prefix_of(ts), "-ts_adapt_type") || (type && std::string_view(type) != TSADAPTNONE);
  const bool asked = petsc::has_option(prefix_of(ts), "-ts_gear_adapt");
  if (named && gear.options.adapt != Adapt::none && std::string_view(type ? type : "") != TSADAPTNONE)
    throw OptionError(std::string("-ts_gear_adapt and -ts_adapt_type ") + type +
                      " are two controls of one step: leave one of them out");
  if (gear.levels == 1 && !asked && !named) gear.options.adapt = Adapt::order;
  gear.own_control = gear.options.adapt != Adapt::none;
  PetscReal least = 0, most = 0;
  check(TSAdaptGetStepLimits(ts->adapt, &least, &most));
  gear.options.dt_min = least > 1e-19 ? least : 0;  // PETSc's defaults are 1e-20 and 1e20
  gear.options.dt_max = most < 1e19 ? most : PETSC_INFINITY;
}

void set_tolerances(TS ts) {
  Gear& gear = gear_of(ts);
  PetscReal rtol = 0, atol = 0;
  Vec atols = nullptr, rtols = nullptr;
  check(TSGetTolerances(ts, &atol, &atols, &rtol, &rtols));
  if (rtols) throw OptionError("gear takes one relative tolerance for all unknowns; give absolute ones as a vector");
  if (atols)
    gear.stepper->set_tolerances(rtol, atols, atols);
  else
    gear.stepper->set_tolerances(rtol, atol, gear.options.atol_v);
}

PetscErrorCode set_up(TS ts) {
  return boundary(ts, [&] {
    Gear& gear = gear_of(ts);
    gear.levels = ode_order(ts);
    if (gear.levels == 2 && !ts->vec_dot)
      throw OptionError("a second-order equation starts from positions and velocities: call TS2SetSolution(ts, u, v)");
    SNES snes = nullptr;
    TSAdapt adapt = nullptr;
    check(TSGetSNES(ts, &snes));
    check(TSGetAdapt(ts, &adapt));
    choose_control(ts);
    gear.options.dt = ts->time_step > 0 ? ts->time_step : 0;
    const char* prefix = nullptr;
    check(SNESGetOptionsPrefix(snes, &prefix));
    gear.user_lag = petsc::has_option(prefix ? prefix : "", "-snes_lag_preconditioner");
    gear.system = std::make_unique<TsSystem>(ts, gear.levels);
    gear.stepper = std::make_unique<Stepper>(*gear.system, ts->vec_sol, gear.options, HostSolver{snes, gear.levels});
    check(VecDuplicate(ts->vec_sol, gear.error_q.out()));
    check(VecDuplicate(ts->vec_sol, gear.error_v.out()));
    gear.started = false;
  });
}

/// The trial step becomes the present state.
void complete(TS ts, PetscReal t_new, PetscReal next) {
  Gear& gear = gear_of(ts);
  gear.stepper->accept();
  copy_to_ts(ts, gear.stepper->state());
  ts->ptime = t_new;
  ts->time_step = next;
  gear.status = TS_STEP_COMPLETE;
}

PetscErrorCode step(TS ts) {
  return boundary(ts, [&] {
    Gear& gear = gear_of(ts);
    Stepper& stepper = *gear.stepper;
    if (!gear.started || ts->steprestart) {
      stepper.set_initial_state(ts->ptime, ts->vec_sol, gear.levels == 2 ? ts->vec_dot : nullptr);
      gear.started = true;
    } else {
      stepper.set_present_state(ts->vec_sol, ts->vec_dot);  // a post-step function may have corrected them
    }
    if (gear.own_control) set_tolerances(ts);
    gear.status = TS_STEP_INCOMPLETE;
    PetscInt rejections = 0;
    while (!ts->reason && gear.status != TS_STEP_COMPLETE) {
      const PetscReal t_new = ts->ptime + ts->time_step;
      check(TSPreStage(ts, t_new));
      StepReport report = stepper.attempt(ts->time_step);
      ts->snes_its += report.newton_iterations;
      ts->ksp_its += report.krylov_iterations;
      Vec trial = stepper.trial_state().q;
      PetscBool accept = PETSC_TRUE;
      check(TSPostStage(ts, t_new, 0, &trial));
      check(TSAdaptCheckStage(ts->adapt, ts, t_new, trial, &accept));
      if (gear.own_control) {
        const Stepper::Verdict verdict = stepper.judge(report, accept);
        PetscReal next = verdict.next_dt;
        if (verdict.passed) {
          check(TSAdaptChoose(ts->adapt, ts, next, nullptr, &next, &accept));  // the exact final time
          complete(ts, t_new, next);
          break;
        }
        ts->time_step = next;
        accept = PETSC_FALSE;
        if (next < ts->adapt->dt_min || next <= 32 * PETSC_MACHINE_EPSILON * PetscAbsReal(ts->ptime))
          ts->reason = TS_DIVERGED_STEP_REJECTED;
      }
      if (accept) {
        PetscReal next = ts->time_step;
        gear.status = TS_STEP_PENDING;
        check(TSAdaptCandidatesClear(ts->adapt));
        check(TSAdaptCandidateAdd(ts->adapt, "gear", report.order, 1, 1.0, 1.0, PETSC_TRUE));
        check(TSAdaptChoose(ts->adapt, ts, ts->time_step, nullptr, &next, &accept));
        if (accept) {
          complete(ts, t_new, next);
          break;
        }
        ts->time_step = next;
      }
      gear.status = TS_STEP_INCOMPLETE;
      ++ts->reject;
      if (!ts->reason && ts->max_reject >= 0 && ++rejections > ts->max_reject) ts->reason = TS_DIVERGED_STEP_REJECTED;
    }
  });
}

PetscErrorCode roll_back(TS ts) {
  return boundary(ts, [&] {
    Stepper& stepper = *gear_of(ts).stepper;
    stepper.rollback();
    copy_to_ts(ts, stepper.state());
  });
}

PetscErrorCode interpolate(TS ts, PetscReal t, Vec u) {
  return boundary(ts, [&] { gear_of(ts).stepper->interpolate(t, u, nullptr); });
}

PetscErrorCode evaluate_error(TS ts, NormType type, PetscInt* order, PetscReal* error) {
  return boundary(ts, [&] {
    Gear& gear = gear_of(ts);
    Stepper& stepper = *gear.stepper;
    const State trial = stepper.trial_state();
    *error = -1;  // no estimate yet
    if (order) *order = gear.options.highest_order() + 1;
    if (!stepper.trial_error(gear.error_q.get(), gear.error_v.get())) return;
    const auto norm_of = [&](Vec x, Vec e) {
      PetscReal norm = 0, absolute = 0, relative = 0;
      check(VecAYPX(e, 1, x));
      check(TSErrorWeightedNorm(ts, x, e, type, &norm, &absolute, &relative));
      return norm;
    };
    *error = norm_of(trial.q, gear.error_q.get());
    if (gear.levels == 1) return;
    const PetscReal in_v = norm_of(trial.v, gear.error_v.get());
    *error = type == NORM_INFINITY ? PetscMax(*error, in_v) : PetscSqrtReal((*error * *error + in_v * in_v) / 2);
  });
}

PetscErrorCode snes_function(SNES, Vec x, Vec f, TS ts) {
  return boundary(ts, [&] {
    Stepper& stepper = *gear_of(ts).stepper;
    stepper.residual_at(x, f);
    check(VecScale(f, 1 / stepper.shifts().q));  // so that the program's own Jacobian fits as it is
  });
}

/// The policy pc_update on the program's own matrix; a solver that does nothing but apply it wants it new.
void choose_lag(SNES snes, Gear& gear) {
  if (gear.user_lag) return;
  KSP ksp = nullptr;
  PetscBool direct = PETSC_FALSE;
  check(SNESGetKSP(snes, &ksp));
  check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(ksp), KSPPREONLY, &direct));
  const bool due = gear.stepper->wants_preconditioner();
  check(SNESSetLagPreconditioner(snes, due || direct ? -2 : -1));
}

PetscErrorCode snes_jacobian(SNES snes, Vec x, Mat J, Mat P, TS ts) {
  return boundary(ts, [&] {
    Gear& gear = gear_of(ts);
    choose_lag(snes, gear);
    gear.system->jacobian(gear.stepper->state_at(x), gear.stepper->shifts(), J, P);
  });
}

PetscErrorCode set_from_options(TS ts, PetscOptionItems* items) {
  return boundary(ts, [&] {
    Gear& gear = gear_of(ts);
    petsc::Options options(items, prefix_of(ts));
    gear.options.read_method(options, "-ts_gear_");
    gear.options.read_rebuild(options, "-ts_gear_");
    gear.options.validate();
  });
}

PetscErrorCode view(TS ts, PetscViewer viewer) {
  return boundary(ts, [&] {
    PetscBool ascii = PETSC_FALSE;
    check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(viewer), PETSCVIEWERASCII, &ascii));
    const Gear& gear = gear_of(ts);
    if (ascii)
      check(PetscViewerASCIIPrintf(viewer, "  BDF of order %" PetscInt_FMT " for an ODE of order %d, start %s\n",
                                   gear.options.highest_order(), gear.levels,
                                   gear.options.start == Start::full ? "full" : "ramp"));
  });
}

PetscErrorCode reset(TS ts) {
  return boundary(ts, [&] {
    Gear& gear = gear_of(ts);
    gear.stepper.reset();
    gear.system.reset();
    gear.error_q.reset();
    gear.error_v.reset();
    gear.started = false;
  });
}

PetscErrorCode destroy(TS ts) {
  return boundary(ts, [&] {
    delete static_cast<Gear*>(ts->data);
    ts->data = nullptr;
  });
}

PetscErrorCode create(TS ts) {
  return boundary(ts, [&] {
    ts->data = new Gear;
    ts->ops->setup = set_up;
    ts->ops->step = step;
    ts->ops->rollback = roll_back;
    ts->ops->interpolate = interpolate;
    ts->ops->evaluatewlte = evaluate_error;
    ts->ops->snesfunction = snes_function;
    ts->ops->snesjacobian = snes_jacobian;
    ts->ops->setfromoptions = set_from_options;
    ts->ops->view = view;
    ts->ops->reset = reset;
    ts->ops->destroy = destroy;
    ts->usessnes = PETSC_TRUE;
    ts->default_adapt_type = TSADAPTNONE;
  });
}

}  // namespace
}  // namespace gearshift::ts

extern "C" PetscErrorCode GearshiftInitializePackage(void) {
  PetscInt major = 0, minor = 0;
  PetscFunctionBegin;
  PetscCall(PetscGetVersionNumber(&major, &minor, nullptr, nullptr));
  PetscCheck(major == PETSC_VERSION_MAJOR && minor == PETSC_VERSION_MINOR, PETSC_COMM_SELF, PETSC_ERR_LIB,
             "this libgearshift was built for PETSc %d.%d, but the program runs with PETSc %" PetscInt_FMT
             ".%" PetscInt_FMT ": build gearshift against the PETSc of the program",
             PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR, major, minor);
  PetscCall(TSRegister("gear", gearshift::ts::create));
  PetscFunctionReturn(0);
}

extern "C" PetscErrorCode PetscDLLibraryRegister_gearshift(void) { return GearshiftInitializePackage(); }
