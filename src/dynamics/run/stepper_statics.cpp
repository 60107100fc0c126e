#include <gearshift/petsc/views.hpp>

#include "dynamics/newton/full_steps.hpp"
#include "dynamics/run/stepper_impl.hpp"
#include "petsc/duplicate.hpp"

#include <petsctime.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace gearshift {

using petsc::check;
using petsc::duplicate;
using petsc::Handle;

/// Newton for an equilibrium from the guess in `unknown`: with full steps, then with PETSc's own search.
bool Stepper::Impl::solve_rest(StepReport& record) {
  {
    const FullSteps full(problem->snes(), prefix, use_options);
    if (full.active()) {
      if (problem->solve(unknown.get(), record)) return true;
      check(VecCopy(present()[0], unknown.get()));
      problem->constrain(unknown.get());
      problem->request_rebuild();
      record.residual_norms.clear();
      record.increment_norms.clear();
      record.iteration_seconds.clear();
    }
  }
  return problem->solve(unknown.get(), record);
}

Report Stepper::solve_static(PetscReal t) {
  Impl& self = *impl_;
  self.set_up();
  if (self.scheme->size() == 0)
    throw Error("no initial state yet; call set_initial_state(t, q, v) before a static solve");
  PetscLogDouble begin = 0, end = 0;
  check(PetscTime(&begin));
  const std::array<Vec, 2> now = self.present();
  AffineMap map;
  map.t = t;
  map.slope = {1, 0, 0};
  map.unknown = 0;
  self.problem->set_map(map);
  self.problem->tie_to(nullptr, 1);
  self.problem->request_rebuild();
  check(VecCopy(now[0], self.unknown.get()));
  self.problem->constrain(self.unknown.get());
  Report report;
  report.reason = StopReason::static_solved;
  report.t = t;
  StepReport& record = report.last;
  record.t = t;
  if (!self.solve_rest(record))
    throw StepFailed("static equilibrium at t = " + std::to_string(t) + " was not found: " + record.failure +
                         ". Try more load steps (-load_steps), a nearer start, another -snes_linesearch_type (l2, cp), "
                         "or look closer with -snes_monitor -ksp_converged_reason",
                     t, 0);
  record.accepted = true;
  // Equilibrium is at rest; prescribed motion keeps its place only.
  check(VecCopy(self.problem->state_at(self.unknown.get()).q, self.unknown.get()));
  check(VecSet(self.velocity.get(), 0));
  check(VecSet(self.acceleration.get(), 0));
  const std::array<Vec, 2> rest{self.unknown.get(), self.velocity.get()};
  self.scheme->set_initial_conditions(t, self.levels_of(rest));
  self.begin(t);
  self.begin_ledger(*this);
  report.newton_iterations = record.newton_iterations;
  report.krylov_iterations = record.krylov_iterations;
  check(PetscTime(&end));
  report.seconds = end - begin;
  return report;
}

PetscInt Stepper::compute_acceleration() {
  Impl& self = *impl_;
  if (self.host.levels != 2) throw Error("a first-order ODE has no acceleration");
  self.set_up();
  const State at = state();
  // An entry that no acceleration reaches has no mass.
  std::vector<PetscInt> massless;
  {
    const auto mass = self.problem->system().make_linearization();
    mass->update(at);
    Handle<Vec> in = duplicate(self.layout.get()), out = duplicate(self.layout.get());
    {
      const petsc::WriteView values(in.get());
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1 + 0.5 * std::sin(static_cast<PetscReal>(1 + 7 * i));
    }
    mass->apply({0, 0, 1}, in.get(), out.get());
    PetscReal largest = 0;
    check(VecNorm(out.get(), NORM_INFINITY, &largest));
    const petsc::ReadView image(out.get());
    std::vector<bool> fixed(image.size(), false);
    for (const PetscInt i : self.problem->constrained()) fixed[i] = true;
    for (std::size_t i = 0; i < image.size(); ++i)
      if (!fixed[i] && std::abs(image[i]) <= 1e-13 * largest) massless.push_back(static_cast<PetscInt>(i));
  }
  PetscInt count = static_cast<PetscInt>(massless.size());
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPIU_INT, MPI_SUM, comm());
  self.problem->exclude(std::move(massless));
  AffineMap map;
  map.t = at.t;
  map.slope = {0, 0, 1};
  map.base_q = at.q;
  map.base_v = at.v;
  map.unknown = 2;
  self.problem->set_map(map);
  self.problem->tie_to(nullptr, 1);
  self.problem->request_rebuild();
  check(VecSet(self.unknown.get(), 0));
  self.problem->constrain(self.unknown.get());
  StepReport record;
  const bool solved = self.problem->solve(self.unknown.get(), record);
  self.problem->exclude({});
  self.problem->request_rebuild();
  if (!solved)
    throw StepFailed("the acceleration at t = " + std::to_string(at.t) + " was not found: " + record.failure, at.t, 0);
  check(VecCopy(self.unknown.get(), self.acceleration.get()));
  return count;
}

}  // namespace gearshift
