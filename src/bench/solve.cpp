#include "bench/solve.hpp"

#include "bench/cantilever.hpp"
#include "bench/counts.hpp"
#include "bench/linear_system.hpp"
#include "bench/measure.hpp"
#include "bench/memory.hpp"
#include "petsc/queries.hpp"

#include <cmath>
#include <string>

namespace gearshift::bench {
namespace {

using petsc::check;

struct Problem {
  Cantilever beam;
  PetscReal rtol = 1e-8, dt = 0;

  /// Returns the shifts of the stiffness or, with dt, of a BDF2 step.
  Shifts shifts() const {
    const PetscReal alpha = 1.5 / dt;
    return dt > 0 ? Shifts{1 / alpha, 1, alpha} : Shifts{1, 0, 0};
  }
};

Problem read_problem(MPI_Comm comm) {
  Problem given;
  petsc::read_options(comm, "", "gearshift-bench solve", [&](petsc::Options& options) {
    given.beam.read(options);
    options.real("-dt", "time step of the dynamic system K / alpha + alpha M, alpha = 1.5 / dt; 0: static [time]",
                 given.dt);
    options.real("-rtol", "relative tolerance of the residual norm [-]", given.rtol);
  });
  given.beam.validate();
  if (!(given.rtol > 0 && given.rtol < 1)) throw OptionError("option -rtol: give a number between 0 and 1");
  if (!(given.dt >= 0) || !std::isfinite(given.dt)) throw OptionError("option -dt: give 0 or a step above 0");
  (void)solid::read_kernel_options(comm);
  return given;
}

/// Adds the counts of one product and of one application of the preconditioner.
void add_counts_of_parts(io::Summary& line, MPI_Comm comm, const LinearSystem& system, Vec in, Vec out) {
  PC pc = petsc::pc_of(system.ksp());
  const Counts start = counts();
  check(MatMult(system.matrix(), in, out));
  const Counts product = counts() - start;
  const Counts middle = counts();
  check(PCApply(pc, in, out));
  const Counts preconditioner = counts() - middle;
  add(line, "product", largest(comm, product));
  add(line, "preconditioner", largest(comm, preconditioner));
}

}  // namespace

void measure_solve(MPI_Comm comm) {
  const Problem given = read_problem(comm);
  if (petsc::has_option("", "-help")) return;
  MemoryWatch watch(comm);
  Stopwatch clock(comm);
  auto mesh = given.beam.make_mesh(comm);
  const Seconds mesh_time = clock.lap();
  watch.mesh_is_made();
  clock.lap();
  const auto body = given.beam.make_body(std::move(mesh));
  const Seconds body_time = clock.lap();
  LinearSystem system(*body, given.shifts());
  const auto b = system.load(), x = petsc::duplicate(body->layout());
  clock.lap();
  system.prepare();
  const Seconds set_up = clock.lap();
  watch.set_up_is_done();
  clock.lap();
  const Counts before = counts();
  const auto solution = system.solve(b.get(), x.get(), given.rtol);
  const Counts spent = counts() - before;
  const Seconds solve = clock.lap();

  io::Summary line;
  line.add("bench", "solve");
  given.beam.describe(line, *body);
  line.add("dt", given.dt);
  line.add("rtol", given.rtol);
  add_measured(line, "mesh_s", mesh_time.wall);
  add_measured(line, "mesh_cpu_s", mesh_time.clock);
  add_measured(line, "body_s", body_time.wall);
  add_measured(line, "body_cpu_s", body_time.clock);
  add_measured(line, "setup_s", set_up.wall);
  add_measured(line, "setup_cpu_s", set_up.clock);
  add_measured(line, "solve_s", solve.wall);
  add_measured(line, "solve_cpu_s", solve.clock);
  line.add("iterations", solution.iterations);
  add_measured(line, "residual", system.residual(b.get(), x.get()));
  const PetscReal largest_entry = petsc::norm(x.get(), NORM_INFINITY);
  line.add("max_displacement", largest_entry);
  watch.report(line, static_cast<double>(petsc::size_of(body->layout())));
  add(line, "iteration", largest(comm, spent / std::max(1.0, static_cast<double>(solution.iterations))));
  const auto work = petsc::duplicate(body->layout());
  add_counts_of_parts(line, comm, system, b.get(), work.get());
  print(comm, line);
  if (solution.reason < 0)
    throw StepFailed("the linear solver failed after " + std::to_string(solution.iterations) + " iterations (" +
                         KSPConvergedReasons[solution.reason] +
                         "); raise -ksp_max_it, or observe the residual with -ksp_monitor_true_residual",
                     0, 0);
}

}  // namespace gearshift::bench
