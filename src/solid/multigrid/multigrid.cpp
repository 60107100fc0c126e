#include "solid/multigrid/multigrid.hpp"

#include "petsc/definite_pc.hpp"
#include "petsc/queries.hpp"
#include "petsc/versions.hpp"
#include "solid/multigrid/shell_context.hpp"

#include <string_view>

namespace gearshift::solid {

using petsc::check;

void prefer_chebyshev(KSP smoother, PetscInt steps, PetscReal low, PCType smoothing) {
  KSP estimator = nullptr;
  check(KSPSetType(smoother, KSPCHEBYSHEV));
  check(KSPSetTolerances(smoother, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, steps));
  check(KSPSetNormType(smoother, KSP_NORM_NONE));
  check(KSPChebyshevEstEigSet(smoother, 0.0, low, 0.0, 1.1));
  check(KSPChebyshevEstEigGetKSP(smoother, &estimator));
  check(KSPSetType(estimator, std::string_view(smoothing) == PCMG ? KSPGMRES : KSPCG));
  check(PCSetType(petsc::pc_of(smoother), smoothing));
}

namespace {
constexpr const char* key = "gearshift_multigrid";
}  // namespace

void Multigrid::give_to(PC pc, std::unique_ptr<Multigrid> multigrid) {
  petsc::Handle<PetscContainer> container;
  multigrid->configure(pc);
  check(PetscContainerCreate(petsc::comm_of(pc), container.out()));
  petsc::own(container.get(), std::move(multigrid));
  check(PetscObjectCompose(reinterpret_cast<PetscObject>(pc), key, reinterpret_cast<PetscObject>(container.get())));
  petsc::tells_definite(pc, [](PC asked) {
    const Multigrid* own = of(asked);
    return own && own->is_definite();
  });
}

void Multigrid::become_shell(PC pc, const std::string& name) {
  check(PCSetType(pc, PCSHELL));
  check(PCShellSetName(pc, name.c_str()));
  check(PCShellSetContext(pc, this));
  check(PCShellSetApply(pc, [](PC shell, Vec in, Vec out) -> PetscErrorCode {
    return with_context<Multigrid>(shell, [&](Multigrid& self) { self.apply(in, out); });
  }));
  check(PCShellSetView(pc, [](PC shell, PetscViewer viewer) -> PetscErrorCode {
    return with_context<Multigrid>(shell, [&](Multigrid& self) { self.view(viewer); });
  }));
}

Multigrid* Multigrid::of(PC pc) {
  PetscObject container = nullptr;
  void* multigrid = nullptr;
  check(PetscObjectQuery(reinterpret_cast<PetscObject>(pc), key, &container));
  if (container) check(PetscContainerGetPointer(reinterpret_cast<PetscContainer>(container), &multigrid));
  const bool shell = petsc::is_of_type(pc, PCSHELL);
  void* context = nullptr;
  if (shell) check(PCShellGetContext(pc, &context));
  return context == multigrid ? static_cast<Multigrid*>(multigrid) : nullptr;
}

}  // namespace gearshift::solid
