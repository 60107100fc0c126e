#include "bench/step.hpp"

#include <gearshift/dynamics/stepper.hpp>

#include "bench/cantilever.hpp"
#include "bench/counts.hpp"
#include "bench/linear_system.hpp"
#include "bench/measure.hpp"
#include "bench/memory.hpp"
#include "bench/point_value.hpp"
#include "petsc/queries.hpp"

#include <algorithm>

namespace gearshift::bench {
namespace {

struct Problem {
  Cantilever beam;
  PetscInt steps = 10;
};

Problem read_problem(MPI_Comm comm) {
  Problem given;
  given.beam.dofs = 1.4e5;
  given.beam.aspect = 10;
  given.beam.height = 0.1;
  given.beam.load = {0, 0, -10};
  given.beam.material = {.law = solid::Law::neo_hookean, .E = 1e7, .nu = 0.3, .rho = 1000};
  petsc::read_options(comm, "", "gearshift-bench step", [&](petsc::Options& options) {
    given.beam.read(options);
    options.integer("-steps", "number of steps; -gear_dt and the other options of the stepper apply, too", given.steps);
  });
  given.beam.validate();
  if (given.steps < 1) throw OptionError("option -steps: give 1 or more");
  return given;
}

/// The cost of one step.
struct Cost {
  Seconds time;
  Counts counts;
  PetscInt newton = 0, krylov = 0;
};

void add_tip(io::Summary& line, const solid::Vec3& tip) {
  line.add("tip_ux", tip[0]);
  line.add("tip_uy", tip[1]);
  line.add("tip_uz", tip[2]);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <class Value>
double median_of(const std::vector<Cost>& costs, Value&& value) {
  std::vector<double> values;
  for (const Cost& cost : costs) values.push_back(value(cost));
  return median(std::move(values));
}

template <class Value>
double mean_of(const std::vector<Cost>& costs, Value&& value) {
  double sum = 0;
  for (const Cost& cost : costs) sum += static_cast<double>(value(cost));
  return sum / static_cast<double>(costs.size());
}

}  // namespace

void measure_steps(MPI_Comm comm) {
  const Problem given = read_problem(comm);
  if (petsc::has_option("", "-help")) {
    StepperOptions options;
    petsc::read_options(comm, "", "Stepper", [&](petsc::Options& o) { options.read(o); });
    (void)solid::read_kernel_options(comm);
    return;
  }
  MemoryWatch watch(comm);
  Stopwatch clock(comm);
  auto mesh = given.beam.make_mesh(comm);
  const double mesh_seconds = clock.lap().wall;
  watch.mesh_is_made();
  clock.lap();
  const auto body = given.beam.make_body(std::move(mesh));
  Stepper stepper(*body, body->layout(), {.dt = 0.01});
  stepper.set_from_options();
  {
    const auto rest = petsc::duplicate(body->layout());
    stepper.set_initial_state(0, rest.get(), rest.get());
  }
  PointValue tip(body->space(), given.beam.tip());
  const double body_seconds = clock.lap().wall;

  std::vector<Cost> costs;
  PetscInt rejected = 0;
  for (PetscInt i = 0; i < given.steps; ++i) {
    const Counts before = counts();
    const StepReport report = stepper.step();
    Cost cost;
    cost.counts = counts() - before;
    cost.time = clock.lap();
    cost.counts = largest(comm, cost.counts);
    cost.newton = report.newton_iterations;
    cost.krylov = report.krylov_iterations;
    rejected += report.attempts - 1;
    costs.push_back(cost);
    io::Summary line;
    line.add("bench", "step");
    line.add("step", report.step);
    line.add("t", report.t);
    line.add("dt", report.dt);
    line.add("order", report.order);
    add_measured(line, "seconds", cost.time.wall);
    add_measured(line, "cpu_seconds", cost.time.clock);
    line.add("newton", cost.newton);
    line.add("krylov", cost.krylov);
    add(line, "step", cost.counts);
    add_tip(line, tip.of(stepper.state().q));
    print(comm, line);
    clock.lap();
  }

  io::Summary line;
  line.add("bench", "steps");
  given.beam.describe(line, *body);
  line.add("steps", given.steps);
  line.add("rejected", rejected);
  line.add("t", stepper.state().t);
  add_measured(line, "mesh_s", mesh_seconds);
  add_measured(line, "body_s", body_seconds);
  add_measured(line, "first_step_s", costs.front().time.wall);
  add_measured(line, "s/step", median_of(costs, [](const Cost& c) { return c.time.wall; }));
  add_measured(line, "s/step_mean", mean_of(costs, [](const Cost& c) { return c.time.wall; }));
  add_measured(line, "cpu_s/step", median_of(costs, [](const Cost& c) { return c.time.clock; }));
  add_measured(line, "newton/step", mean_of(costs, [](const Cost& c) { return c.newton; }));
  add_measured(line, "krylov/step", mean_of(costs, [](const Cost& c) { return c.krylov; }));
  add(line, "step",
      {mean_of(costs, [](const Cost& c) { return c.counts.messages; }),
       mean_of(costs, [](const Cost& c) { return c.counts.bytes; }),
       mean_of(costs, [](const Cost& c) { return c.counts.reductions; })});
  watch.report(line, static_cast<double>(petsc::size_of(body->layout())));
  add_tip(line, tip.of(stepper.state().q));
  print(comm, line);
}

}  // namespace gearshift::bench
