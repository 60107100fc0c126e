#include "solid/multigrid/coarse/direct.hpp"

#include <gearshift/petsc/options.hpp>

#include "petsc/options/key_names.hpp"
#include "petsc/queries.hpp"
#include "petsc/ranks/agree.hpp"
#include "solid/multigrid/constants.hpp"

namespace gearshift::solid {

using petsc::check;

void prefer_first_rank(KSP ksp) {
  const std::string prefix = petsc::prefix_of(ksp);
  if (const char* key = "-pc_telescope_subcomm_type"; petsc::has_option(prefix, key))
    throw OptionError("option " + petsc::full_key(prefix, key) +
                      ": leave it out, because the solver runs on the first rank in any case");
  PC pc = petsc::pc_of(ksp);
  check(PCSetType(pc, PCTELESCOPE));
  check(PCTelescopeSetReductionFactor(pc, petsc::ranks_of(petsc::comm_of(ksp))));
}

void set_up_coarse(KSP ksp, Mat matrix, bool multifrontal, petsc::ZeroPivot& zero_pivot) {
  PC pc = petsc::pc_of(ksp);
  KSP first = nullptr;
  const bool telescope = petsc::is_of_type(pc, PCTELESCOPE);
  bool fresh = false;
  check(KSPSetOperators(ksp, matrix, matrix));
  if (telescope) {
    check(PCTelescopeGetKSP(pc, &first));
    fresh = !first;
    check(PCSetUp(pc));
    check(PCTelescopeGetKSP(pc, &first));
  }
  const std::string failure = petsc::failure_of([&] {
    if (!first || !fresh) return;
    PC of_first = petsc::pc_of(first);
    if (multifrontal) {
      use_multifrontal(of_first);
    } else if (petsc::ranks_of(petsc::comm_of(first)) == 1) {
      check(PCSetType(of_first, PCLU));
      check(PCFactorSetShiftType(of_first, MAT_SHIFT_INBLOCKS));
    }
    check(KSPSetFromOptions(first));
  });
  petsc::throw_if_any<Error>(petsc::comm_of(ksp), failure);
  zero_pivot.set(pc, matrix);
  if (telescope)
    petsc::throw_if_any<Error>(petsc::comm_of(ksp), petsc::failure_of([&] {
                                 if (first) check(KSPSetUp(first));
                               }));
}

void use_multifrontal(PC pc) {
  check(PCSetType(pc, PCCHOLESKY));
  check(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
}

bool has_multifrontal() {
  PetscBool type = PETSC_FALSE, matrix = PETSC_FALSE;
  check(MatSolverTypeGet(MATSOLVERMUMPS, MATSEQAIJ, MAT_FACTOR_CHOLESKY, &type, &matrix, nullptr));
  return type && matrix;
}

void keep_from_singular(Mat matrix, PetscReal contrast) {
  petsc::Handle<Vec> diagonal;
  check(MatCreateVecs(matrix, diagonal.out(), nullptr));
  check(MatGetDiagonal(matrix, diagonal.get()));
  check(VecAbs(diagonal.get()));
  check(VecScale(diagonal.get(), multigrid::beside_soft / contrast));
  check(MatDiagonalSet(matrix, diagonal.get(), ADD_VALUES));
}

}  // namespace gearshift::solid
