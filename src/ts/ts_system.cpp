#include "ts/ts_system.hpp"

#include <petsc/private/tsimpl.h>

namespace gearshift::ts {

using petsc::check;

namespace {

/// While it lives a locked Vec may be written to: programs get arrays of derivatives with access for writing, PETSc's own
/// tutorials among them, and PETSc's types let them.
class Unlocked {
 public:
  explicit Unlocked(Vec x) : x_(x) {
    if (x_) check(static_cast<PetscErrorCode>(VecLockGet(x_, &locks_)));  // a macro of no such type in some releases
    for (PetscInt i = 0; i < locks_; ++i) check(VecLockReadPop(x_));
  }
  ~Unlocked() {
    for (PetscInt i = 0; i < locks_; ++i) (void)!VecLockReadPush(x_);
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  Vec x_;
  PetscInt locks_ = 0;
};

}  // namespace

void TsSystem::residual(const State& x, Vec r) {
  const Unlocked v(x.v), a(x.a);
  if (levels_ == 2)
    check(TSComputeI2Function(ts_, x.t, x.q, x.v, x.a, r));
  else
    check(TSComputeIFunction(ts_, x.t, x.q, x.v, r, PETSC_FALSE));
}

void TsSystem::jacobian(const State& x, Shifts s, Mat J, Mat P) {
  const Unlocked v(x.v), a(x.a);
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

Overrides TsSystem::overrides() const {
  Overrides known = Overrides::of(*this);
  known.take_out_rigid_motion = rigid_.take_out != nullptr;
  return known;
}

int ode_order(TS ts) {
  TSI2Function function = nullptr;
  check(TSGetI2Function(ts, nullptr, &function, nullptr));
  return function || ts->vec_dot ? 2 : 1;
}

}  // namespace gearshift::ts
