#pragma once

/// @file
/// The places of the blocks of a symmetric matrix that is distributed by rows.

#include <gearshift/petsc/handle.hpp>

#include <petscsf.h>

#include <array>
#include <span>
#include <vector>

namespace gearshift::solid {

/// A row and a column of blocks, global numbers.
using BlockPlace = std::array<PetscInt, 2>;

/// The places at which a rank stores blocks of a symmetric matrix. Ranks own rows. Only one half is stored: if a rank
/// owns the rows of both a block and its transpose, it stores the one in the lower row.
class BlockPattern {
 public:
  /// @param rows   the number of this rank's rows
  /// @param places in this rank's rows, in any order; those of the other half are dropped. Collective.
  BlockPattern(MPI_Comm comm, PetscInt rows, std::vector<BlockPlace> places);

  /// This rank's rows are first() to first() + rows().
  PetscInt first() const { return first_; }
  PetscInt rows() const { return rows_; }
  bool own(PetscInt row) const { return row >= first_ && row < first_ + rows_; }

  /// Returns the number of stored blocks, and of the rows of other ranks that are coupled to this rank's rows.
  std::size_t size() const { return columns_.size(); }
  std::size_t ghosts() const { return ghosts_.size(); }
  /// Returns the position at which this rank stores a block of its rows, or `nowhere`.
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  std::size_t find(PetscInt row, PetscInt column) const;
  /// Calls use(position, row, column) for each stored block, row by row, by ascending columns.
  template <class Use>
  void visit(Use&& use) const {
    for (PetscInt a = 0; a < rows_; ++a)
      for (std::size_t k = begins_[static_cast<std::size_t>(a)]; k < begins_[static_cast<std::size_t>(a) + 1]; ++k)
        use(k, first_ + a, columns_[k]);
  }
  /// Returns the position of each row's first block, and the number of blocks.
  const std::size_t* begins() const { return begins_.data(); }
  /// Returns the columns as positions in a vector `own rows, ghosts`.
  const int* local() const { return local_.data(); }

  /// Fetches `size` numbers of each row of other ranks that is coupled to this rank's rows; the numbers of a row begin
  /// at size * ghost(row). Collective.
  void spread(std::span<const double> own, int size, std::vector<double>& at_ghosts) const;
  std::size_t ghost(PetscInt row) const;

 private:
  PetscInt rows_ = 0, first_ = 0;
  std::vector<std::size_t> begins_;
  std::vector<PetscInt> columns_;  // ascending within a row
  std::vector<int> local_;
  std::vector<PetscInt> ghosts_;     // other ranks' rows
  petsc::Handle<PetscSF> exchange_;  // from owners to ghosts
};

}  // namespace gearshift::solid
