// Initialises and finalises PETSc twice in one program: the second time nothing is left from the first.
#include <gearshift/gearshift.hpp>

#include "petsc/log.hpp"

#include <cstdio>

namespace {

using namespace gearshift;
using namespace gearshift::petsc;

/// q'' + q = 0
class Oscillator : public System {
 public:
  void residual(const State& x, Vec r) override { check(VecWAXPY(r, 1, x.q, x.a)); }
};

int calls_of(const char* name) {
  PetscLogEvent id = -1;
  check(PetscLogEventGetId(name, &id));
  if (id < 0) throw Error(std::string("no event ") + name);
  int calls = 0;
  for (const char* stage_name : {"Main Stage", "gearshift steps", "gearshift setup"}) {
    PetscLogStage stage = -1;
    check(PetscLogStageGetId(stage_name, &stage));
    if (stage < 0) continue;
    PetscEventPerfInfo info{};
    check(PetscLogEventGetPerfInfo(stage, id, &info));
    calls += info.count;
  }
  return calls;
}

/// `others`: the program's own events and stages, registered first, so that they get numbers of
/// an earlier initialisation.
void live(MPI_Comm comm, int others) {
  check(PetscLogDefaultBegin());
  PetscClassId id = 0;
  check(PetscClassIdRegister("Program", &id));
  for (int i = 0; i < others; ++i) {
    PetscLogEvent event = 0;
    PetscLogStage stage = 0;
    check(PetscLogEventRegister(("Program" + std::to_string(i)).c_str(), id, &event));
    check(PetscLogStageRegister(("program " + std::to_string(i)).c_str(), &stage));
  }
  Handle<Vec> q;
  check(VecCreateMPI(comm, PETSC_DECIDE, 3, q.out()));
  check(VecSet(q.get(), 1));
  Oscillator system;
  Stepper stepper(system, q.get(), {.order = 2, .dt = 0.1});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), q.get());
  stepper.advance_to(1);
  if (calls_of("GearResidual") == 0) throw Error("residuals were not counted");
  if (calls_of("GearNewton") == 0) throw Error("solves were not counted");
  for (int i = 0; i < others; ++i)
    if (calls_of(("Program" + std::to_string(i)).c_str()) != 0) throw Error("an event of the program's was counted");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = 0;
  for (const int others : {0, 12}) {
    Session session(argc, argv);
    failed += session.run([&](MPI_Comm comm) { live(comm, others); });
  }
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (failed == 0 && rank == 0) std::printf("two lives, each of its own\n");
  MPI_Finalize();
  return failed;
}
