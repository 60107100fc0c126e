#include "solid/multigrid/coarse/aggregate_factors.hpp"

#include "petsc/queries.hpp"
#include "solid/multigrid/constants.hpp"
#include "solid/numerics/sets.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace gearshift::solid {

namespace {

using Square = Eigen::Matrix<double, six, six, Eigen::RowMajor>;

bool is_positive(const Square& A) { return Eigen::LLT<Square>(A).info() == Eigen::Success; }

}  // namespace

AggregateFactors::AggregateFactors(const AggregateMatrix& matrix)
    : matrix_(matrix),
      inverses_(six * six * index(matrix.pattern().rows()) + padded_block - rigid_motions),
      x_(padded_block * index(matrix.pattern().rows())) {}

void AggregateFactors::update() {
  definite_ = true;
  std::vector<Square> sums(index(matrix_.pattern().rows()), Square::Zero());
  const auto inverse = [&](std::size_t a) { return Eigen::Map<Square>(inverses_.data() + six * six * a); };
  const PetscInt first = matrix_.pattern().first();
  // In each row the diagonal block precedes those to its right.
  matrix_.visit([&](PetscInt row, PetscInt column, const AggregateMatrix::Block& block) {
    if (!matrix_.pattern().own(column)) return;
    const Eigen::Map<const Square> A(block.data());
    const std::size_t a = index(row - first);
    if (column != row) {
      sums[index(column - first)] += A.transpose() * (inverse(a) * A);
      return;
    }
    Square E = A - sums[a];
    if (!is_positive(E - multigrid::least_pivot * A)) {
      E = A;
      definite_ = definite_ && is_positive(A);
    }
    const Square inverted = E.inverse();
    inverse(a) = (inverted + inverted.transpose()) / 2;
  });
}

void AggregateFactors::solve(Vec in, Vec out) {
  const petsc::ReadView from(in);
  petsc::WriteView to(out);
  pad(from.span(), x_.data());
  matrix_.sweep(inverses_, x_);
  unpad(x_, to);
}

bool AggregateFactors::is_definite() const { return petsc::all(matrix_.comm(), definite_); }

}  // namespace gearshift::solid
