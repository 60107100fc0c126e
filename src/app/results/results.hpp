#pragma once

/// @file
/// The result files of one run.

#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/io/folder.hpp>
#include <gearshift/io/probes.hpp>
#include <gearshift/io/table.hpp>

#include "app/results/envelope.hpp"
#include "app/results/frames.hpp"
#include "app/results/settings.hpp"
#include "app/results/write_errors.hpp"

#include <filesystem>
#include <optional>
#include <span>

namespace gearshift::app {

/// Frames, envelopes, probe_<name>.csv, forces.csv, momentum.csv, energy.csv, energy_regions.csv and steps.csv in the
/// output folder, which is this run's alone while the object lives. forces.csv has what the supports and the loads of each
/// face exert on the body, as force and moment about the origin; in a motion from its first step on. In a static solution the load
/// steps take the place of steps and the load factor that of the time; energy.csv has the stored energy alone, since the
/// path between equilibria, and the work done on it, is not computed. Every function is collective.
class Results {
 public:
  /// Creates the folder and the files; if they are resumed, archive() must load their state before the first write.
  /// Throws IoError, and OptionError for a probe outside.
  Results(const ResultSettings& given, Along along, const solid::Body& body, bool resume);

  /// A run that continues from a checkpoint has reached this time; before the first write.
  void go_on_from(PetscReal t) { frames_.go_on_from(t); }

  /// Writes what is due at this step: frames, rows of every csv_every-th one, and everything if it is the `last` one.
  void write(PetscInt step, const Stepper& stepper, bool last) { write(step, stepper.state().t, stepper, last); }
  /// The same of a load step, and its row of steps.csv.
  void write_load_step(PetscInt step, PetscReal factor, const Stepper& stepper, const Report& report, bool last);
  /// Makes the load step that was written last the last one of all: writes what was not due.
  void end_load_steps(PetscInt step, PetscReal factor, const Stepper& stepper) { write(step, factor, stepper, true); }

  /// A row of steps.csv; for every step in time.
  void write_report(const StepReport& report);

  /// Lets the envelopes alone see a step; write() does so too.
  void look(const Stepper& stepper) { envelope_.update(stepper.state().t, stepper.end_of_step(), true); }
  /// Keeps the envelopes as they are; and puts back what was kept, where the steps since then are void.
  void keep() { envelope_.keep(); }
  void go_back() { envelope_.go_back(); }
  /// Of the envelopes.
  std::vector<Extreme> extremes() const { return envelope_.extremes(); }

  /// The state of all files. Saving flushes them to disk; loading cuts off what was written later.
  void archive(Archive& state);

  /// Completes the files.
  void close();

  /// Of the last frame; nullopt without stresses.
  std::optional<StressPeak> stress_peak() const { return frames_.stress_peak(); }

  const std::filesystem::path& folder() const { return folder_.path(); }
  /// The folder that earlier results were moved to; empty if there were none.
  const std::filesystem::path& moved_to() const { return folder_.moved_to(); }

 private:
  void write(PetscInt step, PetscReal t, const Stepper& stepper, bool last);
  void write_probes(PetscReal t, State state, bool moving);
  void write_regions(PetscReal t, const State& state);
  void write_energy(PetscReal t, const EnergyLedger& ledger);
  void write_sums(PetscReal t, const Stepper& stepper, bool with_forces);
  /// Gives the table up if a row cannot be written.
  void add_row(std::optional<io::Table>& table, const char* without, std::span<const double> numbers);
  void archive_table(Archive& state, const char* name, const char* header, std::optional<io::Table>& table);
  const solid::Body& body_;
  MPI_Comm comm_;
  WriteErrors errors_;
  Along along_;
  PetscInt csv_every_;
  PetscInt last_csv_ = -1;
  Fields probe_fields_;
  io::Probes probes_;
  io::OutputFolder folder_;
  Fields fields_;  // of frames and envelopes
  Frames frames_;
  Envelope envelope_;
  bool with_probes_ = true;
  std::string forces_columns_;
  std::string regions_columns_;
  std::optional<io::Table> energy_, regions_, forces_, momentum_, steps_;
};

}  // namespace gearshift::app
