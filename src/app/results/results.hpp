#pragma once

/// @file
/// The result files of one run.

#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/io/folder.hpp>
#include <gearshift/io/probes.hpp>

#include "app/results/envelope.hpp"
#include "app/results/frames.hpp"
#include "app/results/result_table.hpp"
#include "app/results/settings.hpp"
#include "app/results/write_errors.hpp"

#include <array>
#include <filesystem>
#include <optional>

namespace gearshift::app {

/// Writes frames, envelopes, probe_<name>.csv, forces.csv, momentum.csv, energy.csv, energy_regions.csv and steps.csv
/// to the output folder, which no other run can use while the object lives. forces.csv contains the force and the
/// moment about the origin that the supports and the loads of each face exert on the body; in a motion its rows begin
/// with the first step. In a static solution rows and frames belong to load steps instead of steps, with the load
/// factor instead of the time; energy.csv contains only the stored energy, since the path between equilibria, and the
/// work done along it, is not computed. Every function is collective.
class Results {
 public:
  /// Creates the folder and the files; if `resume`, archive() must load their state before the first write. Throws
  /// IoError, and OptionError for a probe outside of the mesh.
  Results(const ResultSettings& given, Along along, const solid::Body& body, bool resume);

  /// Sets the time that a run which continues from a checkpoint has already reached; call it before the first write.
  void go_on_from(PetscReal t) { frames_.go_on_from(t); }

  /// Writes the results due at this step: frames, rows at every csv_every-th step, and everything at the `last` step.
  void write(PetscInt step, const Stepper& stepper, bool last) { write(step, stepper.state().t, stepper, last); }
  /// Writes the results due at a load step, and its row of steps.csv.
  void write_load_step(PetscInt step, PetscReal factor, const Stepper& stepper, const Report& report, bool last);
  /// Makes the last written load step the end of the run: writes the results that were not due before.
  void end_load_steps(PetscInt step, PetscReal factor, const Stepper& stepper) { write(step, factor, stepper, true); }

  /// Writes a row of steps.csv; to be called for every time step.
  void write_report(const StepReport& report);

  /// Updates only the envelopes by a step; write() does so, too.
  void look(const Stepper& stepper) { envelope_.update(stepper.state().t, stepper.end_of_step(), true); }
  /// Saves the envelopes; go_back() restores them and so discards the steps since then.
  void keep() { envelope_.keep(); }
  void go_back() { envelope_.go_back(); }
  /// Returns the largest values of the envelopes.
  std::vector<Extreme> extremes() const { return envelope_.extremes(); }

  /// Saves or loads the state of all files. Saving flushes them to the disk; loading removes rows and frames that were
  /// written later.
  void archive(Archive& state);

  /// Completes the files.
  void close();

  /// Returns the largest stress of the last frame; nullopt without stresses.
  std::optional<StressPeak> stress_peak() const { return frames_.stress_peak(); }

  const std::filesystem::path& folder() const { return folder_.path(); }
  /// Returns the folder to which earlier results were moved; empty if there were none.
  const std::filesystem::path& moved_to() const { return folder_.moved_to(); }

 private:
  void write(PetscInt step, PetscReal t, const Stepper& stepper, bool last);
  ResultTable table(const char* name, std::string columns) const;
  void write_probes(PetscReal t, State state, bool moving);
  void write_regions(PetscReal t, const State& state);
  void write_energy(PetscReal t, const EnergyLedger& ledger);
  void write_sums(PetscReal t, const Stepper& stepper, bool with_forces);

  const solid::Body& body_;
  WriteErrors errors_;
  Along along_;
  PetscInt csv_every_;
  bool contacts_;
  PetscInt last_csv_ = -1;
  Fields probe_fields_;
  io::Probes probes_;
  io::OutputFolder folder_;
  Fields fields_;  // for frames and envelopes
  Frames frames_;
  Envelope envelope_;
  bool with_probes_ = true;
  enum TableName { energy, regions, forces, momentum, steps };
  std::array<ResultTable, 5> tables_;
};

}  // namespace gearshift::app
