#include "dynamics/newton/static_solver.hpp"
#include "dynamics/run/stepper_impl.hpp"
#include "petsc/queries.hpp"
#include "petsc/ranks/agree.hpp"
#include "petsc/text_of.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gearshift {

using petsc::check;
using petsc::duplicate;
using petsc::Handle;

Report Stepper::solve_static(PetscReal t) { return solve_static(t, nullptr); }

Report Stepper::solve_static(PetscReal t, Vec guess) { return solve_static(t, guess, nullptr); }

Report Stepper::solve_static(PetscReal t, Vec guess, const Acceptance& accept) {
  Impl& self = *impl_;
  Integrator& integrator = self.ready();
  self.loop->apply_restart();
  NewtonSolver& newton = integrator.solver();
  if (!self.statics) self.statics = std::make_unique<StaticSolver>(newton);
  const double begin = MPI_Wtime();
  AffineMap map;
  map.t = t;
  map.slope = {1, 0, 0};
  map.internal.rate = 0;
  if (self.guarded->parts().internal->internal_follows_path())
    map.internal.base = integrator.history().state().internal.base;
  map.unknown = 0;
  const Handle<Vec> q = duplicate(self.layout.get());
  Report report;
  report.reason = StopReason::static_solved;
  report.t = t;
  StepReport& step = report.last;
  step.t = t;
  const Vec start = integrator.history().present()[0];
  self.with_keys([&] { self.statics->solve(map, start, guess, q.get(), step); });
  step.accepted = true;
  self.statics->judge(start, q.get(), step);
  // Friction makes tangents unsymmetric and depends on the load steps before: a restart could not build this one again.
  if (!self.guarded->symmetric()) newton.linear().policy().invalidate();
  // An equilibrium is at rest: only the position of a prescribed motion is kept.
  const State found = newton.residual().state_at(q.get());
  check(VecCopy(found.q, q.get()));
  if (accept) {
    std::string why;
    self.guarded->guard().run_together([&] { why = accept(found, step); });
    if (const auto [rank, first] = petsc::first_text(comm(), !why.empty(), why); rank >= 0) {
      step.accepted = false;
      throw StepFailed(first, t, 0);
    }
  }
  integrator.start_at_rest(t, q.get(), self.keeps_ledger());
  self.loop->begin(self.observers);
  self.guarded->parts().history->accept(integrator.history().state());
  self.guarded->guard().agree();
  report.newton_iterations = step.newton_iterations;
  report.krylov_iterations = step.krylov_iterations;
  report.seconds = MPI_Wtime() - begin;
  return report;
}

PetscInt Stepper::compute_acceleration() {
  Impl& self = *impl_;
  Integrator& integrator = self.ready();
  self.loop->apply_restart();
  NewtonSolver& solver = integrator.solver();
  const State at = integrator.history().state();
  std::vector<PetscInt> massless = massless_entries(*self.guarded, at, solver.motion().fixed().constrained());
  PetscInt count = static_cast<PetscInt>(massless.size());
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPIU_INT, MPI_SUM, comm());
  solver.motion().fixed().exclude(std::move(massless));
  AffineMap map;
  map.t = at.t;
  map.slope = {0, 0, 1};
  map.base_q = at.q;
  map.base_v = at.v;
  map.internal = at.internal;
  map.unknown = 2;
  solver.motion().set(map);
  solver.convergence().tie_to(nullptr, 1);
  solver.linear().policy().request();
  const Handle<Vec> a = duplicate(self.layout.get());
  solver.motion().constrain(a.get());
  StepReport report;
  bool solved = false;
  try {
    solved = self.with_keys([&] { return solver.solve(a.get(), report); });
  } catch (...) {  // on all ranks
    solver.motion().fixed().exclude({});
    solver.linear().policy().request();
    throw;
  }
  if (solved) check(VecCopy(solver.residual().state_at(a.get()).a, a.get()));  // with dependent entries
  solver.motion().fixed().exclude({});
  solver.linear().policy().request();
  if (!solved)
    throw StepFailed(
        self.keyed("the acceleration at t = " + petsc::text_of(at.t) + " was not found: " + report.failure), at.t, 0);
  integrator.set_slope(a.get());
  return count;
}

}  // namespace gearshift
