#pragma once

/// @file
/// The files of one run.

#include <gearshift/dynamics/energy_ledger.hpp>
#include <gearshift/dynamics/report.hpp>
#include <gearshift/io/probes.hpp>
#include <gearshift/io/series.hpp>
#include <gearshift/io/table.hpp>
#include <gearshift/io/vtu.hpp>

#include "app/case.hpp"

#include <filesystem>
#include <optional>

namespace gearshift::app {

/// solution.pvd with solution/<step>.vtu, probe_<name>.csv, energy.csv and steps.csv in the output folder.
class Results {
 public:
  /// Makes the folder and begins the files. Collective. Throws IoError, and OptionError for a probe outside.
  Results(const Case& given, const solid::Body& body);

  /// What is asked for at this step: each vtk_every-th and csv_every-th one, and all of it when `last`.
  void write(PetscInt step, const State& state, const EnergyLedger& ledger, bool last);

  /// A row of steps.csv; for every step.
  void write_report(const StepReport& report);

  const std::filesystem::path& folder() const { return folder_; }
  bool has_vtk() const { return vtk_every_ > 0; }

 private:
  std::filesystem::path folder_;
  PetscInt vtk_every_, csv_every_;
  PetscInt last_vtk_ = -1, last_csv_ = -1;
  io::VtuWriter vtu_;
  io::PvdSeries series_;
  io::Probes probes_;
  std::optional<io::Table> energy_, steps_;
};

}  // namespace gearshift::app
