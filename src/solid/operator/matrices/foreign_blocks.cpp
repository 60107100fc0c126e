#include "solid/operator/matrices/foreign_blocks.hpp"

namespace gearshift::solid {

using petsc::check;

namespace {

/// An MPI data type for size * size numbers, sent as one unit.
class Unit {
 public:
  explicit Unit(PetscInt size) {
    check(MPI_Type_contiguous(static_cast<int>(size * size), MPI_DOUBLE, &type_));
    check(MPI_Type_commit(&type_));
  }
  ~Unit() { MPI_Type_free(&type_); }
  Unit& operator=(Unit&&) = delete;
  operator MPI_Datatype() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace

ForeignBlocks::ForeignBlocks(MPI_Comm comm, PetscInt rows, PetscInt size,
                             std::span<const std::array<PetscInt, 2>> places)
    : size_(size) {
  std::vector<PetscInt> targets, columns;
  for (const auto& [row, column] : places) {
    targets.push_back(row);
    columns.push_back(column);
  }
  PetscLayout layout = nullptr;
  check(PetscLayoutCreate(comm, &layout));
  check(PetscLayoutSetLocalSize(layout, rows));
  check(PetscLayoutSetUp(layout));
  PetscInt first = 0;
  check(PetscLayoutGetRange(layout, &first, nullptr));
  check(PetscSFCreate(comm, to_owners_.out()));
  check(PetscSFSetRankOrder(to_owners_.get(), PETSC_TRUE));
  check(PetscSFSetGraphLayout(to_owners_.get(), layout, static_cast<PetscInt>(targets.size()), nullptr,
                              PETSC_COPY_VALUES, targets.data()));
  check(PetscLayoutDestroy(&layout));
  const PetscInt* counts = nullptr;
  check(PetscSFComputeDegreeBegin(to_owners_.get(), &counts));
  check(PetscSFComputeDegreeEnd(to_owners_.get(), &counts));
  for (PetscInt row = 0; row < rows; ++row)
    for (PetscInt i = 0; i < counts[row]; ++i) places_.push_back({first + row, 0});
  std::vector<PetscInt> received(places_.size());
  check(PetscSFGatherBegin(to_owners_.get(), MPIU_INT, columns.data(), received.data()));
  check(PetscSFGatherEnd(to_owners_.get(), MPIU_INT, columns.data(), received.data()));
  for (std::size_t i = 0; i < places_.size(); ++i) places_[i][1] = received[i];
  values_.resize(places_.size() * static_cast<std::size_t>(size * size));
}

std::span<const double> ForeignBlocks::exchange(std::span<const double> blocks) {
  const Unit block(size_);
  check(PetscSFGatherBegin(to_owners_.get(), block, blocks.data(), values_.data()));
  check(PetscSFGatherEnd(to_owners_.get(), block, blocks.data(), values_.data()));
  return values_;
}

void ForeignBlocks::add(std::span<const double> blocks, Mat matrix) {
  const double* values = exchange(blocks).data();
  for (const auto& [row, column] : places_) {
    check(MatSetValuesBlocked(matrix, 1, &row, 1, &column, values, ADD_VALUES));
    values += size_ * size_;
  }
}

}  // namespace gearshift::solid
