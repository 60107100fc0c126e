#include <gearshift/petsc/session.hpp>

#include "bench/operator.hpp"
#include "bench/solve.hpp"
#include "bench/step.hpp"

#include <string_view>

namespace {

constexpr const char* help =
    "gearshift-bench: what the library's parts cost on this machine, as lines of JSON. The first word says which:\n"
    "  mpirun -np 1 gearshift-bench operator -degree 2 -material neo_hookean -dofs 2.7e6 [-cells cartesian]\n"
    "  mpirun -np 2 gearshift-bench solve -degree 2 -dofs 5e5 [-nu 0.49] [-stretch 10] [-dt 0.01]\n"
    "  mpirun -np 2 gearshift-bench step -dofs 1.4e5 [-steps 10] [-gear_dt 0.01]\n"
    "operator: residual, linearization, tangent, tangent with inertia, tangent in single precision, PETSc's\n"
    "MatMult with supports and ghosts beside the kernel without either (kernel_ratio: of their rates). MDoF/s are\n"
    "millions of unknowns a second on all ranks, from the median of the repetitions; bytes are the least that a\n"
    "product has to move. The line `machine` gives what the same run measured as its limits. With -on_request\n"
    "products run once for each line of standard input that names one, for programs that take turns.\n"
    "solve: a clamped beam, or the mesh of -dm_plex_filename with -clamp, under its weight: the linear system at rest\n"
    "(with inertia where -dt is given) to -rtol. Seconds of the slowest rank: mesh_s, body_s (spaces, geometry,\n"
    "loads), setup_s (linearization, preconditioner), solve_s; *_cpu_s processor time, which neighbours on the\n"
    "machine disturb less. memory_* are bytes an unknown over all ranks beyond the program's own. messages_*, "
    "bytes_*,\n"
    "reductions_*: what the busiest rank sends, and the collective calls, for an iteration, a product, a\n"
    "preconditioner's application.\n"
    "step: the beam swings, released from rest: whole steps of velocity BDF; a line for each, and one for the run.\n"
    "-ksp_*, -pc_*, -mg_*, -snes_* and -gear_* tune the solvers as everywhere.\n\n";

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  gearshift::Session session(argc, argv, help);
  return session.run([&](MPI_Comm comm) {
    if (mode == "operator")
      gearshift::bench::measure_operator(comm);
    else if (mode == "solve")
      gearshift::bench::measure_solve(comm);
    else if (mode == "step")
      gearshift::bench::measure_steps(comm);
    else
      throw gearshift::OptionError(
          "say what to measure first: gearshift-bench operator, solve or step (-help shows "
          "more)");
  });
}
