#include "krylov_watch.hpp"

#include <gearshift/petsc/error.hpp>

#include <algorithm>

namespace bench {

using gearshift::petsc::check;

KrylovWatch::KrylovWatch(KSP ksp) : ksp_(ksp) {
  check(PetscLogDefaultBegin());
  check(KSPMonitorSet(ksp, see, this, nullptr));
}

PetscErrorCode KrylovWatch::see(KSP, PetscInt iteration, PetscReal, void* self) {
  auto& watch = *static_cast<KrylovWatch*>(self);
  watch.longest_ = std::max(watch.longest_, iteration);
  return 0;
}

/// Counted by PETSc's log, over all of its stages.
long KrylovWatch::applications() const {
  PetscLogEvent event = -1;
  check(PetscLogEventGetId("PCApply", &event));
  PetscLogStage stages = 0;  // the number of a new stage is the count of stages
  check(PetscLogStageRegister("bench: end", &stages));
  long sum = 0;
  for (PetscLogStage stage = 0; event >= 0 && stage < stages; ++stage) {
    PetscEventPerfInfo info;
    check(PetscLogEventGetPerfInfo(stage, event, &info));
    sum += info.count;
  }
  return sum;
}

PetscInt KrylovWatch::vectors() const {
  PetscBool gmres = PETSC_FALSE;
  check(PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(ksp_), &gmres, KSPGMRES, KSPFGMRES, ""));
  if (!gmres) return 4;
  PetscInt restart = 0;
  check(KSPGMRESGetRestart(ksp_, &restart));
  return std::min(restart, longest_) + 3;
}

}  // namespace bench
