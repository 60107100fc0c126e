#include <gearshift/petsc/session.hpp>

#include "bench/operator.hpp"
#include "bench/solve.hpp"
#include "bench/step.hpp"

#include <string_view>

namespace {

constexpr const char* help =
    "gearshift-bench: measures parts of the library on this machine and prints lines of JSON. The first word selects:\n"
    "  mpirun -np 1 gearshift-bench operator -degree 2 -material neo_hookean -dofs 2.7e6 [-cells cartesian]\n"
    "  mpirun -np 2 gearshift-bench solve -degree 2 -dofs 5e5 [-nu 0.49] [-stretch 10] [-dt 0.01]\n"
    "  mpirun -np 2 gearshift-bench step -dofs 1.4e5 [-steps 10] [-gear_dt 0.01]\n"
    "operator: residual, linearization, tangent, tangent with inertia, tangent in single precision, PETSc's\n"
    "MatMult with supports and ghosts, and the kernel without either (kernel_ratio: ratio of their rates). MDoF/s are\n"
    "millions of unknowns per second on all ranks, from the median of the repetitions; bytes are the minimum that a\n"
    "product has to move. The line `machine` gives the limits of the machine, measured in the same run. With\n"
    "-on_request a product runs once for each line of standard input with its name, for programs that run in turn.\n"
    "solve: a clamped beam, or the mesh of -dm_plex_filename with -clamp, under its weight: the linear system at rest\n"
    "(with inertia if -dt is given) to -rtol. Seconds of the slowest rank: mesh_s, body_s (spaces, geometry, loads),\n"
    "setup_s (linearization, preconditioner), solve_s; *_cpu_s: processor time, which other programs on the machine\n"
    "disturb less. memory_*: bytes per unknown over all ranks, without those of the program itself. messages_*, "
    "bytes_*,\n"
    "reductions_*: messages of the busiest rank, and collective calls, per iteration, per product and per application\n"
    "of the preconditioner.\n"
    "step: the beam oscillates after its release from rest, in steps of velocity BDF; one line per step and one for\n"
    "the run. -ksp_*, -pc_*, -mg_*, -snes_* and -gear_* set the solvers as usual.\n\n";

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
          "the first argument must be operator, solve or step (-help shows "
          "more)");
  });
}
