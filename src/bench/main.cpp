#include <gearshift/petsc/session.hpp>

#include "bench/operator.hpp"

#include <cstring>

namespace {

constexpr const char* help =
    "gearshift-bench: rates of the library's parts on this machine, as lines of JSON.\n"
    "  mpirun -np 1 gearshift-bench operator -degree 2 -material neo_hookean -dofs 2.7e6 [-cells cartesian] [-repeat "
    "9]\n"
    "operator: residual, linearization, tangent, tangent with inertia, PETSc's MatMult with supports. MDoF/s are "
    "millions\n"
    "of unknowns a second on all ranks, from the median of the repetitions; bytes are the least that a product has to\n"
    "move. The line `machine` gives what the same run measured as its limits.\n\n";

}  // namespace

int main(int argc, char** argv) {
  const bool known = argc > 1 && std::strcmp(argv[1], "operator") == 0;
  gearshift::Session session(argc, argv, help);
  return session.run([&](MPI_Comm comm) {
    if (!known)
      throw gearshift::OptionError("say what to measure first: gearshift-bench operator ... (-help shows more)");
    gearshift::bench::measure_operator(comm);
  });
}
