#pragma once

/// @file
/// Progress output.

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/report.hpp>

#include "app/results/outcome.hpp"

#include <string>

namespace gearshift::app {

/// Counts of a whole run.
struct Totals {
  PetscInt steps = 0, rejected = 0, newton = 0, krylov = 0;
  PetscInt esdirk = 0;  ///< steps by the one-step method of order 5
  /// Iterations of steps that the velocities of vibrations limited which the frames do not show, and the sum over these
  /// iterations of the frequencies.
  PetscInt unseen = 0;
  PetscReal unseen_frequencies = 0;
  PetscReal seconds = 0;       ///< of earlier runs that this one continues
  std::string preconditioner;  ///< of the last step
  /// @param frames time between frames; 0: frames follow the steps
  void add(const StepReport& report, PetscReal frames);
  /// Returns the mean frequency of these vibrations [rad/time] if they took more than half of the iterations, else 0.
  PetscReal unseen_frequency() const;
};

/// Prints one line per step, or one per second in long runs, and the closing line, on the first rank.
class Progress {
 public:
  /// @param frames time between frames; 0: frames follow the steps
  Progress(MPI_Comm comm, PetscReal t_end, PetscReal dt, PetscReal frames);

  /// Sets the time at which the first step begins.
  void begin(PetscReal t_start);
  void step(const StepReport& report);
  /// Reports one of `count` static load steps.
  void load_step(PetscInt step, PetscInt count, PetscReal factor, const Report& report);
  /// Prints that a load step is halved, with the reason `what` and the load at which it occurred.
  void cut_back(PetscInt step, PetscInt count, PetscReal factor, const std::string& what);
  /// Prints "done: t = 2, 400 steps, ..." or "stopped at t = 1.4 of 2 (why): ...", and a remark, if there is one.
  void close(PetscReal t, PetscInt dofs, const Outcome& outcome, const std::string& remark) const;

  /// Saves or loads the counts so far, for checkpoints.
  void archive(Archive& state);

  const Totals& totals() const { return totals_; }
  double seconds() const;

 private:
  void header();
  MPI_Comm comm_;
  PetscReal t_start_ = 0, t_end_, dt_, frames_;
  bool few_steps_ = false;
  double begin_, so_far_ = 0, printed_ = -1;
  bool header_printed_ = false;
  Totals totals_;
};

}  // namespace gearshift::app
