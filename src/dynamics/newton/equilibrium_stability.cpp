/// Whether an equilibrium that Newton has found is one that a body stays in.

#include <gearshift/petsc/views.hpp>

#include "dynamics/newton/newton_solver.hpp"
#include "petsc/duplicate.hpp"

#include <cmath>
#include <string_view>

namespace gearshift {

using petsc::check;
using petsc::duplicate;
using petsc::Handle;

namespace {

/// Residuals that fall so close to what the linear solver was asked for are those of a linear problem, whose stiffness is
/// the undeformed one.
constexpr PetscReal nearly_linear = 10;
constexpr PetscReal enough = 1e-3;  // of the residual: by then CG has met what is soft
constexpr PetscInt most_iterations = 300;

}  // namespace

bool NewtonSolver::behaved_linearly(const StepReport& record) const {
  KSP ksp = nullptr;
  PetscReal rtol = 0;
  check(SNESGetKSP(snes_.get(), &ksp));
  check(KSPGetTolerances(ksp, &rtol, nullptr, nullptr, nullptr));
  const auto& norms = record.residual_norms;
  return norms.size() < 2 || norms[1] <= nearly_linear * rtol * norms[0];
}

bool NewtonSolver::is_unstable(Vec x) {
  KSP ksp = nullptr;
  PC pc = nullptr;
  KSPType type = nullptr;
  check(SNESGetKSP(snes_.get(), &ksp));
  check(KSPGetType(ksp, &type));
  if (external_ || !linearized_ || std::string_view(type ? type : "") != KSPCG) return false;
  Mat J = nullptr, P = nullptr;
  check(SNESGetJacobian(snes_.get(), &J, &P, nullptr, nullptr));
  policy_.request();
  check(SNESComputeJacobian(snes_.get(), x, J, P));
  check(KSPGetPC(ksp, &pc));
  // A rough load has a part along every mode; the direction along which the energy falls is met as CG goes down it.
  const Handle<Vec> load = duplicate(x), motion = duplicate(x);
  PetscInt first = 0;
  check(VecGetOwnershipRange(load.get(), &first, nullptr));
  {
    const petsc::WriteView values(load.get());
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = std::sin(static_cast<PetscReal>(1 + 7 * (first + static_cast<PetscInt>(i))));
  }
  motion_.set_fixed_entries(load.get(), 0.0);
  Handle<KSP> probe;
  check(KSPCreate(PetscObjectComm(reinterpret_cast<PetscObject>(ksp)), probe.out()));
  check(KSPSetType(probe.get(), KSPCG));
  check(KSPSetOperators(probe.get(), J, P));
  check(KSPSetPC(probe.get(), pc));
  check(KSPSetTolerances(probe.get(), enough, PETSC_DEFAULT, 1e100, most_iterations));
  check(KSPSolve(probe.get(), load.get(), motion.get()));
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  check(KSPGetConvergedReason(probe.get(), &reason));
  guard().agree();
  return reason == KSP_DIVERGED_INDEFINITE_MAT;
}

}  // namespace gearshift
