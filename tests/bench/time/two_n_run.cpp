/// BDF2 with equal steps on y = [q; v], the form of twice the length that gearshift avoids: the same steps, the same
/// Newton-Krylov solver, a preconditioner matrix with adjacent q_i and v_i. For comparison only.
/// Options: -snes_*, -ksp_*, -pc_*, -rebuild_age (steps, 1: a new preconditioner in each).

#include <gearshift/dynamics/bdf_scheme.hpp>

#include "krylov_watch.hpp"
#include "run.hpp"

#include <petscsnes.h>

#include <array>
#include <vector>

namespace bench {
namespace {

/// One step's equations [q' - v; M v' - F] = 0 with y' = alpha (y + inertia), and their tangent
/// [alpha, -1; -F_q, alpha M - F_v].
class TwoN {
 public:
  explicit TwoN(Problem& problem)
      : problem_(problem),
        q_(problem.vector()),
        v_(problem.vector()),
        dq_(problem.vector()),
        dv_(problem.vector()),
        force_(problem.vector()),
        rate_(vector()),
        stiffness_(problem.matrix()),
        damping_(problem.matrix()) {
    PetscInt n = 0;
    check(VecGetLocalSize(rate_.get(), &n));
    check(MatGetOwnershipRange(stiffness_.get(), &first_, &last_));
    problem.initial(q_.get(), v_.get());
    problem.assemble(q_.get(), v_.get(), 0, 1, 0, stiffness_.get());
    std::vector<PetscInt> lengths;  // lengths of the rows of q_i and v_i, alternating
    for (PetscInt row = first_; row < last_; ++row) {
      PetscInt columns = 0;
      check(MatGetRow(stiffness_.get(), row, &columns, nullptr, nullptr));
      lengths.insert(lengths.end(), {2, 2 * columns});
      check(MatRestoreRow(stiffness_.get(), row, &columns, nullptr, nullptr));
    }
    check(MatCreateAIJ(PETSC_COMM_WORLD, n, n, PETSC_DECIDE, PETSC_DECIDE, 0, lengths.data(), 0, lengths.data(),
                       assembled_.out()));
    check(MatCreateShell(PETSC_COMM_WORLD, n, n, PETSC_DECIDE, PETSC_DECIDE, this, product_.out()));
    check(MatShellSetOperation(product_.get(), MATOP_MULT, reinterpret_cast<void (*)()>(multiply)));
  }

  Handle<Vec> vector() const {
    PetscInt n = 0;
    check(VecGetLocalSize(problem_.mass(), &n));
    Handle<Vec> y;
    check(VecCreate(PETSC_COMM_WORLD, y.out()));
    check(VecSetSizes(y.get(), 2 * n, PETSC_DECIDE));
    check(VecSetBlockSize(y.get(), 2));
    check(VecSetType(y.get(), VECMPI));
    return y;
  }
  static void join(Vec q, Vec v, Vec y) {
    check(VecStrideScatter(q, 0, y, INSERT_VALUES));
    check(VecStrideScatter(v, 1, y, INSERT_VALUES));
  }
  static void split(Vec y, Vec q, Vec v) {
    check(VecStrideGather(y, 0, q, INSERT_VALUES));
    check(VecStrideGather(y, 1, v, INSERT_VALUES));
  }

  void begin_step(double t, double alpha, Vec inertia) {
    t_ = t;
    alpha_ = alpha;
    inertia_ = inertia;
  }
  void set_up(SNES snes) {
    check(SNESSetFunction(snes, nullptr, function, this));
    check(SNESSetJacobian(snes, product_.get(), assembled_.get(), jacobian, this));
  }

 private:
  void residual(Vec y, Vec r) {
    split(y, q_.get(), v_.get());
    check(VecWAXPY(rate_.get(), 1, inertia_, y));
    check(VecScale(rate_.get(), alpha_));
    split(rate_.get(), dq_.get(), dv_.get());
    problem_.force(t_, q_.get(), v_.get(), force_.get());
    check(VecAXPY(dq_.get(), -1, v_.get()));
    check(VecPointwiseMult(dv_.get(), problem_.mass(), dv_.get()));
    check(VecAXPY(dv_.get(), -1, force_.get()));
    join(dq_.get(), dv_.get(), r);
  }

  void apply(Vec x, Vec y) {
    split(x, dq_.get(), dv_.get());
    problem_.product(q_.get(), v_.get(), 1, dq_.get(), 1, dv_.get(), force_.get());
    check(VecAXPBY(dq_.get(), -1, alpha_, dv_.get()));
    check(VecPointwiseMult(dv_.get(), problem_.mass(), dv_.get()));
    check(VecAXPBY(dv_.get(), -1, alpha_, force_.get()));
    join(dq_.get(), dv_.get(), y);
  }

  void linearize(SNES snes, Vec y) {
    split(y, q_.get(), v_.get());
    PetscInt iteration = 0;
    check(SNESGetIterationNumber(snes, &iteration));
    const bool now = iteration == 0 && rule_.due(1 / alpha_);
    check(SNESSetLagPreconditioner(snes, now ? -2 : -1));  // rebuild once, or not at all
    if (now) {
      assemble();
      rule_.built(1 / alpha_);
    }
    if (iteration == 0) rule_.used();
  }

  void assemble() {
    ++problem_.counts.builds;
    problem_.assemble(q_.get(), v_.get(), 0, 1, 0, stiffness_.get());
    problem_.assemble(q_.get(), v_.get(), alpha_, 0, 1, damping_.get());
    const Mat P = assembled_.get();
    for (PetscInt i = first_; i < last_; ++i) {
      const PetscInt row = 2 * i;
      const std::array<PetscInt, 2> columns{row, row + 1};
      const std::array<PetscScalar, 2> values{alpha_, -1};
      check(MatSetValues(P, 1, &row, 2, columns.data(), values.data(), INSERT_VALUES));
      insert_row(stiffness_.get(), i, 0);
      insert_row(damping_.get(), i, 1);
    }
    check(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
  }

  /// Copies row i of an N by N block to the row of v_i, its columns to those of q (part 0) or v (part 1).
  void insert_row(Mat block, PetscInt i, PetscInt part) {
    PetscInt count = 0;
    const PetscInt* columns = nullptr;
    const PetscScalar* values = nullptr;
    check(MatGetRow(block, i, &count, &columns, &values));
    columns_.assign(columns, columns + count);
    for (PetscInt& column : columns_) column = 2 * column + part;
    const PetscInt row = 2 * i + 1;
    check(MatSetValues(assembled_.get(), 1, &row, count, columns_.data(), values, INSERT_VALUES));
    check(MatRestoreRow(block, i, &count, &columns, &values));
  }

  static PetscErrorCode function(SNES, Vec y, Vec r, void* self) {
    return guarded(PETSC_ERR_LIB, [&] { static_cast<TwoN*>(self)->residual(y, r); });
  }
  static PetscErrorCode jacobian(SNES snes, Vec y, Mat J, Mat, void* self) {
    PetscCall(MatAssemblyBegin(J, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(J, MAT_FINAL_ASSEMBLY));
    return guarded(PETSC_ERR_LIB, [&] { static_cast<TwoN*>(self)->linearize(snes, y); });
  }
  static PetscErrorCode multiply(Mat J, Vec x, Vec y) {
    TwoN* self = nullptr;
    PetscCall(MatShellGetContext(J, &self));
    return guarded(PETSC_ERR_LIB, [&] { self->apply(x, y); });
  }

  Problem& problem_;
  Handle<Vec> q_, v_, dq_, dv_, force_, rate_;
  Handle<Mat> stiffness_, damping_, assembled_, product_;
  RebuildRule rule_;
  PetscInt first_ = 0, last_ = 0;
  double t_ = 0, alpha_ = 0;
  Vec inertia_ = nullptr;
  std::vector<PetscInt> columns_;
};

}  // namespace

Run run_two_n(Problem& problem, const Settings& settings) {
  if (settings.steps <= 0) throw gearshift::OptionError("two_n takes equal steps: give -steps n");
  Run run;
  run.q = problem.vector();
  run.v = problem.vector();
  problem.initial(run.q.get(), run.v.get());
  const Meter meter;
  TwoN equations(problem);
  const Handle<Vec> y = equations.vector(), r = equations.vector();
  TwoN::join(run.q.get(), run.v.get(), y.get());
  gearshift::BdfScheme scheme(y.get(), 1, 2);
  scheme.set_initial_conditions(0, {y.get()});

  Handle<SNES> snes;
  KSP ksp = nullptr;
  PC pc = nullptr;
  check(SNESCreate(PETSC_COMM_WORLD, snes.out()));
  equations.set_up(snes.get());
  check(SNESGetKSP(snes.get(), &ksp));
  check(KSPGetPC(ksp, &pc));
  check(PCSetType(pc, problem.pc_type.c_str()));
  check(SNESSetFromOptions(snes.get()));
  const KrylovWatch watch(ksp);
  const double dt = problem.end / static_cast<double>(settings.steps);
  for (; run.steps < settings.steps && run.failure.empty(); ++run.steps) {
    scheme.begin_step(dt);
    equations.begin_step(static_cast<double>(run.steps + 1) * dt, 1 / scheme.beta_tilde(), scheme.inertia(0));
    scheme.predict(0, y.get());
    check(SNESSolve(snes.get(), nullptr, y.get()));
    PetscInt newton = 0, krylov = 0;
    SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
    check(SNESGetIterationNumber(snes.get(), &newton));
    check(SNESGetLinearSolveIterations(snes.get(), &krylov));
    check(SNESGetConvergedReason(snes.get(), &reason));
    run.newton += newton;
    run.krylov += krylov;
    if (reason < 0) run.failure = SNESConvergedReasons[reason];
    scheme.finish_step({y.get()});
  }
  meter.stop(run);
  TwoN::split(y.get(), run.q.get(), run.v.get());
  run.order = 2;
  run.length = 2 * problem.size();
  run.factor_nonzeros = factor_nonzeros(pc);
  run.krylov_vectors = watch.vectors();
  problem.counts.applications = watch.applications();
  return run;
}

}  // namespace bench
