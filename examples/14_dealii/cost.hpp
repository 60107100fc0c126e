#pragma once

// CPU time of a run by parts: deal.II's loops, PETSc's Krylov method, and the rest, which is gearshift itself.

#include <gearshift/gearshift.hpp>

#include <deal.II/base/timer.h>

#include <ctime>

namespace beam {

/// Counts CPU seconds of this rank from its construction on; the timer has the seconds of the loops.
class Cost {
 public:
  Cost(const gearshift::Stepper& stepper, const dealii::TimerOutput& timer)
      : timer_(timer), start_(now()), loops_before_(loops()) {
    using gearshift::petsc::check;
    KSP solver = nullptr;
    check(SNESGetKSP(stepper.snes(), &solver));
    check(KSPSetPreSolve(
        solver, [](KSP, Vec, Vec, void* cost) { return static_cast<Cost*>(cost)->enter(1); }, this));
    check(KSPSetPostSolve(
        solver, [](KSP, Vec, Vec, void* cost) { return static_cast<Cost*>(cost)->enter(-1); }, this));
  }
  Cost(const Cost&) = delete;
  Cost& operator=(const Cost&) = delete;

  void print(MPI_Comm comm) const {
    const double all = now() - start_, host = loops() - loops_before_, ours = all - host - krylov_;
    gearshift::petsc::check(PetscPrintf(comm,
                                        "CPU %.2f s: deal.II's loops %.2f, Krylov vectors and preconditioner %.2f, "
                                        "gearshift %.3f: %.2f %% of the loops\n",
                                        all, host, krylov_, ours, 100 * ours / host));
  }

 private:
  static double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
  double loops() const {
    double sum = 0;
    for (const auto& [name, time] : timer_.get_summary_data(dealii::TimerOutput::total_cpu_time)) sum += time;
    return sum;
  }
  /// Adds the time between a call with sign 1 and one with sign -1, without the loops.
  PetscErrorCode enter(int sign) {
    krylov_ -= sign * (now() - loops());
    return 0;
  }

  const dealii::TimerOutput& timer_;
  double start_, loops_before_, krylov_ = 0;
};

}  // namespace beam
