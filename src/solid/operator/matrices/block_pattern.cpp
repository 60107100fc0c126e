#include "solid/operator/matrices/block_pattern.hpp"

#include "petsc/queries.hpp"
#include "solid/numerics/sets.hpp"
#include "solid/numerics/sort_unique.hpp"

#include <algorithm>

namespace gearshift::solid {

using petsc::check;

BlockPattern::BlockPattern(MPI_Comm comm, PetscInt rows, std::vector<BlockPlace> places)
    : rows_(rows), first_(petsc::sum_before(comm, rows)) {
  std::erase_if(places, [this](const BlockPlace& place) { return own(place[1]) && place[1] < place[0]; });
  sort_unique(places);
  begins_.assign(index(rows_) + 1, 0);
  for (const auto& [row, column] : places) {
    ++begins_[index(row - first_) + 1];
    columns_.push_back(column);
    if (!own(column)) ghosts_.push_back(column);
  }
  for (std::size_t a = 0; a < index(rows_); ++a) begins_[a + 1] += begins_[a];
  sort_unique(ghosts_);
  for (const PetscInt column : columns_)
    local_.push_back(static_cast<int>(own(column) ? index(column - first_) : index(rows_) + ghost(column)));
  PetscLayout layout = nullptr;
  check(PetscLayoutCreate(comm, &layout));
  check(PetscLayoutSetLocalSize(layout, rows_));
  check(PetscLayoutSetUp(layout));
  check(PetscSFCreate(comm, exchange_.out()));
  check(PetscSFSetGraphLayout(exchange_.get(), layout, static_cast<PetscInt>(ghosts_.size()), nullptr,
                              PETSC_COPY_VALUES, ghosts_.data()));
  check(PetscLayoutDestroy(&layout));
}

std::size_t BlockPattern::ghost(PetscInt row) const {
  return static_cast<std::size_t>(std::lower_bound(ghosts_.begin(), ghosts_.end(), row) - ghosts_.begin());
}

std::size_t BlockPattern::find(PetscInt row, PetscInt column) const {
  if (own(column) && column < row) return nowhere;
  const auto begin = columns_.begin() + static_cast<std::ptrdiff_t>(begins_[index(row - first_)]),
             end = columns_.begin() + static_cast<std::ptrdiff_t>(begins_[index(row - first_) + 1]);
  return static_cast<std::size_t>(std::lower_bound(begin, end, column) - columns_.begin());
}

void BlockPattern::spread(std::span<const double> own, int size, std::vector<double>& at_ghosts) const {
  at_ghosts.resize(ghosts_.size() * static_cast<std::size_t>(size));
  MPI_Datatype unit = MPI_DATATYPE_NULL;
  check(MPI_Type_contiguous(size, MPI_DOUBLE, &unit));
  check(MPI_Type_commit(&unit));
  check(PetscSFBcastBegin(exchange_.get(), unit, own.data(), at_ghosts.data(), MPI_REPLACE));
  check(PetscSFBcastEnd(exchange_.get(), unit, own.data(), at_ghosts.data(), MPI_REPLACE));
  check(MPI_Type_free(&unit));
}

}  // namespace gearshift::solid
