#pragma once

/// @file
/// The frames of one run.

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/io/frame_writer.hpp>
#include <gearshift/io/series.hpp>

#include "app/results/fields.hpp"
#include "app/results/frame_times.hpp"
#include "app/results/settings.hpp"
#include "app/results/write_errors.hpp"

#include <array>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gearshift::app {

/// Values of -output_format, in the order of io::FrameFormat.
inline constexpr std::array frame_formats{"vtu", "vtkhdf"};

/// Writes solution.pvd with solution/<number>.vtu, or solution.vtkhdf.series with solution/<number>.vtkhdf, for every
/// n-th step or load step, and at times between steps by dense output, without a change of the steps. The numbers are
/// those of the steps (of the time windows in a coupled run) or, if there are frames between steps, the frames are
/// counted. Every function is collective.
class Frames {
 public:
  /// Prepares the frames in a folder that only this run uses. Throws IoError.
  /// @param fields contains the fields of the frames, and must outlive them
  Frames(const ResultSettings& given, Along along, const solid::Body& body, Fields& fields,
         const std::filesystem::path& folder);

  /// Sets the time that a run which continues from a checkpoint has already reached.
  void go_on_from(PetscReal t) { reached_ = t; }

  /// Writes the frames due at this step and since the step before; if `last`, the state of the step is written in any
  /// case.
  /// @param t the time of the step, or the load factor
  void write(PetscInt step, PetscReal t, const Stepper& stepper, bool last);

  /// Saves or loads the state. Saving flushes the frames to the disk; loading removes frames that were written later.
  void archive(Archive& state);

  /// Returns the largest stress of the last frame; nullopt without stresses.
  std::optional<StressPeak> stress_peak() const { return peak_; }

 private:
  void add(PetscInt step, PetscReal t, const State& x);
  std::string name_of(PetscInt step) const;
  bool has(const std::string& name) const;
  void remove_later() const;

  MPI_Comm comm_;
  WriteErrors errors_;
  Along along_;
  PetscInt every_;
  FrameTimes times_;
  io::FrameFormat format_;
  std::vector<std::string> names_;
  Fields& fields_;
  std::optional<StressPeak> peak_;
  std::filesystem::path folder_;
  std::unique_ptr<io::FrameWriter> writer_;
  io::Series series_;
  PetscInt last_step_ = -1;  ///< the last step whose state was written as a frame
  PetscReal reached_ = std::numeric_limits<PetscReal>::lowest();
};

}  // namespace gearshift::app
