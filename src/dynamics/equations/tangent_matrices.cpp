#include "dynamics/equations/tangent_matrices.hpp"

#include "petsc/ranks/deferred.hpp"

#include <utility>

namespace gearshift {

using petsc::check;
using petsc::Handle;

petsc::Handle<Mat> duplicate_pattern(Mat pattern) {
  Handle<Mat> matrix;
  check(MatDuplicate(pattern, MAT_DO_NOT_COPY_VALUES, matrix.out()));
  MatNullSpace near = nullptr;
  check(MatGetNearNullSpace(pattern, &near));
  if (near) check(MatSetNearNullSpace(matrix.get(), near));
  check(MatSetOption(matrix.get(), MAT_NEW_NONZERO_LOCATION_ERR, PETSC_TRUE));
  // Rows emptied by a fill or a constraint must remain in the pattern to be filled again.
  check(MatSetOption(matrix.get(), MAT_KEEP_NONZERO_PATTERN, PETSC_TRUE));
  return matrix;
}

TangentMatrices::TangentMatrices(Mat pattern, Fill fill)
    : pattern_(Handle<Mat>::share(pattern)), fill_(std::move(fill)) {}

void TangentMatrices::forget() {
  for (Entry& entry : entries_) entry.filled = false;
}

TangentMatrices::Entry& TangentMatrices::entry(Shifts s) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Shifts& has = entries_[i].shifts;
    if (!entries_[i].filled || has.q != s.q || has.v != s.v || has.a != s.a) continue;
    latest_ = i;
    return entries_[i];
  }
  // At a new point the first matrix is used again: a caller that needs only one combination thus has only one matrix.
  latest_ = entries_[latest_].filled ? 1 - latest_ : 0;
  Entry& entry = entries_[latest_];
  if (entry.matrix)
    check(MatZeroEntries(entry.matrix.get()));
  else
    entry.matrix = duplicate_pattern(pattern_.get());
  entry.shifts = s;
  entry.filled = true;
  entry.failure = nullptr;
  petsc::Deferred all;
  all.run([&] { fill_(s, entry.matrix.get()); });
  check(MatAssemblyBegin(entry.matrix.get(), MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(entry.matrix.get(), MAT_FINAL_ASSEMBLY));
  entry.failure = all.first();
  return entry;
}

void TangentMatrices::with(Shifts s, const Use& use) {
  const Entry& wanted = entry(s);
  use(wanted.matrix.get());
  if (wanted.failure) std::rethrow_exception(wanted.failure);
}

}  // namespace gearshift
