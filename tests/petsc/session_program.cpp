// The program run by the tests of Session: its first option determines how the body ends.
#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/options.hpp>
#include <gearshift/petsc/session.hpp>

#include <petscvec.h>

#include <array>
#include <cstdio>
#include <string>
#include <utility>

namespace {

using namespace gearshift;
using namespace gearshift::petsc;

void body(MPI_Comm comm, Handle<Vec>& survivor) {
  int rank = 0, size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  static constexpr std::array ends{"well", "all_throw", "one_throws", "petsc_error", "outlived"};
  int end = 0;
  PetscReal mass = 1;
  std::string label = "none";
  read_options(comm, "", "Session test", [&](Options& o) {
    o.choice("-end", "how the body ends", ends, end);
    o.real("-mass", "a mass [kg]", mass);
    o.string("-label", "a word", label);
  });
  Handle<Vec> vec;
  check(VecCreateMPI(comm, 4, PETSC_DETERMINE, vec.out()));
  if (end == 1) throw Error("the body failed on purpose");
  if (end == 2) {
    if (rank == size - 1) throw Error("the last rank failed on purpose");
    MPI_Barrier(comm);
  }
  if (end == 3) check(VecSetSizes(vec.get(), 5, PETSC_DETERMINE));
  if (end == 4) survivor = std::move(vec);
  if (rank == 0) std::printf("ended well: mass %g label %s\n", mass, label.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  Handle<Vec> survivor;  // its destruction after PetscFinalize and MPI_Finalize must do nothing
  int code = 0;
  {
    Session session(argc, argv, "A program for the tests of gearshift::Session.\n");
    code = session.run([&](MPI_Comm comm) { body(comm, survivor); });
  }
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (!finalized) {
    std::fprintf(stderr, "MPI was not finalised\n");
    return 3;
  }
  if (survivor) std::printf("a handle outlived PETSc\n");
  return code;
}
