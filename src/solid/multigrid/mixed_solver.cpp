#include "solid/multigrid/mixed_solver.hpp"

#include "petsc/queries.hpp"
#include "solid/material/registered_laws.hpp"
#include "solid/multigrid/constants.hpp"
#include "solid/multigrid/float_multigrid.hpp"
#include "solid/multigrid/shell_context.hpp"

#include <algorithm>
#include <string>

namespace gearshift::solid {

using petsc::check;

namespace {

MaterialTable soften(const MaterialTable& material) {
  return material.transformed([](const Material& m) {
    return with_bulk_stiffness(m, std::min(bulk_stiffness(m), BulkPressure::most_in_soft_part * lame(m).mu));
  });
}

PetscInt local_size(const FinestLevel& finest) { return 3 * finest.op.space().owned_nodes(); }
PetscInt mixed_size(const FinestLevel& finest) {
  return local_size(finest) + static_cast<PetscInt>(finest.op.bulk()->size());
}

}  // namespace

MixedSolver::MixedSolver(const FinestLevel& finest, PetscInt& iterations)
    : Multigrid(finest),
      soft_material_(soften(finest.material)),
      soft_{finest.mesh, finest.op, finest.terms, finest.supports, soft_material_, finest.kernels, finest.repairs},
      u_(petsc::duplicate(finest.op.space().layout())),
      force_(petsc::duplicate(u_.get())),
      mixed_(finest.mesh.comm(), mixed_size(finest), mixed_size(finest),
             {.multiply = [this](Vec in, Vec out) { multiply(in, out); }}),
      displacements_(finest.mesh.comm(), local_size(finest), local_size(finest),
                     {.multiply = [this](Vec in, Vec out) { tangent_->apply_free(shifts_, in, out); }}),
      iterations_(iterations) {
  check(MatCreateVecs(mixed_.get(), right_.out(), left_.out()));
}

MixedSolver::~MixedSolver() = default;

void MixedSolver::configure(PC pc) {
  const MPI_Comm comm = soft_.mesh.comm();
  const std::string prefix = petsc::prefix_of(pc);
  become_shell(pc, "mixed formulation, pressures as separate unknowns");
  check(PCShellSetPreSolve(pc, [](PC shell, KSP around, Vec, Vec) -> PetscErrorCode {
    return with_context<Multigrid>(shell, [&](Multigrid& self) { static_cast<MixedSolver&>(self).begin(around); });
  }));

  check(PCCreate(comm, multigrid_.out()));
  check(PCSetOptionsPrefix(multigrid_.get(), prefix.c_str()));
  check(PCSetOperators(multigrid_.get(), displacements_.get(), displacements_.get()));
  Multigrid::give_to(multigrid_.get(), make_shell_multigrid(soft_));

  check(KSPCreate(comm, inner_.out()));
  check(KSPSetOptionsPrefix(inner_.get(), (prefix + "mixed_").c_str()));
  check(KSPSetOperators(inner_.get(), mixed_.get(), mixed_.get()));
  check(KSPSetType(inner_.get(), KSPFGMRES));
  check(KSPGMRESSetRestart(inner_.get(), max_vectors(soft_.op.space().degree())));
  check(KSPGMRESSetCGSRefinementType(inner_.get(), KSP_GMRES_CGS_REFINE_IFNEEDED));
  check(KSPSetTolerances(inner_.get(), PETSC_DEFAULT, 1e-300, 1e100, multigrid::max_inner_iterations));
  const PC triangle = petsc::pc_of(inner_.get());
  check(PCSetType(triangle, PCSHELL));
  check(PCShellSetName(triangle, "upper triangle: multigrid, pressures cell by cell"));
  check(PCShellSetContext(triangle, this));
  check(PCShellSetApply(triangle, [](PC shell, Vec in, Vec out) -> PetscErrorCode {
    return with_context<MixedSolver>(shell, [&](MixedSolver& self) { self.precondition(in, out); });
  }));
  check(KSPSetFromOptions(inner_.get()));
}

void MixedSolver::update(Tangent& tangent, Shifts s, PC) {
  keep(tangent, s);
  Multigrid::of(multigrid_.get())->update(tangent, s, multigrid_.get());
}

void MixedSolver::keep(Tangent& tangent, Shifts s) {
  tangent_ = &tangent;
  shifts_ = s;
}

void MixedSolver::begin(KSP around) {
  check(KSPGetTolerances(around, &asked_, nullptr, nullptr, nullptr));
  solved_ = 0;
}

void MixedSolver::apply(Vec residual, Vec correction) {
  if (shifts_.q == 0)
    return check(PCApply(multigrid_.get(), residual, correction));  // without stiffness there is no volumetric part
  // Later solves only correct the rounding errors of the first solution, and need not be accurate.
  const PetscReal tolerance = solved_++ == 0 ? std::clamp(0.7 * asked_, 1e-12, 1e-1) : 1e-2;
  PetscReal divergence = 0, absolute = 0;
  PetscInt most = 0, iterations = 0;
  check(KSPGetTolerances(inner_.get(), nullptr, &absolute, &divergence, &most));
  check(KSPSetTolerances(inner_.get(), tolerance, absolute, divergence, most));
  {
    const petsc::ReadView from(residual);
    const petsc::WriteView to(right_.get());
    std::fill(std::copy(from.begin(), from.end(), to.begin()), to.end(), 0.0);
  }
  check(KSPSolve(inner_.get(), right_.get(), left_.get()));
  check(KSPGetIterationNumber(inner_.get(), &iterations));
  iterations_ += iterations;
  if (iterations >= most && !gained()) return check(VecSet(correction, PETSC_INFINITY));
  const petsc::ReadView from(left_.get());
  const petsc::WriteView to(correction);
  std::copy_n(from.begin(), to.size(), to.begin());
}

bool MixedSolver::gained() const {
  PetscReal to = 0;
  const PetscReal from = petsc::norm(right_.get());
  check(KSPGetResidualNorm(inner_.get(), &to));
  return to <= multigrid::max_residual_left * from;
}

void MixedSolver::multiply(Vec in, Vec out) {
  const petsc::ReadView from(in);
  {
    const petsc::WriteView to(u_.get());
    std::copy_n(from.begin(), to.size(), to.begin());
  }
  const petsc::WriteView to(out);
  const auto size = petsc::local_size_of(u_.get());
  tangent_->apply_mixed(shifts_, u_.get(), from.span().data() + size, force_.get(), to.span().data() + size);
  const petsc::ReadView force(force_.get());
  std::copy(force.begin(), force.end(), to.begin());
}

void MixedSolver::precondition(Vec in, Vec out) {
  const petsc::ReadView from(in);
  const petsc::WriteView to(out);
  const auto size = petsc::local_size_of(u_.get());
  double* pressures = to.span().data() + size;
  soft_.op.bulk()->precondition_rows(shifts_.q, shifts_.a, from.span().data() + size, pressures);
  tangent_->pressure_forces(shifts_, pressures, force_.get());
  {
    petsc::WriteView force(force_.get());
    for (std::size_t i = 0; i < force.size(); ++i) force[i] = from[i] - force[i];
  }
  check(PCApply(multigrid_.get(), force_.get(), u_.get()));
  const petsc::ReadView u(u_.get());
  std::copy(u.begin(), u.end(), to.begin());
}

void MixedSolver::view(PetscViewer viewer) const {
  check(PetscViewerASCIIPushTab(viewer));
  check(KSPView(inner_.get(), viewer));
  check(PCView(multigrid_.get(), viewer));
  check(PetscViewerASCIIPopTab(viewer));
}

}  // namespace gearshift::solid
