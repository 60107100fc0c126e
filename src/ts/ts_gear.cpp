// The TS type "gear": PETSc's TS interface to an Integrator. Only this folder needs PETSc's private header.

#include <gearshift/petsc/options.hpp>

#include "petsc/options/key_names.hpp"
#include "petsc/queries.hpp"
#include "petsc/versions.hpp"
#include "ts/gear.hpp"
#include "ts/versions.hpp"

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace gearshift::ts {

using petsc::check;
using petsc::Handle;

/// Reads the program's tolerances; they may change between steps.
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

namespace {

/// Chooses who controls step and order. A first-order program gets gear's control, just as PETSc's own BDF would give
/// it an adaptive step; a second-order program keeps its step unless it asks for control. A program that names a
/// TSAdapt type gets that type. Returns true if a TSAdapt judges the errors of steps.
bool choose_control(TS ts) {
  Gear& gear = gear_of(ts);
  TSAdaptType type = nullptr;
  check(TSAdaptGetType(ts->adapt, &type));
  const bool named =
      petsc::has_option(prefix_of(ts), "-ts_adapt_type") || (type && std::string_view(type) != TSADAPTNONE);
  const bool asked = gear.named_control || petsc::has_option(prefix_of(ts), "-ts_gear_adapt");
  if (named && gear.options.adapt != Adapt::none && std::string_view(type ? type : "") != TSADAPTNONE)
    throw OptionError(std::string("-") + prefix_of(ts) + "ts_gear_adapt and -" + prefix_of(ts) + "ts_adapt_type " +
                      type + " both control the step: leave one of them out");
  if (gear.levels == 1 && !asked && !named) gear.options.adapt = Adapt::order;
  gear.own_control = gear.options.adapt != Adapt::none;
  PetscReal least = 0, most = 0;
  check(TSAdaptGetStepLimits(ts->adapt, &least, &most));
  gear.options.dt_min = least > 1e-19 ? least : 0;  // PETSc's defaults are 1e-20 and 1e20
  gear.options.dt_max = most < 1e19 ? most : PETSC_INFINITY;
  return !gear.own_control && type && std::string_view(type) != TSADAPTNONE;
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
    gear.options = gear.asked;
    const bool judges = choose_control(ts);
    gear.options.dt = ts->time_step > 0 ? ts->time_step : 0;
    if (!gear.carried) gear.dt_at_set_up = gear.options.dt;
    gear.options.order = gear.options.highest_order();
    gear.user_lag = petsc::has_option(prefix_of(snes), "-snes_lag_preconditioner");
    gear.system = std::make_unique<TsSystem>(ts, gear.levels, gear.rigid);
    gear.guarded =
        std::make_unique<GuardedSystem>(*gear.system, ts->vec_sol, gear.options.watchdog, Overrides::of(*gear.system));
    if (gear.own_control || gear.options.newton_test == NewtonTest::wrms) read_tolerances(ts);
    gear.integrator = std::make_unique<Integrator>(*gear.guarded, ts->vec_sol, gear.options, gear.tolerances,
                                                   HostSolver{snes, gear.levels, judges});
    gear.integrator->solver().set_up("", false);
    check(VecDuplicate(ts->vec_sol, gear.error_q.out()));
    check(VecDuplicate(ts->vec_sol, gear.error_v.out()));
    gear.left = {};
    gear.substeps = {};
    begin_checkpoints(ts);
  });
}

PetscErrorCode interpolate(TS ts, PetscReal t, Vec u) {
  return boundary(ts, [&] {
    const Gear& gear = gear_of(ts);
    if (!gear.integrator || gear.integrator->history().empty())
      throw Error("TSInterpolate() needs a completed step: call TSStep() or TSSolve() first");
    gear.integrator->dense().interpolate(t, u, nullptr);
  });
}

PetscErrorCode evaluate_error(TS ts, NormType type, PetscInt* order, PetscReal* error) {
  return boundary(ts, [&] {
    Gear& gear = gear_of(ts);
    const State trial = gear.integrator->methods().state();
    if (order) *order = gear.integrator->methods().error_order();
    gear.integrator->methods().error(gear.error_q.get(), gear.error_v.get());
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
    solver.residual().evaluate(x, f);
    check(VecScale(f, 1 / solver.residual().shifts().q));  // so that the program's own Jacobian fits without scaling
  });
}

/// Applies the policy pc_update to the program's own matrix. A solver that only applies the preconditioner needs a new
/// one. Returns true if the policy wants a new preconditioner.
bool choose_lag(SNES snes, Gear& gear) {
  if (gear.user_lag) return false;
  const bool direct = petsc::is_of_type(petsc::ksp_of(snes), KSPPREONLY);
  const bool due = gear.integrator->solver().linear().take_rebuild();
  check(SNESSetLagPreconditioner(snes, due || direct ? -2 : -1));
  return due;
}

PetscErrorCode snes_jacobian(SNES snes, Vec x, Mat J, Mat P, TS ts) {
  return boundary(ts, [&] {
    Gear& gear = gear_of(ts);
    NewtonSolver& solver = gear.integrator->solver();
    const bool due = choose_lag(snes, gear);
    const State at = solver.residual().state_at(x);
    if (due) solver.linear().host_builds_at(at);
    const Shifts shifts = solver.residual().shifts();
    solver.linear().agree_on_jacobian(gear.guarded->guard().run([&] { gear.system->jacobian(at, shifts, J, P); }));
  });
}

PetscErrorCode set_from_options(TS ts, petsc::OptionItems items) {
  return boundary(ts, [&] {
    Gear& gear = gear_of(ts);
    petsc::Options options(items, prefix_of(ts), "TS gear");
    StepperOptions changed = gear.asked;
    changed.read_method(options, "-ts_gear_");
    changed.read_rebuild(options, "-ts_gear_");
    changed.read_checkpoints(options, "-ts_gear_");
    if (gear.integrator && changed != gear.asked)
      throw OptionError(
          std::string("options -") + prefix_of(ts) +
          "ts_gear_... have changed since the solver was set up: call TSReset() before TSSetFromOptions()");
    try {
      changed.validate();
    } catch (const OptionError& error) {
      throw OptionError(petsc::with_prefix(error.what(), prefix_of(ts) + std::string("ts_"), "gear_"));
    }
    gear.asked = changed;
  });
}

PetscErrorCode view(TS ts, PetscViewer viewer) {
  return boundary(ts, [&] {
    const bool ascii = petsc::is_of_type(viewer, PETSCVIEWERASCII);
    const bool binary = petsc::is_of_type(viewer, PETSCVIEWERBINARY);
    const Gear& gear = gear_of(ts);
    if (binary) {
      if (!gear.integrator || gear.integrator->history().empty())
        throw IoError(
            "a TS of type gear can only be written after its first step; call TSStep() or TSSolve() before TSView()");
      TsRecord::write(viewer, ts->vec_sol, [ts](Archive& state) { archive(ts, state); });
    }
    if (!ascii) return;
    const StepperOptions& o = gear.integrator ? gear.options : gear.asked;
    check(PetscViewerASCIIPrintf(
        viewer, "  family %s of order %" PetscInt_FMT " for an ODE of order %d, adapt %s, start %s, guard %s\n",
        to_string(o.family), o.method_order(), gear.levels, to_string(o.adapt), to_string(o.start),
        o.guard && o.adapt == Adapt::order && gear.levels == 2 ? "on" : "off"));
  });
}

/// TSLoad(): reads the data of the type written by TSView(), and PETSc's record of the adaptor, because nothing else
/// reads it.
PetscErrorCode load(TS ts, PetscViewer viewer) {
  return boundary(ts, [&] {
    TSAdapt adapt = nullptr;
    gear_of(ts).record.read(viewer);
    check(TSGetAdapt(ts, &adapt));
    check(TSAdaptLoad(adapt, viewer));
  });
}

PetscErrorCode reset(TS ts) {
  return boundary(ts, [&] {
    Gear& gear = gear_of(ts);
    const bool resizing = std::exchange(gear.resizing, false);
    gear.resumed = {};
    if (!resizing) {
      gear.signals.reset();
      gear.carried.reset();
      gear.due = 0;
      gear.steps.clear();
    }
    gear.integrator.reset();
    gear.guarded.reset();
    gear.system.reset();
    gear.error_q.reset();
    gear.error_v.reset();
    gear.tolerances = {};
    ts->steprestart = PETSC_TRUE;  // as in a new TS
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
    ts->ops->startingmethod = resume;  // called last in TSSetUp(), when the SNES has its function and Jacobian
    ts->ops->step = step;
    ts->ops->rollback = roll_back;
    ts->ops->interpolate = interpolate;
    ts->ops->evaluatewlte = evaluate_error;
    ts->ops->snesfunction = snes_function;
    ts->ops->snesjacobian = snes_jacobian;
    ts->ops->setfromoptions = set_from_options;
    ts->ops->view = view;
    ts->ops->load = load;
    ts->ops->reset = reset;
    ts->ops->destroy = destroy;
    resize::install(ts, resize_vectors);
    ts->usessnes = PETSC_TRUE;
    ts->default_adapt_type = TSADAPTNONE;
  });
}

}  // namespace
}  // namespace gearshift::ts

extern "C" PetscErrorCode GearshiftInitializePackage(void) {
  // PETSc prints the following errors to PETSC_STDERR and initialises this stream early, before it reads -dll_append.
  if (!PETSC_STDERR) {
    std::fputs(
        "error: gearshift is loaded before PetscInitialize(), or it uses another PETSc than the program. Link a "
        "program that has a static PETSc with -rdynamic, or with libgearshift before PETSc.\n",
        stderr);
    return PETSC_ERR_ORDER;
  }
  // This check comes first: the calls after it pass integers. With another size these would be read and written
  // wrongly.
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
  PetscFunctionReturn(gearshift::petsc::success);
}

extern "C" PetscErrorCode PetscDLLibraryRegister_gearshift(void) { return GearshiftInitializePackage(); }
