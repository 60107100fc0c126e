#include "dynamics/newton/newton_failure.hpp"

#include "dynamics/equations/probe_vector.hpp"
#include "dynamics/newton/constants.hpp"
#include "dynamics/newton/newton_solver.hpp"
#include "petsc/queries.hpp"

#include <sstream>

namespace gearshift {

using petsc::check;
using petsc::duplicate;
using petsc::Handle;

namespace {

std::string in_words(SNESConvergedReason reason) {
  const std::string name = SNESConvergedReasons[reason];
  switch (reason) {
    case SNES_DIVERGED_MAX_IT:
      return "the limit -snes_max_it is reached (" + name + ")";
    case SNES_DIVERGED_LINE_SEARCH:
      return "the line search found no smaller residual (" + name + ")";
    case SNES_DIVERGED_LOCAL_MIN:
      return "the line search hardly reduces the residual (" + name + ")";
    case SNES_DIVERGED_LINEAR_SOLVE:
      return "a linear solve failed (" + name + ")";
    case petsc::diverged_nan:
      return "the residual is NaN or infinite (" + name + ")";
    case SNES_DIVERGED_FUNCTION_DOMAIN:
      return "the residual cannot be evaluated (" + name + ")";
    default:
      return name;
  }
}

std::string in_words(KSP solver) {
  const KSPConvergedReason reason = petsc::reason_of(solver);
  const std::string name = KSPConvergedReasons[reason];
  PetscInt limit = 0;
  switch (reason) {
    case KSP_DIVERGED_ITS:
      check(KSPGetTolerances(solver, nullptr, nullptr, nullptr, &limit));
      return "the linear solver reached its limit of " + std::to_string(limit) + " iterations (" + name + ")";
    case KSP_DIVERGED_INDEFINITE_PC:
      return "the preconditioner is indefinite (" + name + ")";
    case KSP_DIVERGED_NANORINF:
      return "the linear solver met NaN or infinity (" + name + ")";
    default:
      return "the linear solver ended with " + name;
  }
}

/// Returns true if some translation meets no resistance. Only Vecs with several components per node are tested.
bool moves_rigidly(NewtonSolver& newton) {
  if (newton.linear().of_host() || !newton.linear().linearized()) return false;
  Handle<Vec> in = duplicate(newton.residual().start()), out = duplicate(in.get());
  PetscInt components = 1;
  check(VecGetBlockSize(in.get(), &components));
  const auto resistance = [&](auto&& entry) {
    petsc::fill(in.get(), entry);
    newton.linear().jacobian().apply(in.get(), out.get());
    newton.motion().fixed().set(out.get(), 0.0);
    return petsc::norm(out.get(), NORM_INFINITY);
  };
  const PetscReal rough = resistance(probe_vector);
  if (!(rough > 0)) return false;
  for (PetscInt c = 0; components > 1 && c < components; ++c)
    if (resistance([&](PetscInt i) { return i % components == c ? 1.0 : 0.0; }) <= newton::no_resistance * rough)
      return true;
  return false;
}

}  // namespace

NewtonFailure describe_failure(NewtonSolver& newton, bool indefinite) {
  SNES snes = newton.snes();
  SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
  PetscInt iterations = 0;
  PetscReal norm = 0;
  check(SNESGetConvergedReason(snes, &reason));
  check(SNESGetIterationNumber(snes, &iterations));
  check(SNESGetFunctionNorm(snes, &norm));
  KSP linear = newton.linear().ksp();
  std::ostringstream text;
  text << "Newton did not converge in " << iterations << " iterations: " << in_words(reason);
  if (petsc::reason_of(linear) < 0) text << ", " << in_words(linear);
  if (norm != 0) text << ", residual norm " << norm;  // 0: not evaluated, because only increments are tested
  const std::string doubts = newton.convergence().doubts();
  if (!doubts.empty()) text << "; " << doubts;
  const std::string invalid = newton.system().guard().invalid_state_text();
  if (!invalid.empty()) text << "; the state became invalid: " << invalid;
  const Shifts slope = newton.residual().shifts();
  const bool at_rest = slope.v == 0 && slope.a == 0;
  const bool unsupported = at_rest && moves_rigidly(newton);
  if (unsupported)
    text << "; the body can move rigidly: the tangent has rigid-body modes, so that it does not resist some "
            "translation";
  else if (indefinite && invalid.empty())
    text << "; the tangent is indefinite: unstable branch or too large a step";
  return {text.str(), unsupported};
}

}  // namespace gearshift
