#include <gearshift/petsc/options.hpp>

#include "dynamics/newton/newton_solver.hpp"
#include "dynamics/newton/newton_types.hpp"
#include "petsc/duplicate.hpp"

#include <petscdm.h>
#include <petscdmda.h>

namespace gearshift {

using petsc::check;
using petsc::duplicate;
using petsc::Handle;

namespace {

constexpr PetscInt max_dense_jacobian = 2000;

/// PETSc's line search before 3.24 shortens increments of a 2-norm above 1e8, whatever their unit. It is a default that
/// the System's configure(), the host and options may change. From 3.24 on this parameter holds the maximum factor of
/// an increment.
constexpr PetscReal default_max_step = 1e8, no_max_step = 1e300;

void replace_max_step(SNES snes, PetscReal former, PetscReal other) {
  SNESLineSearch search = nullptr;
  PetscReal max_step = 0;
  check(SNESGetLineSearch(snes, &search));
  check(SNESLineSearchGetTolerances(search, nullptr, &max_step, nullptr, nullptr, nullptr, nullptr));
  if (max_step != former) return;
  check(SNESLineSearchSetTolerances(search, PETSC_DEFAULT, other, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT,
                                    PETSC_DEFAULT));
}

/// Sets the default type early. SNESSetUp() would set it, too, but it would give the default line search type to the
/// line search present at that time, possibly a temporary one.
void set_default_type(SNES snes) {
  SNESType type = nullptr;
  check(SNESGetType(snes, &type));
  if (!type) check(SNESSetType(snes, SNESNEWTONLS));
}

}  // namespace

NewtonSolver::NewtonSolver(GuardedSystem& system, Vec layout, const StepperOptions& options, SNES snes)
    : system_(system),
      external_(snes != nullptr),
      motion_(system, layout),
      function_(duplicate(layout)),
      reactions_(duplicate(layout)),
      start_(duplicate(layout)),
      rules_(options.newton_test, options.newton),
      policy_(options.pc_update, layout, system.internal_layout()),
      automatic_test_(options.newton_test == NewtonTest::automatic),
      pc_update_automatic_(options.pc_update == PcUpdate::automatic) {
  if (external_)
    snes_ = Handle<SNES>::share(snes);
  else
    check(SNESCreate(system.comm(), snes_.out()));
}

NewtonSolver::~NewtonSolver() {
  PetscBool finalized = PETSC_FALSE;
  if (!external_ || PetscFinalized(&finalized) != 0 || finalized) return;
  (void)!SNESSetLagPreconditioner(snes_.get(), former_lag_);
  try {
    replace_max_step(snes_.get(), no_max_step, default_max_step);
  } catch (const Error&) {  // the host's solver stays as it is
  }
}

void NewtonSolver::set_up(std::string_view prefix, bool from_options) {
  prefix_ = prefix;
  from_options_ = from_options;
  const auto rounding = [this](Vec x) { return at_rounding(x); };
  const auto bad = [this] { return unusable(); };
  rules_.install(
      snes_.get(), external_, [this](Vec x) { return stayed_near(x) && at_rounding(x); },
      [this](Vec x, Vec y) { return noisy(x, y); });
  if (external_) {
    check(SNESGetLagPreconditioner(snes_.get(), &former_lag_));
    set_default_type(snes_.get());
    replace_max_step(snes_.get(), default_max_step, no_max_step);
    rules_.wrms().install(snes_.get(), true, rounding, bad);
    return;
  }
  const petsc::ErrorCapture capture;
  Vec layout = start_.get();
  check(SNESSetOptionsPrefix(snes_.get(), std::string(prefix).c_str()));
  DM dm = nullptr;
  check(VecGetDM(layout, &dm));
  PetscBool structured = PETSC_FALSE;
  if (dm) check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(dm), DMDA, &structured));
  if (structured) {
    // A clone, since PETSc stores a solver's callbacks in its DM: two solvers on the user's DM would share them.
    Handle<DM> own;
    check(DMClone(dm, own.out()));
    check(SNESSetDM(snes_.get(), own.get()));
  }
  check(SNESSetFunction(snes_.get(), function_.get(), form_function, this));
  system_.use_prefix(prefix);
  operator_ = std::make_unique<TangentOperator>(system_, motion_, layout, prefix);
  Mat shell = operator_->shell(), matrix = operator_->matrix();
  check(SNESSetJacobian(snes_.get(), shell, matrix ? matrix : shell, form_jacobian, this));
  system_.configure(snes_.get());
  KSP ksp = nullptr;
  PC pc = nullptr;
  KSPType ksp_type = nullptr;
  PCType pc_type = nullptr;
  check(SNESGetKSP(snes_.get(), &ksp));
  check(KSPGetPC(ksp, &pc));
  check(KSPGetType(ksp, &ksp_type));
  check(PCGetType(pc, &pc_type));
  // CG requested by a System because it is symmetric is only a default and is replaced if the tangent is indefinite.
  const bool plain = ksp_type && std::string_view(ksp_type) == KSPCG && system_.symmetric();
  bool user_ksp = ksp_type && !plain;
  replace_max_step(snes_.get(), default_max_step, no_max_step);
  pc_decided_ = pc_type != nullptr || matrix;
  if (from_options) {
    user_ksp = user_ksp || petsc::has_option(prefix, "-ksp_type");
    pc_decided_ = pc_decided_ || petsc::has_option(prefix, "-pc_type") || petsc::has_option(prefix, "-snes_mf") ||
                  petsc::has_option(prefix, "-snes_fd");
    user_lag_ = petsc::has_option(prefix, "-snes_lag_preconditioner");
    check(SNESSetFromOptions(snes_.get()));
    residual_asked_ = petsc::has_option(prefix, "-snes_rtol") || petsc::has_option(prefix, "-snes_atol");
    increment_asked_ = petsc::has_option(prefix, "-snes_stol");
    if (use_difference_jacobian(prefix)) pc_decided_ = true;
  }
  set_default_type(snes_.get());
  krylov_.set_up(ksp, user_ksp);
  may_loosen_ = !external_;
  for (const char* key : {"-ksp_rtol", "-ksp_atol", "-snes_ksp_ew"})
    may_loosen_ = may_loosen_ && !(from_options && petsc::has_option(prefix, key));
  may_tie_ = automatic_test_;
  for (const char* key : {"-snes_rtol", "-snes_atol", "-snes_stol", "-ksp_rtol", "-ksp_atol", "-snes_ksp_ew"})
    may_tie_ = may_tie_ && !(from_options && petsc::has_option(prefix, key));
  rules_.wrms().install(snes_.get(), from_options, rounding, bad);
  if (!pc_decided_) check(PCSetType(pc, PCNONE));  // until the first tangent shows if it has a diagonal
}

/// Returns true if the linear solver has PETSc's default tolerances and Newton seeks an equilibrium with them.
bool NewtonSolver::may_loosen(const Shifts& slope) const {
  PetscReal rtol = 0, atol = 0;
  KSP ksp = nullptr;
  check(SNESGetKSP(snes_.get(), &ksp));
  check(KSPGetTolerances(ksp, &rtol, &atol, nullptr, nullptr));
  return may_loosen_ && slope.v == 0 && slope.a == 0 && rtol == 1e-5 && atol == 1e-50 &&
         is_line_search_newton(snes_.get());
}

/// Returns true if the tolerances are PETSc's defaults, not changed by the System or a caller.
bool NewtonSolver::keeps_default_tolerances() const {
  PetscReal atol = 0, rtol = 0, stol = 0, krylov_rtol = 0, krylov_atol = 0;
  KSP ksp = nullptr;
  check(SNESGetTolerances(snes_.get(), &atol, &rtol, &stol, nullptr, nullptr));
  check(SNESGetKSP(snes_.get(), &ksp));
  check(KSPGetTolerances(ksp, &krylov_rtol, &krylov_atol, nullptr, nullptr));
  return rtol == 1e-8 && stol == 1e-8 && atol == 1e-50 && krylov_rtol == 1e-5 && krylov_atol == 1e-50;
}

/// Returns true if options, or the program, give a tolerance of the residual but not of the increments.
bool NewtonSolver::asks_for_residual_alone() const {
  PetscReal atol = 0, rtol = 0, stol = 0;
  check(SNESGetTolerances(snes_.get(), &atol, &rtol, &stol, nullptr, nullptr));
  return !external_ && !increment_asked_ && stol == 1e-8 && (residual_asked_ || rtol != 1e-8 || atol != 1e-50);
}

void NewtonSolver::tie_to(const ErrorNorm* norm, PetscReal tolerance, PetscReal reduction) {
  rules_.wrms().require_reduction(reduction);
  allowance_ = {};
  norm_ = norm && is_line_search_newton(snes_.get()) ? norm : nullptr;
  tolerance_ = tolerance;
  if (!norm_) rules_.wrms().end();
}

void NewtonSolver::allow(const Allowance& allowance) {
  const bool may = may_tie_ && allowance.any() && keeps_default_tolerances() && is_line_search_newton(snes_.get());
  allowance_ = may ? allowance : Allowance{};
}

void NewtonSolver::tie_to_way(PetscReal share) { allow({.share = share}); }

void NewtonSolver::tie_to_size(PetscReal size, PetscReal way) { allow({.size = size, .way = way}); }

bool NewtonSolver::use_difference_jacobian(std::string_view prefix) {
  PetscBool wanted = PETSC_FALSE;
  check(PetscOptionsGetBool(nullptr, std::string(prefix).c_str(), "-snes_fd", &wanted, nullptr));
  if (!wanted) return false;
  PetscInt size = 0, local = 0;
  check(VecGetSize(start_.get(), &size));
  check(VecGetLocalSize(start_.get(), &local));
  if (size >= max_dense_jacobian)
    throw OptionError("-snes_fd would build a dense matrix of " + std::to_string(size) +
                      " unknowns from one residual per unknown in every Newton iteration; it is meant for fewer than " +
                      std::to_string(max_dense_jacobian) + ". Try -snes_mf (differences without a matrix)");
  Handle<Mat> dense;
  check(MatCreateDense(system_.comm(), local, local, size, size, nullptr, dense.out()));
  check(SNESSetJacobian(snes_.get(), dense.get(), dense.get(), SNESComputeJacobianDefault, nullptr));
  return true;
}

bool NewtonSolver::find_constrained() {
  if (!motion_.find_constrained()) return false;
  check(VecSet(reactions_.get(), 0));  // reactions of entries that are free now do no work
  policy_.invalidate();
  evaluated_ = nullptr;
  return true;
}

}  // namespace gearshift
