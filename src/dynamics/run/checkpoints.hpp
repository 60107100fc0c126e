#pragma once

#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/stepper_options.hpp>

#include "dynamics/run/checkpoint_file.hpp"

#include <petsctime.h>

#include <functional>
#include <string>

namespace gearshift {

/// What lets a run be longer than its job: checkpoints when they are due, stops by a signal or the wall limit, and going
/// on from a file. Who drives an Integrator (Stepper, the TS type) holds one and says what a file contains.
class Checkpoints {
 public:
  /// What a rank wants after a step, for all ranks to agree on.
  enum Request { stop_by_signal = 1, stop_by_wall = 2, write_now = 4 };
  static constexpr int stops = stop_by_signal | stop_by_wall, any = stops | write_now;
  /// Of a stop that the ranks agreed on.
  static StopReason reason(int agreed) { return agreed & stop_by_signal ? StopReason::signal : StopReason::max_wall; }

  /// Where a run is.
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
  /// What the keys begin with in messages, the prefix with it.
  void name_keys(std::string root) { root_ = std::move(root); }

  /// The clocks of limit and intervals start, once.
  void begin();
  /// Throws IoError where the folder that checkpoints are to go to is missing or cannot be written to, and options say
  /// that this ends the run: before the first step, not when the job is about to be killed. Collective.
  void require_folder(MPI_Comm comm) const;
  /// Whether any rank may want something, so that all must agree after each step.
  bool wanted() const;
  /// What this rank wants after this many accepted steps. Not collective.
  int requests(PetscInt steps) const;
  /// Writes a checkpoint if the ranks agreed on one, or to stop. One that cannot be written is tried twice more, then
  /// it is an IoError on all ranks, or a warning and failure(), as options say. Collective.
  void serve(int agreed, Moment now, const Contents& contents);
  /// Why the last one that was due could not be written; empty: it was.
  const std::string& failure() const { return failure_; }
  /// Returns true if this run has written one; the file of that name may be an earlier run's.
  bool written() const { return written_; }

  /// Goes on by load() from the file that options name, once, where there is one, and says so. Returns whether it did.
  /// Collective.
  bool resume(MPI_Comm comm, const std::function<Moment(const std::string& file)>& load);

  static void write(const std::string& file, Moment now, const Contents& contents);
  /// Loads, and lists options that differ. Collective; throws as read_checkpoint().
  static void load(const std::string& file, const Contents& contents);

 private:
  const StepperOptions& options_;
  std::string root_ = "gear_", failure_;
  bool began_ = false, resume_tried_ = false, written_ = false;
  PetscLogDouble run_began_ = 0, last_ = 0;
};

}  // namespace gearshift
