#include "dynamics/newton/newton_solver.hpp"

#include <gearshift/petsc/log.hpp>
#include <gearshift/petsc/options.hpp>
#include <gearshift/petsc/views.hpp>

#include "petsc/duplicate.hpp"
#include "petsc/read_lock.hpp"

#include <petscdm.h>
#include <petscdmda.h>

#include <cmath>
#include <limits>
#include <sstream>

namespace gearshift {

using petsc::check;
using petsc::duplicate;
using petsc::Handle;

namespace {

constexpr PetscInt largest_dense_jacobian = 2000;
constexpr PetscReal most_change_of_alpha = 0.3;  // CVODE's rules for a stale preconditioner: change, age
constexpr PetscInt most_age = 20;
// And ours: iterations that a new one would have spared pay for it. Where they grow evenly from solve to solve, the cost
// is least when those spent in excess equal the price; that of a build is taken as a few more than a solve's.
constexpr PetscInt price_of_build = 4;

/// alpha = sigma_a/sigma_v = sigma_v/sigma_q of a step, 0 in statics, infinite for accelerations.
PetscReal coefficient(Shifts s) {
  if (s.v != 0) return s.a != 0 ? s.a / s.v : s.v / s.q;
  return s.a != 0 ? PETSC_MAX_REAL : 0;
}

/// Not-a-number in this rank's entries: the next norm tells all ranks.
void poison(Vec vec) {
  const petsc::WriteView view(vec);
  std::fill(view.begin(), view.end(), std::numeric_limits<PetscScalar>::quiet_NaN());
}

/// out = slope x + factor base, in one pass: a step makes three of these of each state.
void affine(Vec out, PetscReal slope, Vec x, PetscReal factor, Vec base) {
  if (slope == 0) {
    check(VecSet(out, 0));
    if (base && factor != 0) check(VecAXPY(out, factor, base));
  } else if (base && factor != 0) {
    const petsc::ReadView from(x), shift(base);
    const petsc::WriteView to(out);
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = slope * from[i] + factor * shift[i];
  } else {
    check(VecCopy(x, out));
    if (slope != 1) check(VecScale(out, slope));
  }
}

}  // namespace

NewtonSolver::NewtonSolver(System& system, Vec layout, const StepperOptions& options, SNES snes)
    : system_(system),
      options_(options),
      external_(snes != nullptr),
      q_(duplicate(layout)),
      v_(duplicate(layout)),
      a_(duplicate(layout)),
      masked_(duplicate(layout)),
      function_(duplicate(layout)),
      reactions_(duplicate(layout)),
      start_(duplicate(layout)),
      guard_(PetscObjectComm(reinterpret_cast<PetscObject>(layout))),
      rules_(options.newton_test, options.newton) {
  const MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(layout));
  if (IS fixed = system.constrained()) {
    PetscInt count = 0, first = 0, last = 0;
    const PetscInt* indices = nullptr;
    check(VecGetOwnershipRange(layout, &first, &last));
    check(ISGetLocalSize(fixed, &count));
    check(ISGetIndices(fixed, &indices));
    int bad = 0;
    for (PetscInt i = 0; i < count; ++i) {
      if (indices[i] < first || indices[i] >= last)
        bad = 1;
      else
        constrained_.push_back(indices[i] - first);
    }
    check(ISRestoreIndices(fixed, &indices));
    MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_MAX, comm);
    if (bad)
      throw OptionError(
          "System::constrained() holds indices that the rank does not own; give global indices of owned entries");
  }
  int any = constrained_.empty() ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, comm);
  any_constrained_ = any;
  for (auto& values : prescribed_) values.resize(constrained_.size());
  if (external_)
    snes_ = Handle<SNES>::share(snes);
  else
    check(SNESCreate(comm, snes_.out()));
}

void NewtonSolver::set_up(std::string_view prefix, bool from_options) {
  rules_.install(snes_.get());
  if (external_) {
    rules_.wrms().install(snes_.get(), true);
    return;
  }
  const petsc::ErrorCapture capture;
  tangent_ = system_.make_linearization();
  check(SNESSetOptionsPrefix(snes_.get(), std::string(prefix).c_str()));
  DM dm = nullptr;
  check(VecGetDM(q_.get(), &dm));
  PetscBool structured = PETSC_FALSE;
  if (dm) check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(dm), DMDA, &structured));
  if (structured) {
    // A clone, since PETSc keeps a solver's callbacks in its DM: two solvers on the user's own would share them.
    Handle<DM> own;
    check(DMClone(dm, own.out()));
    check(SNESSetDM(snes_.get(), own.get()));
  }
  check(SNESSetFunction(snes_.get(), function_.get(), form_function, this));
  set_up_jacobian(prefix);
  system_.configure(snes_.get());
  KSP ksp = nullptr;
  PC pc = nullptr;
  KSPType ksp_type = nullptr;
  PCType pc_type = nullptr;
  check(SNESGetKSP(snes_.get(), &ksp));
  check(KSPGetPC(ksp, &pc));
  check(KSPGetType(ksp, &ksp_type));
  check(PCGetType(pc, &pc_type));
  // CG for a symmetric system is no wish but the default, which gives way where the tangent is indefinite.
  const bool plain = ksp_type && std::string_view(ksp_type) == KSPCG && system_.symmetric();
  user_ksp_ = ksp_type && !plain;
  pc_decided_ = pc_type != nullptr || preconditioner_;
  if (from_options) {
    user_ksp_ = user_ksp_ || petsc::has_option(prefix, "-ksp_type");
    pc_decided_ = pc_decided_ || petsc::has_option(prefix, "-pc_type") || petsc::has_option(prefix, "-snes_mf") ||
                  petsc::has_option(prefix, "-snes_fd");
    user_lag_ = petsc::has_option(prefix, "-snes_lag_preconditioner");
    check(SNESSetFromOptions(snes_.get()));
    if (use_difference_jacobian(prefix)) pc_decided_ = true;
  }
  rules_.wrms().install(snes_.get(), from_options);
  if (!pc_decided_) check(PCSetType(pc, PCNONE));  // until the first tangent shows whether it has a diagonal
}

void NewtonSolver::set_up_jacobian(std::string_view prefix) {
  PetscInt local = 0, global = 0;
  check(VecGetLocalSize(q_.get(), &local));
  check(VecGetSize(q_.get(), &global));
  check(MatCreateShell(PetscObjectComm(reinterpret_cast<PetscObject>(q_.get())), local, local, global, global, this,
                       jacobian_.out()));
  check(MatShellSetOperation(jacobian_.get(), MATOP_MULT, reinterpret_cast<void (*)()>(multiply)));
  check(MatShellSetOperation(jacobian_.get(), MATOP_GET_DIAGONAL, reinterpret_cast<void (*)()>(get_diagonal)));
  if (system_.symmetric())
    check(MatShellSetOperation(jacobian_.get(), MATOP_MULT_TRANSPOSE, reinterpret_cast<void (*)()>(multiply)));
  check(MatSetOptionsPrefix(jacobian_.get(), std::string(prefix).c_str()));
  preconditioner_ = Handle<Mat>::adopt(system_.create_preconditioner_matrix());
  check(SNESSetJacobian(snes_.get(), jacobian_.get(), preconditioner_ ? preconditioner_.get() : jacobian_.get(),
                        form_jacobian, this));
}

bool NewtonSolver::use_difference_jacobian(std::string_view prefix) {
  PetscBool wanted = PETSC_FALSE;
  check(PetscOptionsGetBool(nullptr, std::string(prefix).c_str(), "-snes_fd", &wanted, nullptr));
  if (!wanted) return false;
  PetscInt size = 0, local = 0;
  check(VecGetSize(q_.get(), &size));
  check(VecGetLocalSize(q_.get(), &local));
  if (size >= largest_dense_jacobian)
    throw OptionError("-snes_fd would build a dense matrix of " + std::to_string(size) +
                      " unknowns by as many residuals per Newton iteration; it is meant for fewer than " +
                      std::to_string(largest_dense_jacobian) + ". Try -snes_mf (differences without a matrix)");
  Handle<Mat> dense;
  check(MatCreateDense(PetscObjectComm(reinterpret_cast<PetscObject>(q_.get())), local, local, size, size, nullptr,
                       dense.out()));
  check(SNESSetJacobian(snes_.get(), dense.get(), dense.get(), SNESComputeJacobianDefault, nullptr));
  return true;
}

void NewtonSolver::set_map(const AffineMap& map) {
  map_ = map;
  if (!any_constrained_) return;
  system_.prescribe(map.t, q_.get(), v_.get(), a_.get());
  const std::array<Vec, 3> levels{q_.get(), v_.get(), a_.get()};
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const petsc::ReadView values(levels[level]);
    for (std::size_t i = 0; i < constrained_.size(); ++i) prescribed_[level][i] = values[constrained_[i]];
  }
}

void NewtonSolver::constrain(Vec x) const {
  const petsc::WriteView view(x);
  for (std::size_t i = 0; i < constrained_.size(); ++i) view[constrained_[i]] = prescribed_[map_.unknown][i];
  for (const PetscInt i : excluded_) view[i] = 0;
}

State NewtonSolver::state_at(Vec x) {
  affine(q_.get(), map_.slope.q, x, map_.factor_q, map_.base_q);
  affine(v_.get(), map_.slope.v, x, map_.factor_v, map_.base_v);
  affine(a_.get(), map_.slope.a, x, map_.factor_a, map_.base_a);
  if (any_constrained_) {
    const std::array<Vec, 3> levels{q_.get(), v_.get(), a_.get()};
    for (std::size_t level = 0; level < levels.size(); ++level) {
      const petsc::WriteView values(levels[level]);
      for (std::size_t i = 0; i < constrained_.size(); ++i) values[constrained_[i]] = prescribed_[level][i];
    }
  }
  return state();
}

void NewtonSolver::residual(Vec x, Vec f) {
  const petsc::ScopedEvent event(petsc::Event::residual);
  const State at = state_at(x);
  {
    const petsc::ReadLock q(at.q), v(at.v), a(at.a);
    system_.residual(at, f);
  }
  if (!any_constrained_ && excluded_.empty()) return;
  const petsc::WriteView force(f), reaction(reactions_.get());
  const petsc::ReadView unknown(x);
  for (std::size_t i = 0; i < constrained_.size(); ++i) {
    const PetscInt entry = constrained_[i];
    reaction[entry] = force[entry];
    force[entry] = unknown[entry] - prescribed_[map_.unknown][i];
  }
  for (const PetscInt i : excluded_) force[i] = unknown[i];
}

void NewtonSolver::set_fixed_entries(Vec x, Vec from) const {
  const petsc::WriteView out(x);
  if (!from) {
    for (const PetscInt i : constrained_) out[i] = 0;
    for (const PetscInt i : excluded_) out[i] = 0;
    return;
  }
  const petsc::ReadView in(from);
  for (const PetscInt i : constrained_) out[i] = in[i];
  for (const PetscInt i : excluded_) out[i] = in[i];
}

void NewtonSolver::apply(Vec in, Vec out) {
  const petsc::ScopedEvent event(petsc::Event::tangent);
  if (!any_constrained_ && excluded_.empty()) {
    tangent_->apply(map_.slope, in, out);
    return;
  }
  if (excluded_.empty() && tangent_->apply_free(map_.slope, in, out)) return;
  check(VecCopy(in, masked_.get()));
  set_fixed_entries(masked_.get(), nullptr);
  tangent_->apply(map_.slope, masked_.get(), out);
  set_fixed_entries(out, in);
}

void NewtonSolver::fill_diagonal(Vec d) {
  if (!tangent_->diagonal(map_.slope, d))
    throw OptionError(
        "this preconditioner needs the tangent's diagonal, which the system does not give; implement "
        "Linearization::diagonal, or use -pc_type none");
  const petsc::WriteView view(d);
  for (const PetscInt i : constrained_) view[i] = 1;
  for (const PetscInt i : excluded_) view[i] = 1;
}

void NewtonSolver::linearize(Vec x) {
  poisoned_ = !guard_.run([&] {
    const petsc::ScopedEvent event(petsc::Event::linearize);
    const State at = state_at(x);
    const petsc::ReadLock q(at.q), v(at.v), a(at.a);
    tangent_->update(at);
  });
  const bool due = take_rebuild();
  if (!user_lag_) check(SNESSetLagPreconditioner(snes_.get(), due ? -2 : -1));
  if (due || user_lag_) poisoned_ = !guard_.run([&] { build_preconditioner(); }) || poisoned_;
}

bool NewtonSolver::take_rebuild() {
  bool due = !built_ || options_.pc_update == PcUpdate::newton || (options_.pc_update != PcUpdate::never && rebuild_);
  if (options_.pc_update == PcUpdate::automatic && !due) {
    const PetscReal now = coefficient(map_.slope), then = coefficient(life_.built_for);
    due = life_.age >= most_age || life_.excess >= life_.krylov_at_first + price_of_build ||
          std::abs(now - then) > most_change_of_alpha * then;
  }
  if (!due) return false;
  rebuild_ = false;
  built_ = true;
  life_ = {map_.slope, 0, 0, 0};
  ++builds_;
  return true;
}

void NewtonSolver::build_preconditioner() {
  const petsc::ScopedEvent event(petsc::Event::precondition);
  // A preconditioner on the shell matrix is to be set up again.
  check(MatAssemblyBegin(jacobian_.get(), MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(jacobian_.get(), MAT_FINAL_ASSEMBLY));
  choose_krylov();
  choose_preconditioner();
  if (preconditioner_) {
    check(MatZeroEntries(preconditioner_.get()));
    if (!tangent_->assemble(map_.slope, preconditioner_.get()))
      throw OptionError(
          "System::create_preconditioner_matrix() gave a matrix that its Linearization::assemble() does not fill");
    check(MatAssemblyBegin(preconditioner_.get(), MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(preconditioner_.get(), MAT_FINAL_ASSEMBLY));
    if (any_constrained_) {
      PetscInt first = 0;
      check(VecGetOwnershipRange(q_.get(), &first, nullptr));
      std::vector<PetscInt> rows(constrained_);
      for (PetscInt& row : rows) row += first;
      check(MatZeroRowsColumns(preconditioner_.get(), static_cast<PetscInt>(rows.size()), rows.data(), 1, nullptr,
                               nullptr));
    }
  }
  KSP ksp = nullptr;
  PC pc = nullptr;
  check(SNESGetKSP(snes_.get(), &ksp));
  check(KSPGetPC(ksp, &pc));
  system_.update_preconditioner(*tangent_, map_.slope, pc);
}

void NewtonSolver::choose_krylov() {
  if (user_ksp_ || falling_back_) return;
  KSP ksp = nullptr;
  check(SNESGetKSP(snes_.get(), &ksp));
  check(KSPSetType(ksp, system_.symmetric() ? KSPCG : KSPGMRES));
}

void NewtonSolver::choose_preconditioner() {
  if (pc_decided_) return;
  pc_decided_ = true;
  KSP ksp = nullptr;
  PC pc = nullptr;
  check(SNESGetKSP(snes_.get(), &ksp));
  check(KSPGetPC(ksp, &pc));
  check(PCSetType(pc, tangent_->diagonal(map_.slope, masked_.get()) ? PCJACOBI : PCNONE));
}

PetscErrorCode NewtonSolver::form_function(SNES snes, Vec x, Vec f, void* ctx) {
  auto& self = *static_cast<NewtonSolver*>(ctx);
  PetscFunctionBeginUser;
  if (!self.guard_.run([&] { self.residual(x, f); })) {
    PetscCallCXX(poison(f));
    PetscCall(SNESSetFunctionDomainError(snes));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode NewtonSolver::form_jacobian(SNES, Vec x, Mat J, Mat, void* ctx) {
  auto& self = *static_cast<NewtonSolver*>(ctx);
  PetscFunctionBeginUser;
  PetscCallCXX(self.linearize(x));
  if (J != self.jacobian_.get()) {  // -snes_mf_operator
    PetscCall(MatAssemblyBegin(J, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(J, MAT_FINAL_ASSEMBLY));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode NewtonSolver::multiply(Mat J, Vec in, Vec out) {
  void* ctx = nullptr;
  PetscFunctionBeginUser;
  PetscCall(MatShellGetContext(J, &ctx));
  auto& self = *static_cast<NewtonSolver*>(ctx);
  if (!self.guard_.run([&] { self.apply(in, out); }) || self.poisoned_) PetscCallCXX(poison(out));
  PetscFunctionReturn(0);
}

PetscErrorCode NewtonSolver::get_diagonal(Mat J, Vec d) {
  void* ctx = nullptr;
  PetscFunctionBeginUser;
  PetscCall(MatShellGetContext(J, &ctx));
  auto& self = *static_cast<NewtonSolver*>(ctx);
  if (!self.guard_.run([&] { self.fill_diagonal(d); }) || self.poisoned_) PetscCallCXX(poison(d));
  PetscFunctionReturn(0);
}

bool NewtonSolver::solve_once(Vec x, StepReport& record) {
  const petsc::ScopedEvent event(petsc::Event::newton);
  guard_.clear();
  poisoned_ = false;
  record.newton_reason = NewtonReason::none;
  rules_.begin(record, map_.slope.q, q_.get());
  if (norm_) rules_.wrms().begin(*norm_, tolerance_, map_.slope.q, map_.slope.v, coefficient(map_.slope), record);
  {
    const petsc::ErrorCapture capture;
    PetscErrorCode code = SNESSolve(snes_.get(), nullptr, x);
    guard_.settle();  // a callback's own exception says more than the error it led to
    check(code);
  }
  KSP ksp = nullptr;
  PetscInt newton = 0, krylov = 0;
  check(SNESGetKSP(snes_.get(), &ksp));
  check(SNESGetIterationNumber(snes_.get(), &newton));
  check(SNESGetLinearSolveIterations(snes_.get(), &krylov));
  check(SNESGetConvergedReason(snes_.get(), &record.snes_reason));
  check(KSPGetConvergedReason(ksp, &record.ksp_reason));
  record.newton_iterations += newton;
  record.krylov_iterations += krylov;
  if (newton > 0) {
    if (life_.age == 0) life_.krylov_at_first = krylov / newton;
    life_.excess += krylov - newton * life_.krylov_at_first;
  }
  ++life_.age;
  if (record.snes_reason > 0) {
    if (record.newton_reason == NewtonReason::none) record.newton_reason = NewtonReason::petsc;
    return true;
  }
  if (rules_.stagnated_at_rounding(snes_.get())) {
    record.newton_reason = NewtonReason::rounding;
    record.snes_reason = SNES_CONVERGED_SNORM_RELATIVE;
    check(SNESSetConvergedReason(snes_.get(), record.snes_reason));
    if (any_constrained_) residual(x, function_.get());  // the failed search left other reactions behind
    return true;
  }
  return false;
}

void NewtonSolver::tie_to(const ErrorNorm* norm, PetscReal tolerance) {
  norm_ = norm;
  tolerance_ = tolerance;
  if (!norm_) rules_.wrms().end();
}

bool NewtonSolver::solve(Vec x, StepReport& record) {
  const bool may_retry = options_.pc_update == PcUpdate::automatic && built_;
  const PetscInt builds = builds_;
  check(VecCopy(x, start_.get()));
  if (solve_with_krylov_choice(x, record)) return true;
  if (!may_retry || builds_ != builds || record.ksp_reason >= 0) return false;
  check(VecCopy(start_.get(), x));  // the linear solve failed with an old preconditioner
  rebuild_ = true;
  return solve_with_krylov_choice(x, record);
}

bool NewtonSolver::solve_with_krylov_choice(Vec x, StepReport& record) {
  falling_back_ = false;
  if (solve_once(x, record)) return true;
  const bool indefinite =
      record.ksp_reason == KSP_DIVERGED_INDEFINITE_MAT || record.ksp_reason == KSP_DIVERGED_INDEFINITE_PC;
  if (indefinite && !user_ksp_ && !external_) {
    KSP ksp = nullptr;
    check(SNESGetKSP(snes_.get(), &ksp));
    check(KSPSetType(ksp, KSPGMRES));
    falling_back_ = true;
    record.krylov_fallback = true;
    check(VecCopy(start_.get(), x));  // relative tolerances keep their meaning
    rebuild_ = true;
    const bool converged = solve_once(x, record);
    falling_back_ = false;
    rebuild_ = true;  // which asks for the default method again
    if (converged) return true;
  }
  record.newton_reason = NewtonReason::diverged;
  record.failure = describe_failure();
  return false;
}

void NewtonSolver::refresh_reactions(Vec x) {
  if (any_constrained_ && norm_) residual(x, function_.get());
}

Shifts NewtonSolver::quadratic_forms(Vec e, Shifts wanted) {
  if (!work_) work_ = duplicate(e);
  if (!forms_in_) forms_in_ = duplicate(e);
  check(VecCopy(e, forms_in_.get()));
  set_fixed_entries(forms_in_.get(), nullptr);
  Shifts forms;
  if (!external_) {
    const std::array<std::pair<Shifts, PetscReal*>, 3> parts{
        {{{wanted.q, 0, 0}, &forms.q}, {{0, wanted.v, 0}, &forms.v}, {{0, 0, wanted.a}, &forms.a}}};
    for (const auto& [shifts, value] : parts) {
      if (shifts.q == 0 && shifts.v == 0 && shifts.a == 0) continue;
      tangent_->apply(shifts, forms_in_.get(), work_.get());
      check(VecDot(forms_in_.get(), work_.get(), value));
    }
    return forms;
  }
  return difference_forms(forms_in_.get(), wanted);
}

/// The same by central differences of R along e, with the state left as it was.
Shifts NewtonSolver::difference_forms(Vec e, Shifts wanted) {
  Shifts forms;
  const State at = state();
  struct Part {
    Vec x;
    PetscReal wanted;
    PetscReal* value;
  };
  const std::array<Part, 3> parts{{{at.q, wanted.q, &forms.q}, {at.v, wanted.v, &forms.v}, {at.a, wanted.a, &forms.a}}};
  PetscReal size = 0;
  check(VecNorm(e, NORM_2, &size));
  if (!(size > 0)) return forms;
  for (const auto& [x, factor, value] : parts) {
    if (factor == 0) continue;
    PetscReal scale = 0;
    check(VecNorm(x, NORM_2, &scale));
    const PetscReal step = std::cbrt(PETSC_MACHINE_EPSILON) * std::max(scale, size) / size;
    PetscScalar ahead = 0, behind = 0;
    check(VecAXPY(x, step, e));
    system_.residual(at, work_.get());
    check(VecDot(e, work_.get(), &ahead));
    check(VecAXPY(x, -2 * step, e));
    system_.residual(at, work_.get());
    check(VecDot(e, work_.get(), &behind));
    check(VecAXPY(x, step, e));
    *value = factor * (ahead - behind) / (2 * step);
  }
  return forms;
}

std::string NewtonSolver::describe_failure() {
  SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
  KSP ksp = nullptr;
  KSPConvergedReason linear = KSP_CONVERGED_ITERATING;
  PetscInt iterations = 0;
  PetscReal norm = 0;
  check(SNESGetConvergedReason(snes_.get(), &reason));
  check(SNESGetIterationNumber(snes_.get(), &iterations));
  check(SNESGetFunctionNorm(snes_.get(), &norm));
  check(SNESGetKSP(snes_.get(), &ksp));
  check(KSPGetConvergedReason(ksp, &linear));
  std::ostringstream text;
  text << "Newton did not converge: " << SNESConvergedReasons[reason] << " after " << iterations
       << " iterations, residual norm " << norm;
  if (linear < 0) text << ", linear solver " << KSPConvergedReasons[linear];
  const std::string invalid = guard_.invalid_state_text();
  if (!invalid.empty()) text << "; the state became invalid: " << invalid;
  return text.str();
}

}  // namespace gearshift
