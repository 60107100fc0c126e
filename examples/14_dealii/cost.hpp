#pragma once

// Where the time of a matrix-free run goes: into deal.II's loops, PETSc's Krylov method, gearshift itself.

#include <deal.II/base/timer.h>

#include <gearshift/gearshift.hpp>

#include <map>
#include <string>

namespace beam {

class Cost {
 public:
  Cost(MPI_Comm comm, const dealii::TimerOutput& timer) : comm_(comm), timer_(timer) {
    gearshift::petsc::check(PetscLogDefaultBegin());
  }

  /// Prints the shares of this rank 0 of a run of so many seconds.
  void print(double seconds) const {
    const auto host = timer_.get_summary_data(dealii::TimerOutput::total_wall_time);
    double callbacks = 0;
    for (const auto& [name, time] : host) callbacks += time;
    const double products = host.at("tangent product");
    // MatMult begins before gearshift is asked and ends behind it; Jacobi asks for its diagonal within a solve.
    const double krylov = event("KSPSolve") - event("MatMult") - host.at("diagonal");
    const double ours = seconds - callbacks - krylov;
    gearshift::petsc::check(PetscPrintf(
        comm_,
        "cost: %.2f s: deal.II's loops %.2f (products %.2f), Krylov vectors %.2f, gearshift %.3f: %.2f %% of the loops; "
        "around a product %.2f %%\n",
        seconds, callbacks, products, krylov, ours, 100 * ours / callbacks, 100 * (event("MatMult") / products - 1)));
  }

 private:
  static double event(const char* name) {
    PetscLogStage steps = 0;
    PetscLogEvent id = 0;
    PetscEventPerfInfo info;
    gearshift::petsc::check(PetscLogStageGetId("gearshift steps", &steps));
    gearshift::petsc::check(PetscLogEventGetId(name, &id));
    gearshift::petsc::check(PetscLogEventGetPerfInfo(steps, id, &info));
    return info.time;
  }
  MPI_Comm comm_;
  const dealii::TimerOutput& timer_;
};

}  // namespace beam
