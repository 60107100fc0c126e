#include "ts/ts_system.hpp"

#include "petsc/read_lock.hpp"

#include <petsc/private/tsimpl.h>

namespace gearshift::ts {

using petsc::check;

// Programs, including PETSc's own tutorials, request write access to the arrays of derivatives, and PETSc's own types
// allow it.

void TsSystem::residual(const State& x, Vec r) {
  const petsc::Unlocked v(x.v), a(x.a);
  if (levels_ == 2)
    check(TSComputeI2Function(ts_, x.t, x.q, x.v, x.a, r));
  else
    check(TSComputeIFunction(ts_, x.t, x.q, x.v, r, PETSC_FALSE));
}

void TsSystem::jacobian(const State& x, Shifts s, Mat J, Mat P) {
  const petsc::Unlocked v(x.v), a(x.a);
  if (levels_ == 2)
    check(TSComputeI2Jacobian(ts_, x.t, x.q, x.v, x.a, s.v / s.q, s.a / s.q, J, P));
  else
    check(TSComputeIJacobian(ts_, x.t, x.q, x.v, s.v / s.q, J, P, PETSC_FALSE));
}

bool TsSystem::take_out_rigid_motion(Vec q, Vec v) {
  PetscBool done = PETSC_FALSE;
  if (rigid_.take_out) check(rigid_.take_out(ts_, q, v, &done, rigid_.context));
  return done == PETSC_TRUE;
}

SystemParts TsSystem::parts() {
  SystemParts parts;
  if (rigid_.take_out) parts.rigid_motion = this;
  return parts;
}

int ode_order(TS ts) {
  TSI2Function function = nullptr;
  check(TSGetI2Function(ts, nullptr, &function, nullptr));
  return function || ts->vec_dot ? 2 : 1;
}

}  // namespace gearshift::ts
