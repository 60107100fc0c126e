#pragma once

/// @file
/// Settings of the result files.

#include <gearshift/io/frame_writer.hpp>
#include <gearshift/solid/types.hpp>

#include "app/results/frame_times.hpp"
#include "app/results/units.hpp"

#include <string>
#include <utility>
#include <vector>

namespace gearshift::app {

/// Reaction to a result file that cannot be written.
enum class OnWriteError {
  stop,   ///< the run ends with the error
  go_on,  ///< the run continues without that file or frame
};

/// The first column of tables and the times of frames: the time, or the load factor of load steps.
enum class Along { time, load };

/// Returns the fields of frames if none are chosen; see the table of fields.
std::vector<std::string> default_fields();

struct ResultSettings {
  std::string folder = "results";
  bool overwrite = false;
  OnWriteError on_write_error = OnWriteError::stop;
  PetscInt csv_every = 1;      // steps between rows; 0: none
  PetscInt frames_every = 10;  // steps between frames; 0: none
  FrameTimes frame_times;      // further frames
  io::FrameFormat frame_format = io::FrameFormat::vtu;
  std::vector<std::string> fields = default_fields();  // of the frames
  std::vector<std::string> envelope;                   // fields whose largest values are recorded
  std::vector<std::pair<std::string, solid::Vec3>> probes;
  std::vector<std::string> probe_fields;  // in addition to displacement and velocity
  bool energy_regions = false;
  bool contacts = false;  // the case has contacts: energy.csv has their energies
  Units units;

  bool writes_frames() const { return frames_every > 0 || !frame_times.empty(); }
  /// Returns the fields of frames and envelopes; a field may occur twice.
  std::vector<std::string> fields_to_recover() const {
    std::vector<std::string> all = envelope;
    if (writes_frames()) all.insert(all.end(), fields.begin(), fields.end());
    return all;
  }
};

}  // namespace gearshift::app
