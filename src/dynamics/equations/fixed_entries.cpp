#include "dynamics/equations/fixed_entries.hpp"

#include "petsc/queries.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gearshift {

using petsc::check;

namespace {

/// Adds the local indices of an IS of global ones (nullptr: none); returns true if the rank owns all of them.
bool owned_entries(IS from, Vec layout, std::vector<PetscInt>& entries) {
  PetscInt first = 0, last = 0;
  check(VecGetOwnershipRange(layout, &first, &last));
  const std::vector<PetscInt> indices = petsc::indices_of(from);
  for (const PetscInt index : indices)
    if (index >= first && index < last) entries.push_back(index - first);
  return entries.size() == indices.size();
}

}  // namespace

bool FixedEntries::find() {
  const std::vector<PetscInt> before = std::exchange(constrained_, {});
  const std::vector<char> dependent_before = std::exchange(dependent_, {});
  bool good = owned_entries(system_.parts().constraints->constrained(), layout_, constrained_);
  std::vector<PetscInt> dependent;
  good = owned_entries(system_.parts().constraints->dependent(), layout_, dependent) && good;
  std::sort(dependent.begin(), dependent.end());
  for (const PetscInt entry : constrained_)
    dependent_.push_back(std::binary_search(dependent.begin(), dependent.end(), entry));
  if (std::count(dependent_.begin(), dependent_.end(), 1) != std::ssize(dependent)) good = false;
  const bool changed = constrained_ != before || dependent_ != dependent_before;
  std::array<int, 4> found{!good, !constrained_.empty(), !dependent.empty(), changed};
  MPI_Allreduce(MPI_IN_PLACE, found.data(), 4, MPI_INT, MPI_MAX, system_.comm());
  if (found[0])
    throw OptionError(
        "SystemConstraints::constrained() contains indices that the rank does not own, or dependent() contains indices "
        "that are not constrained; give global indices of owned entries");
  any_constrained_ = found[1];
  any_dependent_ = found[2];
  return found[3];
}

std::vector<PetscInt> FixedEntries::rows() const {
  const PetscInt first = petsc::first_entry_of(layout_);
  std::vector<PetscInt> rows(constrained_);
  for (PetscInt& row : rows) row += first;
  return rows;
}

void FixedEntries::exclude(std::vector<PetscInt> local) {
  excluded_ = std::move(local);
  any_excluded_ = petsc::any(system_.comm(), !excluded_.empty());
}

void FixedEntries::set(Vec x, Vec from) const {
  const petsc::WriteView out(x);
  const petsc::ReadView in(from);
  for (const PetscInt i : constrained_) out[i] = in[i];
  for (const PetscInt i : excluded_) out[i] = in[i];
}

void FixedEntries::set(Vec x, PetscScalar value) const {
  const petsc::WriteView out(x);
  for (const PetscInt i : constrained_) out[i] = value;
  for (const PetscInt i : excluded_) out[i] = value;
}

}  // namespace gearshift
