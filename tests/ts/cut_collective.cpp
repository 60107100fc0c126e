// A program whose function fails on one rank in the middle of a collective call: -ts_gear_watchdog ends
// all ranks, with the message.

#include <gearshift.h>
#include <petscts.h>

static PetscErrorCode cut_short(TS ts, PetscReal, Vec, Vec, Vec acceleration, Vec r, void*) {
  PetscMPIInt rank = 0;
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(PetscObjectComm(reinterpret_cast<PetscObject>(ts)), &rank));
  PetscCheck(rank != 1, PETSC_COMM_SELF, PETSC_ERR_USER, "the ghost exchange was cut short");
  PetscCallMPI(MPI_Barrier(PetscObjectComm(reinterpret_cast<PetscObject>(ts))));
  PetscCall(VecCopy(acceleration, r));
  PetscFunctionReturn(PetscErrorCode{});
}

int main(int argc, char** argv) {
  TS ts = nullptr;
  Vec u = nullptr, v = nullptr;
  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, nullptr, nullptr));
  PetscCall(GearshiftInitializePackage());
  PetscCall(VecCreateMPI(PETSC_COMM_WORLD, 2, PETSC_DETERMINE, &u));
  PetscCall(VecDuplicate(u, &v));
  PetscCall(TSCreate(PETSC_COMM_WORLD, &ts));
  PetscCall(TSSetType(ts, "gear"));
  PetscCall(TSSetI2Function(ts, nullptr, cut_short, nullptr));
  PetscCall(TSSetTimeStep(ts, 0.1));
  PetscCall(TSSetMaxTime(ts, 1));
  PetscCall(TSSetExactFinalTime(ts, TS_EXACTFINALTIME_MATCHSTEP));
  PetscCall(TSSetFromOptions(ts));
  PetscCall(TS2SetSolution(ts, u, v));
  PetscCall(TSSolve(ts, nullptr));
  PetscCall(PetscFinalize());
  return 0;
}
