#include "app/words.hpp"

#include <gearshift/petsc/options.hpp>

#include "petsc/queries.hpp"

#include <cmath>
#include <string>

namespace gearshift::app {
namespace {

void add_place(io::Summary& summary, const std::string& key, double value, PetscReal t, const solid::Vec3& X) {
  summary.add(key, value);
  summary.add(key + "_t", t);
  summary.add(key + "_x", X[0]);
  summary.add(key + "_y", X[1]);
  summary.add(key + "_z", X[2]);
}

void add_legend(io::Summary& summary, const std::string& field, const std::string& label, const std::string& unit) {
  if (label.empty()) return;
  summary.add("label_" + field, label);
  if (!unit.empty()) summary.add("unit_" + field, unit);
}

/// Adds the labels and units of the fields in the files of the run, for legends.
void add_legends(io::Summary& summary, const Case& given) {
  const ResultSettings& results = given.results;
  const Units& units = results.units;
  if (!units.names().empty()) summary.add("units", units.names());
  if (given.analysis.modes > 0) add_legend(summary, "mode", "mode shape", "");
  if (results.writes_frames())
    for (const std::string& field : results.fields) {
      const auto [label, quantity] = legend_of_field(field);
      add_legend(summary, field, label, units.of(quantity));
    }
  for (const std::string& field : results.envelope) {
    const auto [label, quantity] = legend_of_field(field);
    add_legend(summary, field + "_max", "peak " + label, units.of(quantity));
    if (given.analysis.has_time())
      add_legend(summary, field + "_time", "time of the peak " + label, units.of(Quantity::time));
    else
      add_legend(summary, field + "_time", "load factor of the peak " + label, "");
  }
}

}  // namespace

void print_first_words(const solid::Body& body, const Results& results) {
  const MPI_Comm comm = body.space().comm();
  petsc::check(PetscPrintf(
      comm, "gearshift-solid: %" PetscInt_FMT " cells of degree %d, %" PetscInt_FMT " DoFs; results in %s\n",
      body.mesh().global_cells(), body.space().degree(), petsc::size_of(body.layout()), results.folder().c_str()));
  if (!results.moved_to().empty())
    petsc::check(PetscPrintf(comm, "results of an earlier run were moved to %s\n", results.moved_to().c_str()));
}

void write_summary(const Run& run, const Outcome& outcome, double memory, const Analysis* analysis,
                   OnWriteError on_error) {
  const auto& [given, body, stepper, results, progress, resumed] = run;
  const int size = petsc::ranks_of(stepper.comm());
  io::Summary summary;
  summary.add("status", outcome.status);
  if (!outcome.reason.empty()) summary.add("reason", outcome.reason);
  if (!outcome.advice.empty()) summary.add("advice", outcome.advice);
  if (!outcome.failure.empty()) summary.add("failure", outcome.failure);
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
  if (const PetscReal unseen = progress.totals().unseen_frequency(); unseen > 0)
    summary.add("unseen_frequency", unseen);
  if (!progress.totals().preconditioner.empty()) summary.add("preconditioner", progress.totals().preconditioner);
  if (body.level_repairs() > 0) summary.add("preconditioner_repairs", body.level_repairs());
  if (body.levels_became_double()) summary.add("preconditioner_levels", "double");
  summary.add("wall_seconds", progress.seconds());
  summary.add("dofs", petsc::size_of(body.layout()));
  summary.add("cells", body.mesh().global_cells());
  summary.add("degree", body.space().degree());
  summary.add("order", stepper.options().order);
  summary.add("dt", stepper.options().dt);
  summary.add("ranks", size);
  summary.add("memory_per_rank", memory);
  if (analysis) analysis->add_to(summary);
  if (const auto most = results.stress_peak()) {
    add_place(summary, "von_mises_max", most->nodes.value, most->t, most->nodes.X);
    add_place(summary, "von_mises_points_max", most->points.value, most->t, most->points.X);
  }
  for (const Extreme& extreme : results.extremes())
    add_place(summary, "envelope_" + extreme.name, extreme.value, extreme.t, extreme.X);
  if (stepper.ledger().available) summary.add("energy_stored", stepper.ledger().stored);
  if (stepper.ledger().available && given.analysis.has_time()) {
    summary.add("energy_kinetic", stepper.ledger().kinetic);
    summary.add("energy_numerical_dissipation", stepper.ledger().numerical());
    summary.add("energy_gain", stepper.ledger().gain());
    const std::string remark = energy_remark(stepper.ledger(), stepper.options());
    if (!remark.empty()) summary.add("energy_warning", remark);
  }
  add_legends(summary, given);
  try {
    summary.write(stepper.comm(), results.folder() / "summary.json");
  } catch (const IoError& error) {  // the same on all ranks
    if (on_error == OnWriteError::stop) throw;
    petsc::check(
        PetscFPrintf(stepper.comm(), PETSC_STDERR, "warning: %s. The run ends without its summary\n", error.what()));
  }
}

void print_last_words(const Run& run, const Outcome& outcome, const Analysis& analysis) {
  const auto& [given, body, stepper, results, progress, resumed] = run;
  const MPI_Comm comm = stepper.comm();
  const char* const abscissa = given.analysis.has_time() ? "t =" : "load";
  if (!outcome.warning.empty())
    petsc::check(PetscFPrintf(comm, PETSC_STDERR, "warning: %s\n", outcome.warning.c_str()));
  analysis.print();
  if (const auto peak = results.stress_peak(); peak && std::isfinite(peak->nodes.value)) {
    petsc::check(PetscPrintf(comm, "greatest von Mises stress of the last frame, %s %.6g: %.6g at (%.6g, %.6g, %.6g)\n",
                             abscissa, peak->t, peak->nodes.value, peak->nodes.X[0], peak->nodes.X[1],
                             peak->nodes.X[2]));
    petsc::check(PetscPrintf(comm, "at quadrature points, before the recovery at nodes: %.6g at (%.6g, %.6g, %.6g)\n",
                             peak->points.value, peak->points.X[0], peak->points.X[1], peak->points.X[2]));
  }
  for (const Extreme& extreme : results.extremes())
    petsc::check(PetscPrintf(comm, "greatest %s of all steps: %.6g at %s %.6g, (%.6g, %.6g, %.6g)\n",
                             extreme.name.c_str(), extreme.value, abscissa, extreme.t, extreme.X[0], extreme.X[1],
                             extreme.X[2]));
  std::string remarks;
  for (const std::string& remark :
       {outcome.stability, energy_remark(stepper.ledger(), stepper.options()), outcome.growth, outcome.residual,
        cost_remark(progress.totals().unseen_frequency())})
    if (!remark.empty()) remarks += (remarks.empty() ? "" : "; ") + remark;
  progress.close(stepper.state().t, petsc::size_of(body.layout()), outcome, remarks);
}

}  // namespace gearshift::app
