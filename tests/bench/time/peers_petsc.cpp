/// PETSc's own integrators: TSBDF on the first-order form, TSALPHA2 on the second-order one.
/// Options: PETSc's (-ts_*, -snes_*, -ksp_*).

#include "first_order.hpp"
#include "run.hpp"

#include <petscts.h>

#include <cmath>

namespace bench {
namespace {

/// The data shared by the callbacks of both forms.
struct Peer {
  explicit Peer(Problem& of)
      : problem(of), preconditioner(of), form(of, preconditioner), q(of.vector()), v(of.vector()), work(of.vector()) {}

  /// Rebuilds the preconditioner for gamma at the state of `form` (or q, v) if it is due.
  template <class Build>
  void refresh(TS ts, double gamma, const Build& build) {
    PetscInt failures = 0;
    check(TSGetSNESFailures(ts, &failures));
    if (failures > seen_failures) rule.failed();
    seen_failures = failures;
    if (rule.due(gamma)) {
      build();
      rule.built(gamma);
    }
    rule.used();
  }

  Problem& problem;
  Preconditioner preconditioner;
  FirstOrderForm form;
  RebuildRule rule;
  PetscInt seen_failures = 0;
  double a = 0;                     ///< shift of the first-order form
  double shift_v = 0, shift_a = 0;  ///< shifts of the second-order form
  Handle<Vec> q, v, work;           ///< the state of the second-order form's linearisation
};

Peer& peer_of(void* context) { return *static_cast<Peer*>(context); }

PetscErrorCode as_petsc(const std::function<void()>& body) { return guarded(PETSC_ERR_LIB, body); }

PetscErrorCode touch(Mat J, Mat P) {
  for (const Mat matrix : {J, P}) {
    PetscCall(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  }
  return 0;
}

// ---- F(t, y, y') = 0

PetscErrorCode function1(TS, PetscReal t, Vec y, Vec dy, Vec r, void* context) {
  return as_petsc([&] { peer_of(context).form.residual(t, y, dy, r); });
}

PetscErrorCode jacobian1(TS ts, PetscReal, Vec y, Vec, PetscReal a, Mat J, Mat P, void* context) {
  PetscCall(touch(J, P));
  return as_petsc([&] {
    Peer& peer = peer_of(context);
    peer.a = a;
    peer.form.linearize(y);
    peer.refresh(ts, 1 / a, [&] { peer.form.build(1 / a); });
  });
}

PetscErrorCode multiply1(Mat J, Vec x, Vec y) {
  Peer* peer = nullptr;
  PetscCall(MatShellGetContext(J, &peer));
  return as_petsc([&] { peer->form.residual_product(peer->a, x, y); });
}

PetscErrorCode precondition1(PC pc, Vec r, Vec x) {
  Peer* peer = nullptr;
  PetscCall(PCShellGetContext(pc, &peer));
  return as_petsc([&] { peer->form.residual_solve(peer->a, r, x); });
}

// ---- F(t, q, v, a) = 0

PetscErrorCode function2(TS, PetscReal t, Vec q, Vec v, Vec a, Vec r, void* context) {
  return as_petsc([&] {
    Peer& peer = peer_of(context);
    peer.problem.force(t, q, v, peer.work.get());
    check(VecPointwiseMult(r, peer.problem.mass(), a));
    check(VecAXPY(r, -1, peer.work.get()));
  });
}

PetscErrorCode jacobian2(TS ts, PetscReal, Vec q, Vec v, Vec, PetscReal shift_v, PetscReal shift_a, Mat J, Mat P,
                         void* context) {
  PetscCall(touch(J, P));
  return as_petsc([&] {
    Peer& peer = peer_of(context);
    peer.shift_v = shift_v;
    peer.shift_a = shift_a;
    check(VecCopy(q, peer.q.get()));
    check(VecCopy(v, peer.v.get()));
    peer.refresh(ts, 1 / std::sqrt(shift_a), [&] { peer.preconditioner.build(q, v, 1 / shift_a, shift_v / shift_a); });
  });
}

PetscErrorCode multiply2(Mat J, Vec x, Vec y) {
  Peer* peer = nullptr;
  PetscCall(MatShellGetContext(J, &peer));
  return as_petsc([&] {
    Problem& problem = peer->problem;
    problem.product(peer->q.get(), peer->v.get(), -1, x, -peer->shift_v, x, y);
    check(VecPointwiseMult(peer->work.get(), problem.mass(), x));
    check(VecAXPY(y, peer->shift_a, peer->work.get()));
  });
}

PetscErrorCode precondition2(PC pc, Vec r, Vec x) {
  Peer* peer = nullptr;
  PetscCall(PCShellGetContext(pc, &peer));
  return as_petsc([&] {
    peer->preconditioner.apply(r, x);
    check(VecScale(x, 1 / peer->shift_a));
  });
}

}  // namespace

Run run_petsc_ts(Problem& problem, const Settings& settings) {
  const bool first_order = settings.kind == "ts1";
  const Meter meter;
  Peer peer(problem);
  Run run;
  run.q = problem.vector();
  run.v = problem.vector();
  problem.initial(run.q.get(), run.v.get());
  const Handle<Vec> y = peer.form.initial();
  const double tol = settings.tolerance;
  const Handle<Vec> absolute = peer.form.constant(tol * problem.scale_q, tol * problem.scale_v);

  Handle<TS> ts;
  check(TSCreate(PETSC_COMM_WORLD, ts.out()));
  check(TSSetType(ts.get(), first_order ? TSBDF : TSALPHA2));
  check(TSSetMaxTime(ts.get(), problem.end));
  check(TSSetTimeStep(ts.get(),
                      settings.steps > 0 ? problem.end / static_cast<double>(settings.steps) : 1e-4 * problem.end));
  check(TSSetExactFinalTime(ts.get(), TS_EXACTFINALTIME_MATCHSTEP));
  check(TSSetMaxSteps(ts.get(), 100'000'000));
  check(TSSetMaxSNESFailures(ts.get(), -1));
  PetscInt n = 0;
  check(VecGetLocalSize(first_order ? y.get() : run.q.get(), &n));
  Handle<Mat> J;
  check(MatCreateShell(PETSC_COMM_WORLD, n, n, PETSC_DECIDE, PETSC_DECIDE, &peer, J.out()));
  const auto multiply = first_order ? multiply1 : multiply2;
  check(MatShellSetOperation(J.get(), MATOP_MULT, reinterpret_cast<void (*)()>(multiply)));
  if (first_order) {
    check(TSSetIFunction(ts.get(), nullptr, function1, &peer));
    check(TSSetIJacobian(ts.get(), J.get(), J.get(), jacobian1, &peer));
    check(TSSetTolerances(ts.get(), tol, absolute.get(), tol, nullptr));
    check(TSSetSolution(ts.get(), y.get()));
  } else {
    // TSALPHA2 has one absolute tolerance for q and v: the geometric mean.
    check(TSSetI2Function(ts.get(), nullptr, function2, &peer));
    check(TSSetI2Jacobian(ts.get(), J.get(), J.get(), jacobian2, &peer));
    check(TSSetTolerances(ts.get(), tol * std::sqrt(problem.scale_q * problem.scale_v), nullptr, tol, nullptr));
    check(TS2SetSolution(ts.get(), run.q.get(), run.v.get()));
  }
  SNES snes = nullptr;
  KSP ksp = nullptr;
  PC pc = nullptr;
  check(TSGetSNES(ts.get(), &snes));
  check(SNESGetKSP(snes, &ksp));
  check(KSPGetPC(ksp, &pc));
  check(PCSetType(pc, PCSHELL));
  check(PCShellSetContext(pc, &peer));
  check(PCShellSetApply(pc, first_order ? precondition1 : precondition2));
  if (settings.steps > 0) {
    TSAdapt adapt = nullptr;
    check(TSGetAdapt(ts.get(), &adapt));
    check(TSAdaptSetType(adapt, TSADAPTNONE));
  }
  check(TSSetFromOptions(ts.get()));
  check(TSSolve(ts.get(), nullptr));

  meter.stop(run);
  PetscInt steps = 0, rejected = 0, newton = 0, krylov = 0;
  TSConvergedReason reason = TS_CONVERGED_ITERATING;
  check(TSGetStepNumber(ts.get(), &steps));
  check(TSGetStepRejections(ts.get(), &rejected));
  check(TSGetSNESIterations(ts.get(), &newton));
  check(TSGetKSPIterations(ts.get(), &krylov));
  check(TSGetConvergedReason(ts.get(), &reason));
  run.steps = steps;
  run.rejected = rejected;
  run.newton = newton;
  run.krylov = krylov;
  run.length = first_order ? 2 * problem.size() : problem.size();
  run.factor_nonzeros = peer.preconditioner.factor_nonzeros();
  if (reason < 0) run.failure = TSConvergedReasons[reason];
  if (first_order) peer.form.split(y.get(), run.q.get(), run.v.get());
  return run;
}

}  // namespace bench
