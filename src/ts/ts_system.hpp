#pragma once

#include <gearshift/dynamics/system.hpp>

#include <gearshift.h>
#include <petscts.h>

namespace gearshift::ts {

/// The arguments of TSGearSetRigidMotion().
struct RigidMotion {
  TSGearTakeOutRigidMotion take_out = nullptr;
  PetscInt vector_size = 1;
  void* context = nullptr;
};

/// The equations of a TS program as a System: F(t, u, u', u'') of the I2 function (p = 2; without an I2 function, the I
/// function is F(t, u, u'') as for TSALPHA2), or F(t, u, u') of the I and RHS functions (p = 1, State::v is u').
class TsSystem : public System, public SystemRigidMotion {
 public:
  TsSystem(TS ts, int levels, const RigidMotion& rigid) : ts_(ts), levels_(levels), rigid_(rigid) {}
  void residual(const State& x, Vec r) override;
  bool take_out_rigid_motion(Vec q, Vec v) override;
  PetscInt vector_size() const override { return rigid_.vector_size; }
  SystemParts parts() override;
  /// Computes the program's own Jacobian at x, scaled so that the factor of R_q is 1.
  void jacobian(const State& x, Shifts s, Mat J, Mat P);

 private:
  TS ts_;
  int levels_;
  RigidMotion rigid_;
};

/// Returns the order p of the ODE of a program: 2 if it has set an I2 function or called TS2SetSolution(), otherwise 1.
int ode_order(TS ts);

}  // namespace gearshift::ts
