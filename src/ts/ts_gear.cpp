// The TS type "gear": PETSc's TS interface over an Integrator. The only part that needs PETSc's private header.

#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/options.hpp>

#include "dynamics/run/integrator.hpp"
#include "dynamics/run/timeline.hpp"
#include "ts/ts_system.hpp"

#include <gearshift.h>
#include <petsc/private/tsimpl.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>

namespace gearshift::ts {
namespace {

using petsc::check;
using petsc::Handle;

constexpr PetscInt max_failures = 10;  // failed solves in a row

struct Gear {
  StepperOptions options;
  Tolerances tolerances;
  std::unique_ptr<TsSystem> system;
  std::unique_ptr<GuardedSystem> guarded;
  std::unique_ptr<Integrator> integrator;  // destroyed before its system
  Handle<Vec> error_q, error_v;
  int levels = 2;
  bool own_control = false;  ///< step and order follow gear's error control, not TSAdapt's
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

/// The text of an error about an option under the key that it has here.
std::string with_ts_keys(std::string text) {
  for (std::size_t at = text.find("-gear_"); at != std::string::npos; at = text.find("-gear_", at + 9))
    text.insert(at + 1, "ts_");
  return text;
}

/// A first-order program gets gear's control of step and order, as it would get an adaptive step from PETSc's own BDF;
/// a second-order one keeps its step unless it asks. Who names a TSAdapt type gets that. Returns whether a TSAdapt judges
/// the errors of steps.
bool choose_control(TS ts) {
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
  return !gear.own_control && type && std::string_view(type) != TSADAPTNONE;
}

/// The program's tolerances, which it may change between steps.
void read_tolerances(TS ts) {
  Gear& gear = gear_of(ts);
  PetscReal rtol = 0, atol = 0;
  Vec atols = nullptr, rtols = nullptr;
  check(TSGetTolerances(ts, &atol, &atols, &rtol, &rtols));
  if (rtols) throw OptionError("gear takes one relative tolerance for all unknowns; give absolute ones as a vector");
  gear.options.rtol = rtol;
  gear.options.atol = atol;
  gear.tolerances.rtol = rtol;
  gear.tolerances.atol_q = atol;
  if (gear.options.velocity_tolerance() > 0) gear.tolerances.atol_v = gear.options.velocity_tolerance();
  if (atols == gear.tolerances.atol_q_vec.get()) return;
  gear.tolerances.atol_q_vec = Handle<Vec>::share(atols);
  gear.tolerances.atol_v_vec = Handle<Vec>::share(atols);
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
    const bool judges = choose_control(ts);
    gear.options.dt = ts->time_step > 0 ? ts->time_step : 0;
    gear.options.order = gear.options.highest_order();
    const char* prefix = nullptr;
    check(SNESGetOptionsPrefix(snes, &prefix));
    gear.user_lag = petsc::has_option(prefix ? prefix : "", "-snes_lag_preconditioner");
    gear.system = std::make_unique<TsSystem>(ts, gear.levels);
    gear.guarded = std::make_unique<GuardedSystem>(*gear.system, ts->vec_sol, gear.options.watchdog);
    if (gear.own_control) read_tolerances(ts);
    gear.integrator = std::make_unique<Integrator>(*gear.guarded, ts->vec_sol, gear.options, gear.tolerances,
                                                   HostSolver{snes, gear.levels, judges});
    gear.integrator->set_up("", false);
    check(VecDuplicate(ts->vec_sol, gear.error_q.out()));
    check(VecDuplicate(ts->vec_sol, gear.error_v.out()));
    gear.left = {};
    gear.substeps = {};
  });
}

PetscObjectState state_of(Vec x) {
  PetscObjectState state = 0;
  if (x) check(PetscObjectStateGet(reinterpret_cast<PetscObject>(x), &state));
  return state;
}

/// The trial step becomes the present state.
void complete(TS ts, StepReport& report, PetscReal next) {
  Gear& gear = gear_of(ts);
  gear.integrator->accept(report);
  gear.guarded->accept(gear.integrator->state());
  gear.guarded->guard().agree();
  copy_to_ts(ts, gear.integrator->state());
  ts->ptime = report.t;
  ts->time_step = next;
  gear.left = {next, state_of(ts->vec_sol), state_of(ts->vec_dot)};
  gear.status = TS_STEP_COMPLETE;
}

/// Whether an event or its aftermath sets the step for the time being.
bool event_sets_step(TS ts) { return ts->event && ts->event->status != TSEVENT_NONE; }

/// Takes in what the program changed since the last step: time, state, step.
void follow_program(TS ts) {
  Gear& gear = gear_of(ts);
  Integrator& integrator = *gear.integrator;
  Vec v = gear.levels == 2 ? ts->vec_dot : nullptr;
  const bool moved_in_time =
      integrator.started() && std::abs(ts->ptime - integrator.time()) >
                                  Timeline::resolution(ts->ptime) + Timeline::resolution(integrator.time());
  if (!integrator.started() || moved_in_time) {
    integrator.start(ts->ptime, ts->vec_sol, v, false);
    gear.substeps = {};
  } else if (ts->steprestart) {
    integrator.restart(ts->ptime, ts->vec_sol, v);
    gear.substeps = {};
  } else if (state_of(ts->vec_sol) != gear.left.q || state_of(v) != gear.left.v) {
    integrator.overwrite(ts->vec_sol, v);  // a post-step function may have corrected them
  }
  if (ts->time_step == gear.left.dt) return;
  gear.substeps = {};
  if (gear.own_control && !integrator.control().cold() && !event_sets_step(ts))
    integrator.control().impose_dt(ts->time_step);
}

/// Whether the stage may stand: its solve converged, and neither the program nor the TSAdapt objects to its state.
bool stage_stands(TS ts, PetscReal t, Vec q, bool solved) {
  PetscBool accept = PETSC_TRUE;
  if (solved) {
    check(TSFunctionDomainError(ts, t, q, &accept));
    if (accept && ts->adapt->checkstage) check(ts->adapt->checkstage(ts->adapt, ts, t, q, &accept));
    return accept;
  }
  ++ts->num_snes_failures;
  const bool limited = ts->max_snes_failures > 1 || petsc::has_option(prefix_of(ts), "-ts_max_snes_failures");
  if (limited && ts->max_snes_failures > 0 && ts->num_snes_failures >= ts->max_snes_failures)
    ts->reason = TS_DIVERGED_NONLINEAR_SOLVE;
  return false;
}

/// The step after an accepted one of a program that keeps its step: the rest of one that had to be parted, or `next`.
PetscReal after_substep(TS ts, Gear::Substeps& substeps, PetscReal taken, PetscReal next) {
  if (!substeps.active) return next;
  const PetscReal rest = substeps.end - (ts->ptime + taken);
  if (rest > Timeline::absorbed * substeps.whole) return std::min(2 * taken, rest);
  substeps.active = false;
  return substeps.whole;
}

/// A shorter step after one whose solve failed.
PetscReal shortened(TS ts, Gear& gear) {
  if (gear.own_control) {
    gear.integrator->control().solve_failed(ts->time_step);
    return gear.integrator->control().dt();
  }
  TSAdaptType type = nullptr;
  check(TSAdaptGetType(ts->adapt, &type));
  if (!gear.substeps.active && std::string_view(type ? type : TSADAPTNONE) == TSADAPTNONE)
    gear.substeps = {true, ts->time_step, ts->ptime + ts->time_step};
  return ts->time_step * ts->adapt->scale_solve_failed;
}

PetscErrorCode step(TS ts) {
  return boundary(ts, [&] {
    Gear& gear = gear_of(ts);
    Integrator& integrator = *gear.integrator;
    follow_program(ts);
    if (gear.own_control) read_tolerances(ts);
    gear.status = TS_STEP_INCOMPLETE;
    integrator.prepare(ts->time_step);
    integrator.control().weigh();
    PetscInt rejections = 0;
    while (!ts->reason && gear.status != TS_STEP_COMPLETE) {
      const PetscReal dt = ts->time_step, t_new = ts->ptime + dt;
      check(TSPreStage(ts, t_new));
      StepReport report;
      const bool solved = integrator.attempt(t_new, dt, report);
      ts->snes_its += report.newton_iterations;
      ts->ksp_its += report.krylov_iterations;
      Vec trial = integrator.trial_state().q;
      check(TSPostStage(ts, t_new, 0, &trial));
      PetscReal next = dt;
      PetscBool accept = PETSC_FALSE;
      if (!stage_stands(ts, t_new, trial, solved)) {
        next = shortened(ts, gear);
      } else if (gear.own_control) {
        accept = integrator.passes(report) ? PETSC_TRUE : PETSC_FALSE;
        next = integrator.control().dt();
        PetscBool always = PETSC_TRUE;  // it only fits the step to the exact final time
        if (accept) check(TSAdaptChoose(ts->adapt, ts, next, nullptr, &next, &always));
      } else {
        gear.status = TS_STEP_PENDING;
        check(TSAdaptCandidatesClear(ts->adapt));
        check(TSAdaptCandidateAdd(ts->adapt, "gear", report.order, 1, 1.0, 1.0, PETSC_TRUE));
        PetscReal wanted = after_substep(ts, gear.substeps, dt, dt);
        check(TSAdaptChoose(ts->adapt, ts, wanted, nullptr, &next, &accept));
      }
      if (accept) {
        complete(ts, report, next);
        break;
      }
      ts->time_step = next;
      gear.status = TS_STEP_INCOMPLETE;
      ++ts->reject;
      const bool too_small = next < ts->adapt->dt_min || next <= 32 * PETSC_MACHINE_EPSILON * PetscAbsReal(ts->ptime);
      const PetscInt limit = solved || ts->max_reject < 0 ? ts->max_reject : PetscMax(ts->max_reject, max_failures);
      if (!ts->reason && (too_small || (limit >= 0 && ++rejections > limit)))
        ts->reason = solved ? TS_DIVERGED_STEP_REJECTED : TS_DIVERGED_NONLINEAR_SOLVE;
    }
  });
}

PetscErrorCode roll_back(TS ts) {
  return boundary(ts, [&] {
    Gear& gear = gear_of(ts);
    gear.integrator->take_back();
    copy_to_ts(ts, gear.integrator->state());
    gear.left.q = state_of(ts->vec_sol);
    gear.left.v = state_of(ts->vec_dot);
    gear.substeps = {};
  });
}

PetscErrorCode interpolate(TS ts, PetscReal t, Vec u) {
  return boundary(ts, [&] { gear_of(ts).integrator->interpolate(t, u, nullptr); });
}

PetscErrorCode evaluate_error(TS ts, NormType type, PetscInt* order, PetscReal* error) {
  return boundary(ts, [&] {
    Gear& gear = gear_of(ts);
    const State trial = gear.integrator->trial_state();
    if (order) *order = gear.integrator->error_order();
    gear.integrator->trial_error(gear.error_q.get(), gear.error_v.get());
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
    NewtonSolver& solver = gear_of(ts).integrator->solver();
    solver.residual(x, f);
    check(VecScale(f, 1 / solver.shifts().q));  // so that the program's own Jacobian fits as it is
  });
}

/// The policy pc_update on the program's own matrix; a solver that does nothing but apply it wants it new.
void choose_lag(SNES snes, Gear& gear) {
  if (gear.user_lag) return;
  KSP ksp = nullptr;
  PetscBool direct = PETSC_FALSE;
  check(SNESGetKSP(snes, &ksp));
  check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(ksp), KSPPREONLY, &direct));
  const bool due = gear.integrator->solver().take_rebuild();
  check(SNESSetLagPreconditioner(snes, due || direct ? -2 : -1));
}

PetscErrorCode snes_jacobian(SNES snes, Vec x, Mat J, Mat P, TS ts) {
  return boundary(ts, [&] {
    Gear& gear = gear_of(ts);
    choose_lag(snes, gear);
    NewtonSolver& solver = gear.integrator->solver();
    gear.system->jacobian(solver.state_at(x), solver.shifts(), J, P);
  });
}

PetscErrorCode set_from_options(TS ts, PetscOptionItems* items) {
  return boundary(ts, [&] {
    Gear& gear = gear_of(ts);
    petsc::Options options(items, prefix_of(ts));
    gear.options.read_method(options, "-ts_gear_");
    gear.options.read_rebuild(options, "-ts_gear_");
    try {
      gear.options.validate();
    } catch (const OptionError& error) {
      throw OptionError(with_ts_keys(error.what()));
    }
  });
}

PetscErrorCode view(TS ts, PetscViewer viewer) {
  return boundary(ts, [&] {
    PetscBool ascii = PETSC_FALSE;
    check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(viewer), PETSCVIEWERASCII, &ascii));
    if (!ascii) return;
    const Gear& gear = gear_of(ts);
    const StepperOptions& o = gear.options;
    check(PetscViewerASCIIPrintf(
        viewer, "  family %s of order %" PetscInt_FMT " for an ODE of order %d, adapt %s, start %s, guard %s\n",
        to_string(o.family), o.highest_order(), gear.levels, to_string(o.adapt), to_string(o.start),
        o.guard && o.adapt == Adapt::order && gear.levels == 2 ? "on" : "off"));
  });
}

PetscErrorCode reset(TS ts) {
  return boundary(ts, [&] {
    Gear& gear = gear_of(ts);
    gear.integrator.reset();
    gear.guarded.reset();
    gear.system.reset();
    gear.error_q.reset();
    gear.error_v.reset();
    gear.tolerances = {};
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
  // First: the calls that follow hand over integers, which would be read and written in another size.
  size_t index = 0;
  PetscFunctionBegin;
  PetscCall(PetscDataTypeGetSize(PETSC_INT, &index));
  PetscCheck(
      index == sizeof(PetscInt), PETSC_COMM_SELF, PETSC_ERR_LIB,
      "this libgearshift was built for a PETSc with %d-bit indices, but the program's PETSc has %d-bit ones: build "
      "gearshift against the PETSc of the program",
      static_cast<int>(8 * sizeof(PetscInt)), static_cast<int>(8 * index));
  PetscInt major = 0, minor = 0;
  PetscCall(PetscGetVersionNumber(&major, &minor, nullptr, nullptr));
  PetscCheck(major == PETSC_VERSION_MAJOR && minor == PETSC_VERSION_MINOR, PETSC_COMM_SELF, PETSC_ERR_LIB,
             "this libgearshift was built for PETSc %d.%d, but the program runs with PETSc %" PetscInt_FMT
             ".%" PetscInt_FMT ": build gearshift against the PETSc of the program",
             PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR, major, minor);
  PetscCall(TSRegister("gear", gearshift::ts::create));
  PetscFunctionReturn(0);
}

extern "C" PetscErrorCode PetscDLLibraryRegister_gearshift(void) { return GearshiftInitializePackage(); }
