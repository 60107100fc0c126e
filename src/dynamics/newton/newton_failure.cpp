
#include "dynamics/linear/probe_vector.hpp"
#include "dynamics/newton/newton_solver.hpp"
#include "petsc/queries.hpp"

#include <sstream>

namespace gearshift {

using petsc::check;
using petsc::duplicate;
using petsc::Handle;

namespace {
constexpr PetscReal no_resistance = 1e-10;  // relative to the tangent's resistance to a rough motion
}

/// Returns true if some translation meets no resistance. Only Vecs with several components per node are tested.
bool NewtonSolver::moves_rigidly() {
  if (linear_.of_host()) return false;
  Handle<Vec> in = duplicate(guess()), out = duplicate(guess());
  PetscInt components = 1;
  check(VecGetBlockSize(in.get(), &components));
  const auto resistance = [&](auto&& entry) {
    petsc::fill(in.get(), entry);
    linear_.jacobian().apply(in.get(), out.get());
    motion().set_fixed_entries(out.get(), 0.0);
    return petsc::norm(out.get(), NORM_INFINITY);
  };
  const PetscReal rough = resistance(probe_vector);
  if (!(rough > 0)) return false;
  for (PetscInt c = 0; components > 1 && c < components; ++c)
    if (resistance([&](PetscInt i) { return i % components == c ? 1.0 : 0.0; }) <= no_resistance * rough) return true;
  return false;
}

std::string NewtonSolver::describe_failure() {
  SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
  PetscInt iterations = 0;
  PetscReal norm = 0;
  check(SNESGetConvergedReason(snes_.get(), &reason));
  check(SNESGetIterationNumber(snes_.get(), &iterations));
  check(SNESGetFunctionNorm(snes_.get(), &norm));
  const KSPConvergedReason linear = petsc::reason_of(linear_.ksp());
  std::ostringstream text;
  text << "Newton did not converge: " << SNESConvergedReasons[reason] << " after " << iterations << " iterations";
  if (norm != 0) text << ", residual norm " << norm;  // 0: not evaluated, because only increments are tested
  if (linear < 0) text << ", linear solver " << KSPConvergedReasons[linear];
  const std::string doubts = convergence_.doubts();
  if (!doubts.empty()) text << "; " << doubts;
  const std::string invalid = guard().invalid_state_text();
  if (!invalid.empty()) {
    text << "; the state became invalid: " << invalid;
    return text.str();
  }
  const Shifts slope = residual_.shifts();
  const bool at_rest = slope.v == 0 && slope.a == 0;
  if (at_rest && moves_rigidly())
    text << "; the body can move rigidly: the tangent has rigid-body modes, so that it does not resist some "
            "translation. Clamp the body, or solve for its motion";
  else if (indefinite_)
    text << "; the tangent is indefinite: unstable branch or too large a step";
  return text.str();
}

}  // namespace gearshift
