#include "app/run.hpp"

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/io/folder.hpp>
#include <gearshift/io/summary.hpp>
#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/options.hpp>
#include <gearshift/petsc/stop_signals.hpp>

#include "app/analyses/coupled_run.hpp"
#include "app/analyses/dry_run.hpp"
#include "app/analyses/equilibrium_result.hpp"
#include "app/analyses/modes.hpp"
#include "app/analyses/outcome.hpp"
#include "app/analyses/residual_left.hpp"
#include "app/analyses/statics.hpp"
#include "app/analyses/transfer.hpp"
#include "app/case/advice.hpp"
#include "app/case/case.hpp"
#include "app/case/known_keys.hpp"
#include "app/case/usage.hpp"
#include "app/coupling/coupling.hpp"
#include "app/results/progress.hpp"
#include "app/results/results.hpp"
#include "dynamics/run/checkpoint_file.hpp"
#include "petsc/log.hpp"
#include "petsc/option_catalogue.hpp"

#include <array>
#include <cmath>
#include <filesystem>
#include <optional>

namespace gearshift::app {
namespace {

PetscInt global_size(Vec vec) {
  PetscInt size = 0;
  petsc::check(VecGetSize(vec, &size));
  return size;
}

petsc::Handle<Vec> initial_values(const solid::Body& body, const std::optional<solid::VectorExpression>& value,
                                  const char* key) {
  petsc::Handle<Vec> vec;
  petsc::check(VecDuplicate(body.layout(), vec.out()));
  petsc::check(VecSet(vec.get(), 0));
  if (!value) return vec;
  body.interpolate(value->field(), 0, vec.get());
  PetscReal norm = 0;
  petsc::check(VecNorm(vec.get(), NORM_1, &norm));
  if (!std::isfinite(norm))
    throw OptionError(std::string("option ") + key +
                      ": it is not finite at a node of the body; check its formulas there");
  return vec;
}

/// A checkpoint may lie in the folder of results or below: it is made before the stepper looks for it. Collective.
void prepare_folder_of_checkpoint(MPI_Comm comm, const Case& given) {
  namespace fs = std::filesystem;
  std::array<char, PETSC_MAX_PATH_LEN> file{};
  petsc::check(PetscOptionsGetString(nullptr, nullptr, "-gear_checkpoint", file.data(), file.size(), nullptr));
  const fs::path folder = fs::path(file.data()).parent_path();
  if (folder.empty()) return;
  const std::string relative = fs::absolute(folder)
                                   .lexically_normal()
                                   .lexically_relative(fs::absolute(given.output).lexically_normal())
                                   .string();
  if (!relative.empty() && !relative.starts_with("..")) io::prepare_folder(comm, folder);
}

void require_time(const Case& given, const StepperOptions& options) {
  if (!(options.dt > 0) && options.adapt == Adapt::none)
    throw OptionError(
        "option -gear_dt: give the time step, a number above 0 (or -gear_adapt order for steps that follow the error, "
        "or -static for the equilibrium only)");
  if (!(options.t_end > 0) || !std::isfinite(options.t_end))
    throw OptionError("option -gear_t_end: give the end of the run, a time above 0");
  if (options.dt > 0 && !(options.t_end + options.dt > options.t_end))
    throw OptionError("option -gear_dt: a step as small as this is lost to rounding beside -gear_t_end");
  if (given.frame_times.multiples(options.t_end) > 1e6)
    throw OptionError("option -output_dt: more than a million frames until -gear_t_end; give a longer time");
}

/// Steps to the end, or to where the run stops before it.
/// @param coupling nullptr: the body is alone
/// @param stability receives a warning about the equilibrium that the run starts from, if there is one
/// @param left looks at each solve
Report integrate(const Case& given, solid::Body& body, Coupling* coupling, Stepper& stepper, Progress& progress,
                 Results& results, bool resumed, std::string& stability, ResidualLeft& left) {
  if (given.static_first && !resumed) {
    const Equilibrium found = solve_static(given, body, stepper, progress, nullptr, left);
    if (found.refusal)
      throw StepFailed("no equilibrium to start from: " + found.refusal.reason + "; " + found.refusal.advice, 0, 0);
    if (!found.remark.empty()) stability = "at the start " + found.remark;
    const auto velocity = initial_values(body, given.initial_velocity, "-initial_velocity");
    stepper.set_velocity(velocity.get());
  }
  const PetscReal t_end = stepper.options().t_end;
  if (!resumed) results.write(0, stepper, false);
  if (petsc::has_option("", "-snes_rtol") || petsc::has_option("", "-snes_atol"))
    stepper.add_monitor([&](const Stepper& s, const StepReport& report) { left.look(s, report); });
  if (coupling) return run_coupled(*coupling, stepper, progress, results);
  stepper.add_monitor([&](const Stepper& s, const StepReport& report) {
    results.write_report(report);
    results.write(s.step_count(), s, report.t >= t_end);
    progress.step(report);
  });
  return stepper.run();
}

/// Runs the case to its end, or as far as possible; a motion leaves its last state in either case.
Outcome carry_out(const Case& given, solid::Body& body, Coupling* coupling, Stepper& stepper, Progress& progress,
                  Results& results, bool resumed) {
  Outcome outcome;
  std::string stability;
  ResidualLeft left;
  std::optional<StopSignals> signals;
  if (!given.only_static) signals.emplace();
  try {
    if (given.only_static) {
      Equilibrium found;
      if (!given.only_modes) found = solve_static(given, body, stepper, progress, &results, left);
      stability = found.remark;
      if (found.refusal) outcome = outcome_of(found);
      if (given.modes > 0) {
        if ((found.unstable || found.refusal.unstable) && given.modes_shift == 0)
          throw Error(
              "-modes: the equilibrium is unstable: the body buckles, and has no lowest natural frequency there; give "
              "smaller loads, or an imperfection whose equilibrium is stable");
        if (found.refusal) throw Error("-modes: " + found.refusal.reason + "; " + found.refusal.advice);
        const solid::Modes modes =
            write_modes(body, stepper, given.modes, given.modes_shift, results.folder(), given.frame_format);
        if (given.transfer) write_transfer(given, body, stepper, modes, results.folder());
      }
    } else {
      const Report report = integrate(given, body, coupling, stepper, progress, results, resumed, stability, left);
      StepperOptions options = stepper.options();
      if (coupling && report.reason == StopReason::reached_end) options.t_end = report.t;  // the partners' end
      outcome = outcome_of(report, options, stepper.comm());
      outcome.growth = growth_remark(report);
      outcome.warning = warning_about(report, stepper.options());
    }
  } catch (const StepFailed& failure) {
    outcome = outcome_of(failure);
    petsc::check(PetscFPrintf(stepper.comm(), PETSC_STDERR, "error: %s\n", failure.what()));
  }
  if (!given.only_static && !coupling) results.write(stepper.step_count(), stepper, true);
  results.close();
  outcome.stability = stability;
  outcome.residual = left.remark();
  return outcome;
}

/// Whether the run continues from a checkpoint. Throws if the checkpoint numbers the unknowns differently.
bool resumes(const Case& given, const solid::Body& body, const StepperOptions& options, MPI_Comm comm) {
  if (options.restart.empty()) return false;
  if (given.only_static)
    throw OptionError(
        "option -gear_restart: a static solution has no steps to continue from; leave out one of -gear_restart and "
        "-static");
  if (find_checkpoint(comm, options.restart).empty()) return false;
  if (body.natural_numbering()) return true;
  int size = 1;
  MPI_Comm_size(comm, &size);
  const auto written = read_checkpoint_header(comm, options.restart).integers.at("ranks");
  if (written != size)
    throw IoError("the checkpoint '" + options.restart + "' was written on " + std::to_string(written) +
                  " ranks, but this run has " + std::to_string(size) + ": continue with as many as before");
  return true;
}

void write_summary(const Case& given, const Results& results, const solid::Body& body, const Stepper& stepper,
                   const Progress& progress, const MemoryAtStart& start, const Outcome& outcome,
                   const EquilibriumResult* equilibrium) {
  int size = 1;
  MPI_Comm_size(stepper.comm(), &size);
  const PetscInt dofs = global_size(body.layout());
  const double peak = start.peak_since(stepper.comm());
  io::Summary summary;
  summary.add("status", outcome.status);
  if (!outcome.reason.empty()) summary.add(outcome.status == "failed" ? "failure" : "reason", outcome.reason);
  if (!outcome.advice.empty()) summary.add("advice", outcome.advice);
  if (!outcome.growth.empty()) summary.add("growth_warning", outcome.growth);
  if (!outcome.stability.empty()) summary.add("stability_warning", outcome.stability);
  if (!outcome.residual.empty()) summary.add("residual_warning", outcome.residual);
  if (!outcome.warning.empty()) summary.add("warning", outcome.warning);
  summary.add("t", stepper.state().t);
  if (outcome.load)
    summary.add("load", *outcome.load);
  else if (outcome.code != reached_end)
    summary.add("t_end", stepper.options().t_end);
  summary.add("steps", progress.totals().steps);
  summary.add("steps_by_esdirk", progress.totals().esdirk);
  summary.add("rejected", progress.totals().rejected);
  summary.add("newton_iterations", progress.totals().newton);
  summary.add("krylov_iterations", progress.totals().krylov);
  if (body.level_repairs() > 0) summary.add("preconditioner_repairs", body.level_repairs());
  if (body.levels_became_double()) summary.add("preconditioner_levels", "double");
  summary.add("wall_seconds", progress.seconds());
  summary.add("dofs", dofs);
  summary.add("cells", body.mesh().global_cells());
  summary.add("degree", body.space().degree());
  summary.add("order", stepper.options().order);
  summary.add("dt", stepper.options().dt);
  summary.add("ranks", size);
  summary.add("memory_per_rank", peak);
  if (equilibrium) equilibrium->add_to(summary);
  if (const auto most = results.stress_peak()) {
    for (const auto& [key, place] :
         {std::pair<std::string, Place>{"von_mises_max", most->nodes}, {"von_mises_points_max", most->points}}) {
      summary.add(key, place.value);
      summary.add(key + "_t", most->t);
      summary.add(key + "_x", place.X[0]);
      summary.add(key + "_y", place.X[1]);
      summary.add(key + "_z", place.X[2]);
    }
  }
  for (const Extreme& extreme : results.extremes()) {
    const std::string key = "envelope_" + extreme.name;
    summary.add(key, extreme.value);
    summary.add(key + "_t", extreme.t);
    summary.add(key + "_x", extreme.X[0]);
    summary.add(key + "_y", extreme.X[1]);
    summary.add(key + "_z", extreme.X[2]);
  }
  if (stepper.ledger().available) summary.add("energy_stored", stepper.ledger().stored);
  if (stepper.ledger().available && !given.only_static) {
    summary.add("energy_kinetic", stepper.ledger().kinetic);
    summary.add("energy_numerical_dissipation", stepper.ledger().numerical());
    summary.add("energy_gain", stepper.ledger().gain());
    const std::string remark = energy_remark(stepper.ledger(), stepper.options());
    if (!remark.empty()) summary.add("energy_warning", remark);
  }
  summary.write(stepper.comm(), results.folder() / "summary.json");
}

/// After an error, which a failure to write the summary must not hide.
void try_to_write_summary(const Case& given, const Results& results, const solid::Body& body, const Stepper& stepper,
                          const Progress& progress, const MemoryAtStart& start, const std::string& failure) {
  try {
    write_summary(given, results, body, stepper, progress, start, {unfinished, "failed", failure, ""}, nullptr);
  } catch (const IoError& error) {
    petsc::check(PetscFPrintf(stepper.comm(), PETSC_STDERR, "warning: %s\n", error.what()));
  }
}

}  // namespace

int run(MPI_Comm comm) {
  const MemoryAtStart start;
  if (asked_for_usage(comm)) return 1;
  solid::Mesh mesh = solid::Mesh::from_options(comm);
  // First: a name that is refused may be one of these.
  for (const std::string& remark : mesh.remarks())
    petsc::check(PetscFPrintf(comm, PETSC_STDERR, "note: %s\n", remark.c_str()));
  const petsc::OptionCatalogue catalogue;
  const Case given = read_case(comm, {mesh.face_names(), mesh.region_names()});
  catalogue_later_keys(comm);
  if (petsc::has_option("", "-help")) {  // PETSc prints what is read
    print_solver_keys(comm);
    return 0;
  }
  std::vector<std::string> probes;
  for (const auto& [name, X] : given.probes) probes.push_back(name);
  check_keys(mesh, probes, catalogue, given.strict);

  StepperOptions defaults;
  solid::Body body(std::move(mesh), static_cast<int>(given.degree));
  apply(given, body);
  warn_of_locking(given, body, comm);
  if (given.dry_run) {
    dry_run(given, body, start);
    return 0;
  }
  std::optional<Coupling> coupling;
  if (given.coupling.given()) coupling.emplace(given.coupling, body);
  body.set_up();
  note_pressures(given, body, comm);
  if (given.modes > 0) {
    solid::Modes::require_symmetric(body);
    note_moduli_of_modes(given, body, comm);
  }
  Stepper stepper(body, body.layout(), defaults);
  if (given.csv_every > 0) stepper.keep_ledger();
  prepare_folder_of_checkpoint(comm, given);
  stepper.set_from_options();
  if (!given.only_static) require_time(given, stepper.options());
  if (const std::size_t late = given.frame_times.later_than(stepper.options().t_end); late > 0)
    petsc::check(PetscFPrintf(comm, PETSC_STDERR, "note: %zu of the times of -output_times lie after -gear_t_end %g\n",
                              late, stepper.options().t_end));
  note_what_has_no_effect(given, stepper.options(), comm);
  note_order_of_flow(given, body, stepper.options(), comm);
  note_damping_that_jumps(given, body, stepper.options(), comm);
  note_free_statics(given, body, comm);

  const bool resumed = resumes(given, body, stepper.options(), comm);
  Results results(given, body, resumed);
  const PetscInt dofs = global_size(body.layout());
  petsc::check(PetscPrintf(
      comm, "gearshift-solid: %" PetscInt_FMT " cells of degree %d, %" PetscInt_FMT " DoFs; results in %s\n",
      body.mesh().global_cells(), body.space().degree(), dofs, results.folder().c_str()));
  if (!results.moved_to().empty())
    petsc::check(PetscPrintf(comm, "results of an earlier run are now in %s\n", results.moved_to().c_str()));
  Progress progress(comm, stepper.options().t_end, stepper.options().dt);
  stepper.add_state([&](Archive& state) {
    results.archive(state);
    progress.archive(state);
    if (coupling) coupling->archive(state);
  });
  {
    // Load steps move supports from where they are without loads, where natural frequencies alone leave them.
    if (given.only_static || (given.static_first && !resumed)) body.set_load_factor(0);
    const auto q = initial_values(body, given.initial_displacement, "-initial_displacement"),
               v = initial_values(body, given.initial_velocity, "-initial_velocity");
    stepper.set_initial_state(0, q.get(), v.get());  // or continues from the checkpoint
    if (given.only_modes) body.set_load_factor(1);
  }
  if (resumed) results.go_on_from(stepper.state().t);
  progress.begin(stepper.state().t);
  Outcome outcome;
  try {
    outcome = carry_out(given, body, coupling ? &*coupling : nullptr, stepper, progress, results, resumed);
  } catch (const std::exception& error) {
    try_to_write_summary(given, results, body, stepper, progress, start, error.what());
    throw;
  }
  std::optional<EquilibriumResult> equilibrium;
  if (given.finds_equilibrium()) equilibrium.emplace(body, stepper);
  try {
    write_summary(given, results, body, stepper, progress, start, outcome, equilibrium ? &*equilibrium : nullptr);
  } catch (const IoError& error) {  // the same on all ranks
    if (given.on_write_error == OnWriteError::stop) throw;
    petsc::check(PetscFPrintf(comm, PETSC_STDERR, "warning: %s. The run ends without its summary\n", error.what()));
  }
  if (!outcome.warning.empty())
    petsc::check(PetscFPrintf(comm, PETSC_STDERR, "warning: %s\n", outcome.warning.c_str()));
  if (equilibrium) equilibrium->print(comm);
  if (const auto peak = results.stress_peak()) {
    petsc::check(PetscPrintf(comm, "greatest von Mises stress of the last frame, %s %.6g: %.6g at (%.6g, %.6g, %.6g)\n",
                             given.only_static ? "load" : "t =", peak->t, peak->nodes.value, peak->nodes.X[0],
                             peak->nodes.X[1], peak->nodes.X[2]));
    petsc::check(PetscPrintf(comm, "at quadrature points, before the recovery at nodes: %.6g at (%.6g, %.6g, %.6g)\n",
                             peak->points.value, peak->points.X[0], peak->points.X[1], peak->points.X[2]));
  }
  for (const Extreme& extreme : results.extremes())
    petsc::check(PetscPrintf(comm, "greatest %s of all steps: %.6g at %s %.6g, (%.6g, %.6g, %.6g)\n",
                             extreme.name.c_str(), extreme.value, given.only_static ? "load" : "t =", extreme.t,
                             extreme.X[0], extreme.X[1], extreme.X[2]));
  std::string remarks;
  for (const std::string& remark :
       {outcome.stability, energy_remark(stepper.ledger(), stepper.options()), outcome.growth, outcome.residual})
    if (!remark.empty()) remarks += (remarks.empty() ? "" : "; ") + remark;
  progress.close(stepper.state().t, dofs, outcome, remarks);
  return outcome.code;
}

}  // namespace gearshift::app
