#include "petsc/lapack.hpp"

#include <petscblaslapack.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace gearshift::petsc {

namespace {

PetscBLASInt rows_of(std::span<const double> matrix) {
  return static_cast<PetscBLASInt>(std::lround(std::sqrt(static_cast<double>(matrix.size()))));
}

void require_converged(PetscBLASInt info) {
  if (info != 0) throw Error("LAPACK did not converge for a small matrix; check that its entries are finite");
}

}  // namespace

std::vector<double> symmetric_eigen(std::span<double> matrix, bool vectors) {
  const PetscBLASInt n = rows_of(matrix), room = 16 * std::max<PetscBLASInt>(n, 1);
  PetscBLASInt info = 0;
  std::vector<double> values(static_cast<std::size_t>(n)), work(static_cast<std::size_t>(room));
  LAPACKsyev_(vectors ? "V" : "N", "L", &n, matrix.data(), &n, values.data(), work.data(), &room, &info);
  require_converged(info);
  return values;
}

SingularValues singular_values(std::span<const double> matrix) {
  const PetscBLASInt n = rows_of(matrix), room = 16 * std::max<PetscBLASInt>(n, 1);
  const auto rows = static_cast<std::size_t>(n);
  PetscBLASInt info = 0;
  std::vector<double> A(matrix.begin(), matrix.end()), work(static_cast<std::size_t>(room));
  SingularValues result{std::vector<double>(A.size()), std::vector<double>(rows), std::vector<double>(A.size())};
  LAPACKgesvd_("A", "A", &n, &n, A.data(), &n, result.s.data(), result.U.data(), &n, result.V.data(), &n, work.data(),
               &room, &info);
  require_converged(info);
  for (std::size_t i = 0; i < rows; ++i)  // LAPACK returns V'
    for (std::size_t j = 0; j < i; ++j) std::swap(result.V[i + rows * j], result.V[j + rows * i]);
  return result;
}

}  // namespace gearshift::petsc
