#pragma once

// Programs of PETSc's C interface with a TS of type gear: an oscillator u'' + 2 d u' + 4 u = 0 in every entry, and
// u' = -u^2.

#include <gearshift/petsc/error.hpp>
#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/views.hpp>

#include "dynamics/options.hpp"

#include <gearshift.h>
#include <petscts.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace oscillator {

using gearshift::petsc::check;
using gearshift::petsc::Handle;
using gearshift::petsc::ReadView;
using gearshift::petsc::WriteView;

inline constexpr double stiffness = 4;
inline constexpr const char* tight = "-snes_rtol 1e-13 -snes_atol 1e-14 -snes_stol 0 -ksp_rtol 1e-13 ";

struct Context {
  double damping = 0.2;
  double fail_after = std::numeric_limits<double>::infinity();  ///< NaN beyond this time
  int monitors = 0;
  std::vector<double> times;
};

inline std::array<double, 2> exact(double t, double d) {
  const double w = std::sqrt(stiffness - d * d), decay = std::exp(-d * t), g = decay * std::cos(w * t);
  return {g, -d * g - w * decay * std::sin(w * t)};
}

inline PetscErrorCode i2_function(TS, PetscReal t, Vec U, Vec V, Vec A, Vec F, void* ctx) {
  const auto& c = *static_cast<Context*>(ctx);
  const ReadView u(U), v(V), a(A);
  const WriteView f(F);
  for (std::size_t i = 0; i < f.size(); ++i)
    f[i] = t > c.fail_after ? std::nan("") : a[i] + 2 * c.damping * v[i] + stiffness * u[i];
  return gearshift::petsc::success;
}

inline PetscErrorCode fill_diagonal(Mat J, Mat P, PetscScalar value) {
  PetscInt first = 0, last = 0;
  PetscFunctionBeginUser;
  PetscCall(MatGetOwnershipRange(P, &first, &last));
  for (PetscInt i = first; i < last; ++i) PetscCall(MatSetValue(P, i, i, value, INSERT_VALUES));
  for (Mat M : {P, J}) {
    PetscCall(MatAssemblyBegin(M, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(M, MAT_FINAL_ASSEMBLY));
  }
  PetscFunctionReturn(gearshift::petsc::success);
}

inline PetscErrorCode i2_jacobian(TS, PetscReal, Vec, Vec, Vec, PetscReal shift_v, PetscReal shift_a, Mat J, Mat P,
                                  void* ctx) {
  return fill_diagonal(J, P, shift_a + 2 * static_cast<Context*>(ctx)->damping * shift_v + stiffness);
}

/// u'' + 4 u as a function of (u, u''): the meaning of TSSetIFunction together with TS2SetSolution.
inline PetscErrorCode acceleration_function(TS, PetscReal, Vec U, Vec A, Vec F, void*) {
  PetscFunctionBeginUser;
  PetscCall(VecWAXPY(F, stiffness, U, A));
  PetscFunctionReturn(gearshift::petsc::success);
}

inline PetscErrorCode acceleration_jacobian(TS, PetscReal, Vec, Vec, PetscReal shift, Mat J, Mat P, void*) {
  return fill_diagonal(J, P, shift + stiffness);
}

inline PetscErrorCode rate_function(TS, PetscReal, Vec U, Vec Udot, Vec F, void*) {
  const ReadView u(U), rate(Udot);
  const WriteView f(F);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = rate[i] + u[i] * u[i];
  return gearshift::petsc::success;
}

inline PetscErrorCode right_hand_side(TS, PetscReal, Vec U, Vec G, void*) {
  const ReadView u(U);
  const WriteView g(G);
  for (std::size_t i = 0; i < g.size(); ++i) g[i] = -u[i] * u[i];
  return gearshift::petsc::success;
}

inline PetscErrorCode count_monitor(TS, PetscInt, PetscReal t, Vec, void* ctx) {
  auto& c = *static_cast<Context*>(ctx);
  ++c.monitors;
  c.times.push_back(t);
  return gearshift::petsc::success;
}

enum class Form { second_order, second_order_no_jacobian, acceleration_only, implicit_rate, explicit_rate };

/// A TS of type gear with five entries distributed over the ranks, as a user's program would create it.
class Program {
 public:
  explicit Program(Form form, const std::string& options = "", Context initial = {})
      : context(initial), scope_(tight + options), form_(form) {
    check(GearshiftInitializePackage());
    check(VecCreateMPI(PETSC_COMM_WORLD, PETSC_DECIDE, 5, u.out()));
    check(VecDuplicate(u.get(), v.out()));
    check(TSCreate(PETSC_COMM_WORLD, ts_.out()));
    check(TSSetType(ts(), "gear"));
    check(TSSetTimeStep(ts(), 0.01));
    check(TSSetMaxTime(ts(), 1));
    check(TSSetExactFinalTime(ts(), TS_EXACTFINALTIME_MATCHSTEP));
    Mat J = nullptr;
    check(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, 5, 5, 1, nullptr, 0, nullptr, &J));
    matrix_ = Handle<Mat>::adopt(J);
    switch (form) {
      case Form::second_order:
        check(TSSetI2Jacobian(ts(), J, J, i2_jacobian, &context));
        [[fallthrough]];
      case Form::second_order_no_jacobian:
        check(TSSetI2Function(ts(), nullptr, i2_function, &context));
        break;
      case Form::acceleration_only:
        context.damping = 0;
        check(TSSetIFunction(ts(), nullptr, acceleration_function, nullptr));
        check(TSSetIJacobian(ts(), J, J, acceleration_jacobian, nullptr));
        break;
      case Form::implicit_rate:
        check(TSSetIFunction(ts(), nullptr, rate_function, nullptr));
        break;
      case Form::explicit_rate:
        check(TSSetRHSFunction(ts(), nullptr, right_hand_side, nullptr));
        break;
    }
    check(TSMonitorSet(ts(), count_monitor, &context, nullptr));
    check(TSSetFromOptions(ts()));
    start();
  }

  void start() {
    const auto x = exact(0, context.damping);
    check(VecSet(u.get(), x[0]));
    check(VecSet(v.get(), x[1]));
    if (first_order())
      check(TSSetSolution(ts(), u.get()));
    else
      check(TS2SetSolution(ts(), u.get(), v.get()));
  }

  bool first_order() const { return form_ == Form::implicit_rate || form_ == Form::explicit_rate; }
  TS ts() const { return ts_.get(); }
  Mat matrix() const { return matrix_.get(); }
  double time() const {
    PetscReal t = 0;
    check(TSGetTime(ts(), &t));
    return t;
  }
  int steps() const {
    PetscInt n = 0;
    check(TSGetStepNumber(ts(), &n));
    return static_cast<int>(n);
  }
  TSConvergedReason reason() const {
    TSConvergedReason why = TS_CONVERGED_ITERATING;
    check(TSGetConvergedReason(ts(), &why));
    return why;
  }
  TSConvergedReason solve() {
    check(TSSolve(ts(), nullptr));
    return reason();
  }
  double error_of(Vec x, double t, int level) const {
    const double value = first_order() ? 1 / (1 + t) : exact(t, context.damping)[level];
    PetscReal low = 0, high = 0;
    check(VecMin(x, nullptr, &low));
    check(VecMax(x, nullptr, &high));
    return std::max(std::abs(low - value), std::abs(high - value));
  }
  /// Returns the error of u and u' together, because either one may pass through zero.
  double error() const {
    const double in_u = error_of(u.get(), time(), 0);
    return first_order() ? in_u : std::hypot(in_u, error_of(v.get(), time(), 1));
  }

  Context context;
  Handle<Vec> u, v;

 private:
  OptionsScope scope_;
  Handle<TS> ts_;
  Handle<Mat> matrix_;
  Form form_;
};

inline std::string order_option(int k) { return "-ts_gear_order " + std::to_string(k) + " "; }

inline double first_entry(Vec x) {
  PetscReal low = 0;
  check(VecMin(x, nullptr, &low));
  return low;
}

}  // namespace oscillator
