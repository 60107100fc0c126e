#include <gearshift/petsc/options.hpp>

#include "dynamics/newton/constants.hpp"
#include "dynamics/newton/newton_solver.hpp"
#include "dynamics/newton/newton_types.hpp"
#include "petsc/queries.hpp"

#include <petscdm.h>
#include <petscdmda.h>

namespace gearshift {

using petsc::check;
using petsc::Handle;

namespace {

void replace_max_step(SNES snes, PetscReal former, PetscReal other) {
  SNESLineSearch search = petsc::line_search_of(snes);
  PetscReal max_step = 0;
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

Handle<SNES> share_or_create(SNES snes, MPI_Comm comm) {
  if (snes) return Handle<SNES>::share(snes);
  Handle<SNES> own;
  check(SNESCreate(comm, own.out()));
  return own;
}

/// Sets a dense Jacobian of differences if -snes_fd is given; returns true then.
bool use_difference_jacobian(SNES snes, Vec layout, const FixedEntries& fixed) {
  PetscBool wanted = PETSC_FALSE;
  check(PetscOptionsGetBool(nullptr, petsc::prefix_of(snes), "-snes_fd", &wanted, nullptr));
  if (!wanted) return false;
  const PetscInt size = petsc::size_of(layout), local = petsc::local_size_of(layout);
  if (size >= newton::max_dense_jacobian)
    throw OptionError("-snes_fd would build a dense matrix of " + std::to_string(size) +
                      " unknowns from one residual per unknown in every Newton iteration; it is meant for fewer than " +
                      std::to_string(newton::max_dense_jacobian) + ". Try -snes_mf (differences without a matrix)");
  if (fixed.any_dependent())
    throw OptionError(
        "the matrix of -snes_fd would have rows of zeros, since constrained entries depend on others, as with rollers "
        "on oblique faces. Try -snes_mf (differences without a matrix)");
  Handle<Mat> dense;
  check(MatCreateDense(petsc::comm_of(layout), local, local, size, size, nullptr, dense.out()));
  check(SNESSetJacobian(snes, dense.get(), dense.get(), SNESComputeJacobianDefault, nullptr));
  return true;
}

}  // namespace

NewtonSolver::NewtonSolver(GuardedSystem& system, Vec layout, const StepperOptions& options, SNES snes)
    : system_(system),
      snes_(share_or_create(snes, system.comm())),
      residual_(system, layout),
      linear_(system, residual_.motion(), layout, options.pc_update, snes_.get(), snes != nullptr),
      convergence_(residual_, options.newton_test, options.newton) {}

NewtonSolver::~NewtonSolver() {
  PetscBool finalized = PETSC_FALSE;
  if (!linear_.of_host() || PetscFinalized(&finalized) != 0 || finalized) return;
  try {
    replace_max_step(snes_.get(), newton::no_max_step, newton::default_max_step);
  } catch (const Error&) {  // the host's solver stays as it is
  }
}

void NewtonSolver::set_up(std::string_view prefix, bool from_options) {
  convergence_.install(snes_.get(), linear_.of_host());
  search_.set_up(snes_.get(), prefix, from_options);
  if (linear_.of_host()) {
    set_default_type(snes_.get());
    replace_max_step(snes_.get(), newton::default_max_step, newton::no_max_step);
    convergence_.note_choices(prefix, from_options);
    return;
  }
  const petsc::ErrorCapture capture;
  check(SNESSetOptionsPrefix(snes_.get(), std::string(prefix).c_str()));
  DM dm = nullptr;
  Vec layout = residual_.start();
  check(VecGetDM(layout, &dm));
  if (petsc::is_of_type(dm, DMDA)) {
    // A clone, since PETSc stores a solver's callbacks in its DM: two solvers on the user's DM would share them.
    Handle<DM> own;
    check(DMClone(dm, own.out()));
    check(SNESSetDM(snes_.get(), own.get()));
  }
  check(SNESSetFunction(snes_.get(), residual_.values(), form_function, this));
  system_.parts().preconditioner->use_prefix(prefix);
  linear_.create(layout, prefix);
  Mat shell = linear_.jacobian().shell(), matrix = linear_.jacobian().matrix();
  check(SNESSetJacobian(snes_.get(), shell, matrix ? matrix : shell, form_jacobian, this));
  system_.configure(snes_.get());
  linear_.note_choices(prefix, from_options);
  replace_max_step(snes_.get(), newton::default_max_step, newton::no_max_step);
  if (from_options) check(SNESSetFromOptions(snes_.get()));
  const bool differences = from_options && use_difference_jacobian(snes_.get(), layout, motion().fixed());
  set_default_type(snes_.get());
  linear_.set_up(differences);
  convergence_.note_choices(prefix, from_options);
}

void NewtonSolver::forget_convergence() {
  convergence_.wrms().forget();
  after_indefinite_ = 0;
}

bool NewtonSolver::find_constrained() {
  if (!motion().find_constrained()) return false;
  residual_.clear_reactions();  // those of entries that are free now do no work
  linear_.policy().invalidate();
  return true;
}

void NewtonSolver::archive(Archive& state) {
  const Archive::Group group(state, "newton");
  convergence_.wrms().archive(state);
  state("after_indefinite", after_indefinite_);
  linear_.archive(state, residual_.start(), residual_.values());
}

}  // namespace gearshift
