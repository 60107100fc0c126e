#include "dynamics/linear/dense_factor.hpp"

#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/views.hpp>

#include <Eigen/LU>

namespace gearshift {

using petsc::check;
using petsc::Handle;

struct DenseFactor::Factors {
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  Handle<VecScatter> gather;
  Handle<Vec> all;

  void solve(Vec in, Vec out) const {
    PetscInt first = 0;
    check(VecScatterBegin(gather.get(), in, all.get(), INSERT_VALUES, SCATTER_FORWARD));
    check(VecScatterEnd(gather.get(), in, all.get(), INSERT_VALUES, SCATTER_FORWARD));
    check(VecGetOwnershipRange(in, &first, nullptr));
    const petsc::ReadView right(all.get());
    const Eigen::VectorXd x =
        lu.solve(Eigen::Map<const Eigen::VectorXd>(right.span().data(), static_cast<Eigen::Index>(right.size())));
    const petsc::WriteView left(out);
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = x[first + static_cast<PetscInt>(i)];
  }
};

DenseFactor::DenseFactor() : factors_(std::make_unique<Factors>()) {}

DenseFactor::~DenseFactor() = default;

void DenseFactor::factor(Mat J) {
  Handle<Vec> unit, column;
  PetscInt n = 0, first = 0, last = 0;
  check(MatCreateVecs(J, unit.out(), column.out()));
  check(VecGetSize(unit.get(), &n));
  check(VecGetOwnershipRange(unit.get(), &first, &last));
  if (!factors_->all) check(VecScatterCreateToAll(unit.get(), factors_->gather.out(), factors_->all.out()));
  Eigen::MatrixXd matrix(n, n);
  for (PetscInt j = 0; j < n; ++j) {
    check(VecSet(unit.get(), 0));
    {
      const petsc::WriteView view(unit.get());  // on every rank, so that all discard a cached norm
      if (j >= first && j < last) view[j - first] = 1;
    }
    check(MatMult(J, unit.get(), column.get()));
    check(VecScatterBegin(factors_->gather.get(), column.get(), factors_->all.get(), INSERT_VALUES, SCATTER_FORWARD));
    check(VecScatterEnd(factors_->gather.get(), column.get(), factors_->all.get(), INSERT_VALUES, SCATTER_FORWARD));
    const petsc::ReadView values(factors_->all.get());
    for (PetscInt i = 0; i < n; ++i) matrix(i, j) = values[i];
  }
  factors_->lu.compute(matrix);
}

void DenseFactor::use_in(PC pc) {
  check(PCSetType(pc, PCSHELL));
  check(PCShellSetContext(pc, factors_.get()));
  check(PCShellSetApply(pc, apply));
  check(PCShellSetName(pc, "LU factors of the dense tangent"));
}

PetscErrorCode DenseFactor::apply(PC pc, Vec in, Vec out) {
  void* context = nullptr;
  PetscFunctionBeginUser;
  PetscCall(PCShellGetContext(pc, &context));
  PetscCallCXX(static_cast<Factors*>(context)->solve(in, out));
  PetscFunctionReturn(petsc::success);
}

}  // namespace gearshift
