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

/// What -output_format takes, in the order of io::FrameFormat.
inline constexpr std::array frame_formats{"vtu", "vtkhdf"};

/// solution.pvd with solution/<number>.vtu, or solution.vtkhdf.series with solution/<number>.vtkhdf, of every n-th step or
/// load step, and at times between steps by the dense output, which leaves the steps as they are. The numbers are those of
/// the steps (of a coupled run those of windows), or, where there are frames between steps, they count frames. Every function is collective.
class Frames {
 public:
  /// In a folder that is this run's alone. Throws IoError.
  /// @param fields has at least those of the frames, and outlives them
  Frames(const ResultSettings& given, Along along, const solid::Body& body, Fields& fields,
         const std::filesystem::path& folder);

  /// A run that continues from a checkpoint has reached this time.
  void go_on_from(PetscReal t) { reached_ = t; }

  /// Writes what is due at this step and since the one before; `last`: its own state in any case.
  /// @param t the time of the step, or the load factor
  void write(PetscInt step, PetscReal t, const Stepper& stepper, bool last);

  /// Saving brings the frames to the disk; loading removes those that were written later.
  void archive(Archive& state);

  /// Of the last frame; nullopt without stresses.
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
  PetscInt last_step_ = -1;  ///< whose own state is a frame
  PetscReal reached_ = std::numeric_limits<PetscReal>::lowest();
};

}  // namespace gearshift::app
