#include "app/run.hpp"

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/io/summary.hpp>
#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/log.hpp>
#include <gearshift/petsc/options.hpp>

#include "app/case.hpp"
#include "app/dry_run.hpp"
#include "app/progress.hpp"
#include "app/results.hpp"

#include <cmath>

namespace gearshift::app {
namespace {

PetscInt global_size(Vec vec) {
  PetscInt size = 0;
  petsc::check(VecGetSize(vec, &size));
  return size;
}

petsc::Handle<Vec> initial_values(const solid::Body& body, const std::optional<solid::VectorExpression>& value) {
  petsc::Handle<Vec> vec;
  petsc::check(VecDuplicate(body.layout(), vec.out()));
  petsc::check(VecSet(vec.get(), 0));
  if (value) body.interpolate(value->field(), 0, vec.get());
  return vec;
}

void require_time(const StepperOptions& options) {
  if (!(options.dt > 0) && options.adapt == Adapt::none)
    throw OptionError(
        "option -gear_dt: give the time step, a number above 0 (or -gear_adapt order for steps that follow the error, "
        "or -static for the equilibrium only)");
  if (!(options.t_end > 0) || !std::isfinite(options.t_end))
    throw OptionError("option -gear_t_end: give the end of the run, a time above 0");
}

/// Equilibrium under the loads of t = 0, approached by equal load steps.
void solve_static(const Case& given, solid::Body& body, Stepper& stepper, Progress& progress, Results* results) {
  for (PetscInt i = 1; i <= given.load_steps; ++i) {
    const PetscReal factor = static_cast<PetscReal>(i) / static_cast<PetscReal>(given.load_steps);
    body.set_load_factor(factor);
    Report report;
    try {
      report = stepper.solve_static(0);
    } catch (const StepFailed& error) {
      throw StepFailed("static load step " + std::to_string(i) + " of " + std::to_string(given.load_steps) + ": " +
                           error.what() + "; try -load_steps " + std::to_string(2 * given.load_steps),
                       0, 0);
    }
    progress.load_step(i, given.load_steps, factor, report.newton_iterations, report.krylov_iterations);
    if (results) results->write(i, stepper.state(), stepper.ledger(), i == given.load_steps);
  }
}

void integrate(const Case& given, solid::Body& body, Stepper& stepper, Progress& progress, Results& results) {
  if (given.static_first) {
    solve_static(given, body, stepper, progress, nullptr);
    const auto velocity = initial_values(body, given.initial_velocity);
    petsc::Handle<Vec> rest;
    petsc::check(VecDuplicate(body.layout(), rest.out()));
    petsc::check(VecCopy(stepper.state().q, rest.get()));
    stepper.set_initial_state(0, rest.get(), velocity.get());
  }
  const PetscReal t_end = stepper.options().t_end;
  const PetscInt max_steps = stepper.options().max_steps;
  results.write(0, stepper.state(), stepper.ledger(), false);
  stepper.add_monitor([&](const Stepper& s, const StepReport& report) {
    results.write_report(report);
    const bool last = report.t >= t_end || s.step_count() >= max_steps;
    results.write(s.step_count(), s.state(), s.ledger(), last);
    progress.step(report);
  });
  stepper.run();
}

void write_summary(const Results& results, const solid::Body& body, const Stepper& stepper, const Progress& progress,
                   const MemoryAtStart& start, const std::string& failure) {
  int rank = 0, size = 1;
  MPI_Comm_rank(stepper.comm(), &rank);
  MPI_Comm_size(stepper.comm(), &size);
  const PetscInt dofs = global_size(body.layout());
  const double peak = start.peak_since(stepper.comm());
  if (rank != 0) return;
  io::Summary summary;
  summary.add("status", failure.empty() ? "finished" : "failed");
  if (!failure.empty()) summary.add("failure", failure);
  summary.add("t", stepper.state().t);
  summary.add("steps", progress.totals().steps);
  summary.add("rejected", progress.totals().rejected);
  summary.add("newton_iterations", progress.totals().newton);
  summary.add("krylov_iterations", progress.totals().krylov);
  summary.add("wall_seconds", progress.seconds());
  summary.add("dofs", dofs);
  summary.add("cells", body.mesh().global_cells());
  summary.add("degree", body.space().degree());
  summary.add("order", stepper.options().order);
  summary.add("dt", stepper.options().dt);
  summary.add("ranks", size);
  summary.add("memory_per_rank", peak);
  if (stepper.ledger().available) {
    summary.add("energy_kinetic", stepper.ledger().kinetic);
    summary.add("energy_stored", stepper.ledger().stored);
    summary.add("energy_numerical_dissipation", stepper.ledger().numerical());
  }
  summary.write(results.folder() / "summary.json");
}

/// -help: the keys of every part are printed; nothing is run.
void print_help(MPI_Comm comm) {
  StepperOptions options;
  petsc::read_options(comm, "", "Stepper", [&](petsc::Options& o) { options.read(o); });
  (void)solid::read_kernel_options(comm);
  petsc::check(PetscPrintf(comm, "The solvers' own keys (-snes_*, -ksp_*, -pc_*, -mg_*): see PETSc's manual.\n"));
}

}  // namespace

void run(MPI_Comm comm) {
  const MemoryAtStart start;
  solid::Mesh mesh = solid::Mesh::from_options(comm);
  const Case given = read_case(mesh);
  if (petsc::has_option("", "-help")) return print_help(comm);
  check_names(mesh);

  StepperOptions defaults;
  solid::Body body(std::move(mesh), static_cast<int>(given.degree));
  apply(given, body);
  if (given.dry_run) return dry_run(given, body, start);
  body.set_up();
  Stepper stepper(body, body.layout(), defaults);
  stepper.keep_ledger(given.csv_every > 0);
  stepper.set_from_options();
  if (!given.only_static) require_time(stepper.options());
  warn_of_unread_options(comm);

  Results results(given, body);
  const PetscInt dofs = global_size(body.layout());
  petsc::check(PetscPrintf(
      comm, "gearshift-solid: %" PetscInt_FMT " cells of degree %d, %" PetscInt_FMT " DoFs; results in %s\n",
      body.mesh().global_cells(), body.space().degree(), dofs, results.folder().c_str()));
  {
    const auto q = initial_values(body, given.initial_displacement), v = initial_values(body, given.initial_velocity);
    stepper.set_initial_state(0, q.get(), v.get());
  }
  Progress progress(comm, 0, stepper.options().t_end, stepper.options().dt);
  try {
    if (given.only_static)
      solve_static(given, body, stepper, progress, &results);
    else
      integrate(given, body, stepper, progress, results);
  } catch (const std::exception& error) {
    write_summary(results, body, stepper, progress, start, error.what());
    throw;
  }
  write_summary(results, body, stepper, progress, start, "");
  progress.close(stepper.state().t, dofs);
}

}  // namespace gearshift::app
