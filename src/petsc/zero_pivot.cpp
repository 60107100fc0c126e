#include "petsc/zero_pivot.hpp"

#include "petsc/queries.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace gearshift::petsc {

namespace {

constexpr PetscReal by_default = 100 * PETSC_MACHINE_EPSILON;

/// Returns `pc`, or the PCs of its blocks, or the redundant PC of every rank, or the PC of the ranks that a telescope
/// has kept, on these ranks. Blocks are created here and factorized at
/// the first solve.
std::vector<PC> factorizations(PC pc) {
  if (is_of_type(pc, PCREDUNDANT)) {
    KSP whole = nullptr;
    check(PCRedundantGetKSP(pc, &whole));
    return {pc_of(whole)};
  }
  if (is_of_type(pc, PCTELESCOPE)) {
    KSP kept = nullptr;
    check(PCTelescopeGetKSP(pc, &kept));
    return kept ? std::vector<PC>{pc_of(kept)} : std::vector<PC>();
  }
  const bool jacobi = is_of_type(pc, PCBJACOBI);
  if (!jacobi && !is_of_type(pc, PCASM)) return {pc};
  check(PCSetUp(pc));
  PetscInt count = 0;
  KSP* solvers = nullptr;
  check(jacobi ? PCBJacobiGetSubKSP(pc, &count, nullptr, &solvers) : PCASMGetSubKSP(pc, &count, nullptr, &solvers));
  std::vector<PC> blocks(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < blocks.size(); ++i) check(KSPGetPC(solvers[i], &blocks[i]));
  return blocks;
}

}  // namespace

PetscReal zero_pivot(Mat matrix) {
  Handle<Vec> diagonal;
  PetscReal least = 0;
  check(MatCreateVecs(matrix, diagonal.out(), nullptr));
  check(MatGetDiagonal(matrix, diagonal.get()));
  check(VecAbs(diagonal.get()));
  check(VecMin(diagonal.get(), nullptr, &least));
  return std::isfinite(least) ? by_default * least : 0;
}

void ZeroPivot::set(PC pc, Mat matrix) {
  const PetscReal pivot = zero_pivot(matrix);
  if (!(pivot > 0)) return;
  const PetscReal before = std::exchange(last_, pivot);
  for (PC each : factorizations(pc)) {
    PetscErrorCode (*get)(PC, PetscReal*) = nullptr;
    check(PetscObjectQueryFunction(reinterpret_cast<PetscObject>(each), "PCFactorGetZeroPivot_C", &get));
    if (!get) continue;
    PetscReal present = 0;
    MatFactorShiftType shift = MAT_SHIFT_NONE;
    check(PCFactorGetZeroPivot(each, &present));
    check(PCFactorGetShiftType(each, &shift));
    if (shift == MAT_SHIFT_NONZERO || shift == MAT_SHIFT_POSITIVE_DEFINITE) continue;
    if (present == before || present == by_default) check(PCFactorSetZeroPivot(each, pivot));
  }
}

}  // namespace gearshift::petsc
