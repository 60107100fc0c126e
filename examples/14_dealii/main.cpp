// A finite-strain beam of deal.II, assembled or matrix-free, integrated by gearshift or by Newmark's method.

#include "assembled.hpp"
#include "cost.hpp"
#include "matrix_free.hpp"
#include "newmark.hpp"
#include "output.hpp"

#include <deal.II/base/conditional_ostream.h>
#include <deal.II/base/mpi.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

namespace {

using gearshift::petsc::check;

constexpr double t_end = 3;  // [s]

struct Settings {
  std::vector<PetscReal> cells{4, 1, 1};
  PetscInt refine = 0, newmark = 0, samples = 60;
  PetscReal newmark_rtol = 1e-6;
  bool matrix_free = false, cost = false;
  std::string tip, output;

  explicit Settings(MPI_Comm comm) {
    gearshift::petsc::read_options(comm, "", "Beam", [&](gearshift::petsc::Options& o) {
      o.reals("-cells", "cells along x, y, z", cells);
      o.integer("-refine", "number of refinements of the cells at the clamp, with hanging nodes", refine);
      o.flag("-matrix_free", "products by MatrixFree, without a matrix", matrix_free);
      o.integer("-newmark", "steps of Newmark's method, instead of gearshift; 0: gearshift", newmark);
      o.real("-newmark_rtol", "Newton tolerance relative to the first residual of a step, for -newmark", newmark_rtol);
      o.integer("-samples", "number of times at which -tip and -output write", samples);
      o.string("-tip", "file for the deflection of the tip", tip);
      o.string("-output", "folder for frames, ParaView's solution.pvd", output);
      o.flag("-cost", "print the CPU time by parts", cost);
    });
    if (cells.size() != 3 || *std::min_element(cells.begin(), cells.end()) < 1)
      throw gearshift::OptionError("-cells takes three positive numbers, for example -cells 8,1,1");
    if (newmark < 0 || samples < 1 || (newmark > 0 && newmark % samples != 0))
      throw gearshift::OptionError("-newmark must be a multiple of -samples, and -samples positive");
  }
};

/// Work of a run, printed in the last line.
struct Done {
  const char* method = "gear";
  double t = 0;
  PetscInt steps = 0, solves = 0, krylov = 0;
  double tip = 0;
};

Done step_by_gearshift(const Settings& settings, gearshift::System& system, Vec layout,
                       const std::function<void(double, Vec)>& sample, const beam::Problem& problem,
                       const dealii::TimerOutput& timer) {
  gearshift::Stepper stepper(system, layout, {.adapt = gearshift::Adapt::order, .t_end = t_end});
  std::vector<PetscReal> times;
  for (PetscInt i = 1; i <= settings.samples; ++i)
    times.push_back(t_end * static_cast<double>(i) / static_cast<double>(settings.samples));
  stepper.add_output(times, [&](const gearshift::State& x) { sample(x.t, x.q); });
  stepper.set_from_options();
  gearshift::petsc::Handle<Vec> rest;
  check(VecDuplicate(layout, rest.out()));
  check(VecZeroEntries(rest.get()));
  stepper.set_initial_state(0, rest.get(), rest.get());
  std::optional<beam::Cost> cost;
  if (settings.cost) cost.emplace(stepper, timer);
  const gearshift::Report run = stepper.run();
  if (cost) cost->print(problem.mesh.get_communicator());
  return {.t = run.t,
          .steps = run.steps,
          .solves = run.newton_iterations,
          .krylov = run.krylov_iterations,
          .tip = problem.deflection(stepper.state().q)};
}

void run(MPI_Comm comm) {
  const Settings settings(comm);
  const beam::Problem problem(comm, {settings.cells.begin(), settings.cells.end()}, settings.refine);
  const bool first_rank = dealii::Utilities::MPI::this_mpi_process(comm) == 0;
  dealii::ConditionalOStream screen(std::cout, first_rank);
  dealii::TimerOutput timer(screen, dealii::TimerOutput::never, dealii::TimerOutput::cpu_times);
  beam::Frames frames(problem, settings.output);
  std::ofstream file(first_rank ? settings.tip : "");
  file.precision(17);
  if (first_rank && !settings.tip.empty() && !file) throw gearshift::IoError("cannot write " + settings.tip);
  const auto sample = [&](double t, Vec q) {
    if (frames) frames.write(t, q);
    if (settings.tip.empty()) return;
    const double deflection = problem.deflection(q);
    file << t << ' ' << deflection << std::endl;
  };

  const std::clock_t start = std::clock();
  Done done;
  if (settings.matrix_free) {
    beam::MatrixFreeSystem system(problem, timer);
    gearshift::petsc::Handle<Vec> layout;
    check(VecCreateMPI(comm, static_cast<PetscInt>(problem.owned.n_elements()), PETSC_DETERMINE, layout.out()));
    done = step_by_gearshift(settings, system, layout.get(), sample, problem, timer);
  } else {
    beam::Assembler assembler(problem, timer);
    if (settings.newmark > 0) {
      done = {.method = "newmark", .t = t_end, .steps = settings.newmark};
      const beam::Iterations count =
          beam::newmark(problem, assembler, settings.newmark, t_end / static_cast<double>(settings.newmark),
                        settings.newmark_rtol, [&, step = PetscInt{0}](double t, Vec q) mutable {
                          done.tip = problem.deflection(q);
                          if (++step % (settings.newmark / settings.samples) == 0) sample(t, q);
                        });
      done.solves = count.newton;
      done.krylov = count.krylov;
    } else {
      using gearshift::State, gearshift::Shifts;
      gearshift::AssembledSystem system(
          assembler.matrix(), [&](const State& x, Vec r) { assembler.residual(x.t, x.q, x.a, r); },
          [&](const State& x, Shifts s, Mat P) { assembler.tangent(x.q, s, P); });
      system.set_symmetric();
      system.set_constrained(problem.constrained.get());
      done = step_by_gearshift(settings, system, assembler.layout(), sample, problem, timer);
    }
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const auto calls = timer.get_summary_data(dealii::TimerOutput::n_calls);
  const auto count = [&](const char* what) { return calls.contains(what) ? static_cast<int>(calls.at(what)) : 0; };
  check(PetscPrintf(comm, "CPU %.2f s  residuals %d  matrices %d  products %d\n", seconds, count("residual"),
                    count("tangent matrix"), count("tangent product")));
  check(PetscPrintf(comm, "%s: t %g  DoFs %d  steps %d  solves %d  Krylov %d  tip %.9e m\n", done.method, done.t,
                    static_cast<int>(problem.dofs.n_dofs()), static_cast<int>(done.steps),
                    static_cast<int>(done.solves), static_cast<int>(done.krylov), done.tip));
}

}  // namespace

int main(int argc, char** argv) {
  dealii::Utilities::MPI::MPI_InitFinalize host(argc, argv, 1);
  gearshift::Session session(argc, argv, "A finite-strain beam of deal.II, integrated by gearshift.\n");
  return session.run(run);
}
