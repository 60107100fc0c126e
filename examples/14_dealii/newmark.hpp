#pragma once

// The integrator of most deal.II programs: constant average acceleration, fixed step, a new matrix in each iteration.

#include "assembled.hpp"

#include <functional>

namespace beam {

struct Iterations {
  PetscInt newton = 0, krylov = 0;
};

/// Integrates from rest with the displacement as the unknown; after(t, q) is called after each step. The solver's
/// options begin with -newmark_ (-newmark_ksp_type, -newmark_pc_type ...).
/// @param rtol Newton's tolerance, relative to the first residual of each step
inline Iterations newmark(const Problem& problem, Assembler& assembler, PetscInt steps, double dt, double rtol,
                          const std::function<void(double, Vec)>& after) {
  using gearshift::petsc::check, gearshift::petsc::Handle;
  Handle<Vec> q, v, a, r, change;
  for (Handle<Vec>* x : {&q, &v, &a, &r, &change}) {
    check(VecDuplicate(assembler.layout(), x->out()));
    check(VecSet(x->get(), 0));
  }
  Handle<Mat> tangent;
  check(MatDuplicate(assembler.matrix(), MAT_COPY_VALUES, tangent.out()));
  Handle<KSP> solver;
  check(KSPCreate(problem.mesh.get_communicator(), solver.out()));
  check(KSPSetOptionsPrefix(solver.get(), "newmark_"));
  check(KSPSetType(solver.get(), KSPCG));
  check(KSPSetOperators(solver.get(), tangent.get(), tangent.get()));
  check(KSPSetFromOptions(solver.get()));
  Iterations iterations;
  for (PetscInt step = 1; step <= steps; ++step) {
    const double t = dt * static_cast<double>(step);
    check(VecAXPBYPCZ(q.get(), dt, dt * dt / 2, 1, v.get(), a.get()));  // predictor with constant acceleration
    check(VecAXPY(v.get(), dt, a.get()));
    PetscReal first = 0;
    for (PetscInt iteration = 0;; ++iteration) {
      assembler.residual(t, q.get(), a.get(), r.get());
      PetscReal norm = 0;
      check(VecNorm(r.get(), NORM_2, &norm));
      if (iteration == 0) first = norm;
      if (norm <= rtol * first) break;
      if (iteration == 20) throw gearshift::Error("Newton's method did not converge; use a smaller step");
      check(MatZeroEntries(tangent.get()));
      assembler.tangent(q.get(), {.q = 1, .v = 0, .a = 4 / (dt * dt)}, tangent.get());
      check(KSPSolve(solver.get(), r.get(), change.get()));
      check(VecAXPY(q.get(), -1, change.get()));
      check(VecAXPY(v.get(), -2 / dt, change.get()));
      check(VecAXPY(a.get(), -4 / (dt * dt), change.get()));
      ++iterations.newton;
    }
    after(t, q.get());
  }
  check(KSPGetTotalIterations(solver.get(), &iterations.krylov));
  return iterations;
}

}  // namespace beam
