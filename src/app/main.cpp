#include <gearshift/petsc/session.hpp>

#include "app/case/help.hpp"
#include "app/run.hpp"
#include "petsc/call_stack.hpp"

#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <utility>

namespace {

constexpr const char* help = R"(gearshift-solid: implicit dynamics of solid bodies by velocity BDF, in parallel.
  mpirun -np 2 gearshift-solid -options_file case.yaml [-key value ...]
In a YAML file write keys without the dash, `degree: 2`. The last value of a key is used: put -options_file first. Use
any consistent set of units. Vectors and loads are three formulas in t, x, y, z, separated by commas, for example
-gravity 0,-9.81*ramp(t/0.1),0. A value such as -sin(t) would be read as a key: write 0-sin(t), or quote it in a YAML
file. The faces of a box are called xmin xmax ymin ymax zmin zmax; those of a Gmsh file have its physical names.
Files in the folder -output: solution.pvd or solution.vtkhdf.series (ParaView), envelope.vtu, probe_<name>.csv,
forces.csv, momentum.csv, energy.csv, steps.csv, summary.json. gearshift-picture draws them.
Exit codes: 0 completed, 1 error, 2 ended early (limits, refused equilibria), 75 stopped by a signal or the limit of
wall time, with a checkpoint to continue from.
)";

PetscErrorCode (*print_of_petsc)(FILE*, const char*, va_list) = nullptr;

/// Prints like PETSc. A failure, for example on a closed pipe, does not end the run; since version 3.26 PETSc reports
/// it as an error.
PetscErrorCode print(FILE* to, const char* format, va_list values) {
  const gearshift::petsc::CallStack stack;
  (void)!PetscPushErrorHandler(PetscReturnErrorHandler, nullptr);
  (void)!print_of_petsc(to, format, values);
  (void)!PetscPopErrorHandler();
  return gearshift::petsc::success;
}

}  // namespace

int main(int argc, char** argv) {
  const gearshift::app::Help wish = gearshift::app::take_help(argc, argv);
  gearshift::Session session(argc, argv, help);
  (void)std::signal(SIGPIPE, SIG_IGN);  // a closed pipe on the output does not end the run
  print_of_petsc = std::exchange(PetscVFPrintf, print);
  if (wish.wanted) return session.run([&](MPI_Comm comm) { gearshift::app::print_help(comm, help, wish); });
  return session.run(gearshift::app::run);
}
