#pragma once

/// @file
/// What is written of a run, and how.

#include <gearshift/io/frame_writer.hpp>
#include <gearshift/solid/types.hpp>

#include "app/results/frame_times.hpp"

#include <string>
#include <utility>
#include <vector>

namespace gearshift::app {

/// What a run does when a result file cannot be written.
enum class OnWriteError {
  stop,   ///< it ends with the error
  go_on,  ///< it goes on without that file, or that frame
};

/// Whether rows and frames are of times, or of load steps, whose load factor then takes the place of the time.
enum class Along { time, load };

struct ResultSettings {
  std::string folder = "results";
  bool overwrite = false;
  OnWriteError on_write_error = OnWriteError::stop;
  PetscInt csv_every = 1;      // steps between rows; 0: none
  PetscInt frames_every = 10;  // steps between frames; 0: none
  FrameTimes frame_times;      // further frames
  io::FrameFormat frame_format = io::FrameFormat::vtu;
  std::vector<std::string> fields{"displacement", "velocity", "von_mises"};  // of the frames
  std::vector<std::string> envelope;  // fields of which the greatest values are kept
  std::vector<std::pair<std::string, solid::Vec3>> probes;
  std::vector<std::string> probe_fields;  // besides displacement and velocity
  bool energy_regions = false;

  bool writes_frames() const { return frames_every > 0 || !frame_times.empty(); }
  /// What frames and envelope need, some of it twice.
  std::vector<std::string> fields_to_recover() const {
    std::vector<std::string> all = envelope;
    if (writes_frames()) all.insert(all.end(), fields.begin(), fields.end());
    return all;
  }
};

}  // namespace gearshift::app
