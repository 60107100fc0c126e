#include "preconditioner.hpp"

namespace bench {

Preconditioner::Preconditioner(Problem& problem) : problem_(problem), matrix_(problem.matrix()) {
  check(PCCreate(PETSC_COMM_WORLD, pc_.out()));
  check(PCSetOptionsPrefix(pc_.get(), "p_"));
  check(PCSetType(pc_.get(), problem.pc_type.c_str()));
  check(PCSetFromOptions(pc_.get()));
}

void Preconditioner::build(Vec q, Vec v, double fq, double fv) {
  ++problem_.counts.builds;
  problem_.assemble(q, v, 1, fq, fv, matrix_.get());
  check(PCSetOperators(pc_.get(), matrix_.get(), matrix_.get()));
  check(PCSetUp(pc_.get()));
}

void Preconditioner::apply(Vec r, Vec x) {
  ++problem_.counts.applications;
  check(PCApply(pc_.get(), r, x));
}

double Preconditioner::factor_nonzeros() const { return bench::factor_nonzeros(pc_.get()); }

double factor_nonzeros(PC pc) {
  PetscBool factors = PETSC_FALSE;
  check(PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(pc), &factors, PCLU, PCILU, PCCHOLESKY, PCICC, ""));
  Mat of = nullptr, factor = nullptr;
  check(PCGetOperators(pc, nullptr, &of));
  PetscBool assembled = PETSC_FALSE;
  if (of) check(MatAssembled(of, &assembled));
  if (!factors || !assembled) return 0;
  MatInfo info;
  check(PCFactorGetMatrix(pc, &factor));
  if (!factor) return 0;
  check(MatGetInfo(factor, MAT_GLOBAL_SUM, &info));
  return info.nz_used;
}

}  // namespace bench
