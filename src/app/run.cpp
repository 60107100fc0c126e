#include "app/run.hpp"

#include <gearshift/petsc/options.hpp>
#include <gearshift/solid/modes.hpp>
#include <gearshift/version.h>

#include "app/analyses/dry_run.hpp"
#include "app/analyses/dynamics.hpp"
#include "app/analyses/restart.hpp"
#include "app/case/advice.hpp"
#include "app/case/known_keys.hpp"
#include "app/case/option_origin.hpp"
#include "app/case/usage.hpp"
#include "app/words.hpp"
#include "petsc/options/option_catalogue.hpp"
#include "petsc/queries.hpp"

#include <optional>

namespace gearshift::app {
namespace {

/// Runs the analysis from the initial state to the last printed lines.
ExitCode analyse(const Run& run, Coupling* coupling, const MemoryAtStart& start) {
  const MPI_Comm comm = run.stepper.comm();
  const auto analysis = make_analysis(run, coupling);
  analysis->begin();
  if (!run.resumed) analysis->contacts().warn_of_overlaps();
  if (run.resumed) run.results.go_on_from(run.stepper.state().t);
  run.progress.begin(run.stepper.state().t);
  Outcome outcome;
  try {
    outcome = analysis->carry_out();
  } catch (const std::exception& error) {
    // A failure to write the summary must not hide this error.
    const Outcome failed{.code = unfinished, .status = "failed", .failure = error.what()};
    write_summary(run, failed, start.peak_since(comm), nullptr, OnWriteError::go_on);
    throw;
  }
  write_summary(run, outcome, start.peak_since(comm), analysis.get(), run.given.results.on_write_error);
  print_last_words(run, outcome, *analysis);
  return outcome.code;
}

int run_case(MPI_Comm comm) {
  const MemoryAtStart start;
  if (petsc::has_option("", "-version")) {  // PETSc has printed its own
    petsc::check(PetscPrintf(comm, "gearshift %s\n", GEARSHIFT_VERSION));
    return 0;
  }
  if (asked_for_usage(comm)) return 1;
  solid::Mesh mesh = solid::Mesh::from_options(comm);
  const bool help = petsc::has_option("", "-help");
  // Printed before the case is read, because a name refused there may be one of these.
  if (!help)
    for (const std::string& remark : mesh.remarks())
      petsc::check(PetscFPrintf(comm, PETSC_STDERR, "note: %s\n", remark.c_str()));
  const petsc::OptionCatalogue catalogue;
  const Case given = read_case(comm, Names::of(mesh));
  catalogue_later_keys(comm);
  if (help) {  // PETSc prints the options that are read
    print_solver_keys(comm);
    return 0;
  }
  check_keys(mesh, given, catalogue);

  solid::Body body(std::move(mesh), static_cast<int>(given.degree));
  apply(given, body);
  warn_of_locking(given, body, comm);
  if (given.analysis.dry_run) {
    dry_run(given, body, start);
    return 0;
  }
  std::optional<Coupling> coupling;
  if (given.coupling.given()) coupling.emplace(given.coupling, body);
  body.set_up();
  note_pressures(given, body, comm);
  if (given.analysis.modes > 0) {
    solid::Modes::require_symmetric(body);
    note_moduli_of_modes(given, body, comm);
    note_modes_of_contacts(given, comm);
  }
  Stepper stepper(body, body.layout(), Dynamics::default_steps(given));
  if (given.results.csv_every > 0) stepper.keep_ledger();
  prepare_folder_of_checkpoint(comm, given);
  stepper.set_from_options();
  if (given.analysis.has_time()) Dynamics::require_time(given, stepper.options());
  note_about_steps(given, body, stepper.options(), comm);

  const bool resumed = resumes(given, body, stepper.options());
  Results results(given.results, given.analysis.has_time() ? Along::time : Along::load, body, resumed);
  print_first_words(body, results);
  Progress progress(comm, stepper.options().t_end, stepper.options().dt, given.results.frame_times.interval());
  stepper.add_state([&](Archive& state) {
    results.archive(state);
    progress.archive(state);
    if (coupling) coupling->archive(state);
  });
  return analyse({given, body, stepper, results, progress, resumed}, coupling ? &*coupling : nullptr, start);
}

}  // namespace

int run(MPI_Comm comm) {
  const auto throw_again = [comm]<class Failure>(const Failure& error) {
    throw petsc::rank_of(comm) == 0 ? Failure(with_origin(error.what())) : error;
  };
  try {
    return run_case(comm);
  } catch (const OptionError& error) {
    throw_again(error);
  } catch (const IoError& error) {
    throw_again(error);
  } catch (const MeshError& error) {
    throw_again(error);
  }
  return 1;
}

}  // namespace gearshift::app
