// A residual that throws on one rank in the middle of a collective call: all ranks must end, with the message.

#include <gearshift/gearshift.hpp>

#include <stdexcept>

namespace {

class CutShort : public gearshift::System {
 public:
  void residual(const gearshift::State& x, Vec r) override {
    int rank = 0;
    MPI_Comm_rank(PetscObjectComm(reinterpret_cast<PetscObject>(r)), &rank);
    if (rank == 1) throw std::runtime_error("the ghost exchange was cut short");
    MPI_Barrier(PetscObjectComm(reinterpret_cast<PetscObject>(r)));
    gearshift::petsc::check(VecCopy(x.a, r));
  }
};

}  // namespace

int main(int argc, char** argv) {
  gearshift::Session session(argc, argv);
  return session.run([](MPI_Comm comm) {
    gearshift::petsc::Handle<Vec> q;
    gearshift::petsc::check(VecCreateMPI(comm, 2, PETSC_DETERMINE, q.out()));
    CutShort system;
    gearshift::Stepper stepper(system, q.get(), {.dt = 0.1, .watchdog = 3});
    stepper.set_initial_state(0, q.get(), q.get());
    stepper.step();
  });
}
