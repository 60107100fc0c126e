#pragma once

#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/stepper_options.hpp>

#include "dynamics/checkpoint/file.hpp"

#include <functional>
#include <string>

namespace gearshift {

/// Allows a run to be longer than its job: writes checkpoints when they are due, stops on a signal or at the wall-time
/// limit, and restarts from a file. Stepper and the TS type each own one of these and determine the contents of its
/// files.
class Checkpoints {
 public:
  /// Requests of a rank after a step; all ranks must agree on them.
  enum Request { stop_by_signal = 1, stop_by_wall = 2, write_now = 4 };
  static constexpr int stops = stop_by_signal | stop_by_wall, any = stops | write_now;
  /// Returns the reason of a stop that the ranks agreed on.
  static StopReason reason(int agreed) { return agreed & stop_by_signal ? StopReason::signal : StopReason::max_wall; }

  /// The time and step number that a run has reached.
  struct Moment {
    PetscReal t = 0;
    PetscInt step = 0;
  };
  struct Contents {
    CheckpointLayouts layouts;
    std::function<void(Archive&)> visit;
  };

  /// @param options referenced
  explicit Checkpoints(const StepperOptions& options) : options_(options) {}
  /// Sets the beginning of the option keys in messages, including the prefix.
  void name_keys(std::string root) { root_ = std::move(root); }

  /// Starts the clocks of the limit and the intervals, once.
  void begin();
  /// Throws IoError if the folder for checkpoints is missing or not writable, or HDF5 is missing, and the options say
  /// that this ends the run: before the first step, not when the job is about to be killed. Collective.
  void require_folder(MPI_Comm comm) const;
  /// Returns true if any rank may have a request, so that all ranks must agree after each step.
  bool wanted() const;
  /// Returns the requests of this rank after this number of accepted steps. Not collective.
  int requests(PetscInt steps) const;
  /// Writes a checkpoint if the ranks agreed on one, or on a stop. A failed write is repeated twice; then it is an
  /// IoError on all ranks, or a warning and failure(), depending on the options. Collective.
  void serve(int agreed, Moment now, const Contents& contents);
  /// The reason why the last checkpoint that was due could not be written; empty if it was written.
  const std::string& failure() const { return failure_; }
  /// Returns true if this run has written a checkpoint; an existing file of that name may be from an earlier run.
  bool written() const { return written_; }

  /// Returns the file that load() of the option's name will read, once, if it exists. Otherwise prints a
  /// message and returns an empty name. Collective.
  std::string file_to_resume(MPI_Comm comm);
  /// Prints that a run continues from a file. Collective.
  static void report_resumed(MPI_Comm comm, const std::string& file, Moment now);

  static void write(const std::string& file, Moment now, const Contents& contents);
  /// Loads a checkpoint and lists the options that differ. Collective; throws like read_checkpoint().
  static void load(const std::string& file, const Contents& contents);

 private:
  const StepperOptions& options_;
  std::string root_ = "gear_", failure_;
  bool began_ = false, resume_tried_ = false, written_ = false;
  double run_began_ = 0, last_ = 0;
};

}  // namespace gearshift
