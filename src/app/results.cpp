#include "app/results.hpp"

#include <gearshift/io/folder.hpp>
#include <gearshift/petsc/log.hpp>

#include <array>
#include <cstdio>

namespace gearshift::app {
namespace {

/// The folder must stand before any file in it is opened.
const std::string& prepared(const solid::Body& body, const Case& given) {
  const std::filesystem::path folder(given.output);
  io::prepare_folder(body.space().comm(), folder);
  if (given.vtk_every > 0) io::prepare_folder(body.space().comm(), folder / "solution");
  return given.output;
}

}  // namespace

Results::Results(const Case& given, const solid::Body& body)
    : folder_(prepared(body, given)),
      vtk_every_(given.vtk_every),
      csv_every_(given.csv_every),
      vtu_(body.space()),
      series_(body.space().comm(), folder_ / "solution.pvd"),
      probes_(body.space()) {
  const MPI_Comm comm = body.space().comm();
  for (const auto& [name, X] : given.probes) probes_.add(name, X, folder_);
  if (csv_every_ == 0) return;
  energy_.emplace(comm, folder_ / "energy.csv", "t,kinetic,stored,work_loads,work_reactions,dissipated,numerical");
  steps_.emplace(comm, folder_ / "steps.csv", "step,t,dt,order,error,newton,krylov,attempts,seconds");
}

void Results::write(PetscInt step, const State& state, const EnergyLedger& ledger, bool last) {
  const petsc::ScopedStage stage(petsc::Stage::output);
  if (csv_every_ > 0 && step != last_csv_ && (last || step % csv_every_ == 0)) {
    last_csv_ = step;
    probes_.write(state);
    if (ledger.available)
      energy_->row(std::array{state.t, ledger.kinetic, ledger.stored, ledger.work_loads, ledger.work_reactions,
                              ledger.dissipated, ledger.numerical()});
  }
  if (vtk_every_ > 0 && step != last_vtk_ && (last || step % vtk_every_ == 0)) {
    last_vtk_ = step;
    std::array<char, 24> name{};
    std::snprintf(name.data(), name.size(), "%06ld", static_cast<long>(step));
    const std::array fields{io::VtuWriter::PointField{"displacement", state.q},
                            io::VtuWriter::PointField{"velocity", state.v}};
    series_.add(state.t, "solution/" + vtu_.write(folder_ / "solution", name.data(), fields));
  }
}

void Results::write_report(const StepReport& report) {
  if (!steps_) return;
  double seconds = 0;
  for (const PetscLogDouble s : report.iteration_seconds) seconds += s;
  steps_->row(std::array{static_cast<double>(report.step), report.t, report.dt, static_cast<double>(report.order),
                         report.error, static_cast<double>(report.newton_iterations),
                         static_cast<double>(report.krylov_iterations), static_cast<double>(report.attempts), seconds});
}

}  // namespace gearshift::app
