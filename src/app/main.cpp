#include <gearshift/petsc/session.hpp>

#include "app/case/help.hpp"
#include "app/run.hpp"

#include <csignal>

namespace {

constexpr const char* help = R"(gearshift-solid: implicit dynamics of solid bodies by velocity BDF, in parallel.
  mpirun -np 2 gearshift-solid -options_file case.yaml [-key value ...]
In a YAML file keys stand without their dash, `degree: 2`. Later keys win: put -options_file first. Units are the
user's own, consistent ones. Vectors and loads are three formulas in t, x, y, z separated by commas, for instance
-gravity 0,-9.81*ramp(t/0.1),0. A value must not begin with a minus and a letter: write 0-sin(t), or quote it in a
YAML file. A box's faces are called xmin xmax ymin ymax zmin zmax; a Gmsh file's, by its physical names.
Files in the folder -output: solution.pvd or solution.vtkhdf.series (ParaView), envelope.vtu, probe_<name>.csv,
forces.csv, momentum.csv, energy.csv, steps.csv, summary.json. gearshift-picture draws them.
Exit codes: 0 reached the end, 1 error, 2 ended before it (limits, refused equilibria), 75 stopped by a signal or the
wall limit, with a checkpoint to continue from.
)";

}  // namespace

int main(int argc, char** argv) {
  const gearshift::app::Help wish = gearshift::app::take_help(argc, argv);
  gearshift::Session session(argc, argv, help);
  (void)std::signal(SIGPIPE, SIG_IGN);  // a closed pipe on the output does not end the run
  if (wish.wanted) return session.run([&](MPI_Comm comm) { gearshift::app::print_help(comm, help, wish); });
  return session.run(gearshift::app::run);
}
