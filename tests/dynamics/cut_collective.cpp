// A residual that throws on one rank in the middle of a collective call: all ranks must end, with the message.
// `left-behind`: it throws between two reductions of different size, which later reductions of
// the solver must not match.
// `solver`: the residual is fine, but the preconditioner returns a PETSc error on one rank.
// `before`, `after`: it throws before its first collective call or after its last one: every rank gets an Error.

#include <gearshift/gearshift.hpp>

#include <array>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace {

class CutShort : public gearshift::System {
 public:
  explicit CutShort(const char* where) : where_(where) {}
  void residual(const gearshift::State& x, Vec r) override {
    MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(r));
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    const auto is = [this](const char* name) { return std::strcmp(where_, name) == 0; };
    std::array<int, 4> sums{1, 2, 3, 4};
    if (is("before")) throw std::runtime_error("the residual failed before its exchange");
    if (is("solver")) return gearshift::petsc::check(VecWAXPY(r, 1, x.q, x.a));
    if (is("left-behind")) MPI_Allreduce(MPI_IN_PLACE, sums.data(), 4, MPI_INT, MPI_SUM, comm);
    if (!is("after") && rank == 1) throw std::runtime_error("the ghost exchange was cut short");
    if (is("left-behind"))
      MPI_Allreduce(MPI_IN_PLACE, sums.data(), 1, MPI_INT, MPI_SUM, comm);
    else
      MPI_Barrier(comm);
    if (rank == 1) throw std::runtime_error("the residual failed after its exchange");
    gearshift::petsc::check(VecCopy(x.a, r));
  }
  void accept(const gearshift::State&) override {}

 private:
  const char* where_;
};

/// The identity, but it returns an error on rank 1.
PetscErrorCode precondition(PC pc, Vec in, Vec out) {
  int rank = 0;
  MPI_Comm_rank(PetscObjectComm(reinterpret_cast<PetscObject>(pc)), &rank);
  PetscFunctionBeginUser;
  PetscCheck(rank != 1, PETSC_COMM_SELF, PETSC_ERR_USER, "the preconditioner lost its factors");
  PetscCall(VecCopy(in, out));
  PetscFunctionReturn(gearshift::petsc::success);
}

void set_preconditioner(SNES snes) {
  using gearshift::petsc::check;
  KSP ksp = nullptr;
  PC pc = nullptr;
  check(SNESGetKSP(snes, &ksp));
  check(KSPGetPC(ksp, &pc));
  check(PCSetType(pc, PCSHELL));
  check(PCShellSetApply(pc, precondition));
}

}  // namespace

int main(int argc, char** argv) {
  const char* where = argc > 1 ? argv[1] : "middle";
  gearshift::Session session(argc, argv);
  return session.run([where](MPI_Comm comm) {
    gearshift::petsc::Handle<Vec> q;
    gearshift::petsc::check(VecCreateMPI(comm, 2, PETSC_DETERMINE, q.out()));
    CutShort system(where);
    gearshift::Stepper stepper(system, q.get(), {.dt = 0.1, .watchdog = 3});
    if (std::strcmp(where, "solver") == 0) set_preconditioner(stepper.snes());
    gearshift::petsc::check(VecSet(q.get(), 1));
    stepper.set_initial_state(0, q.get(), q.get());
    stepper.step();
  });
}
