#pragma once

/// @file
/// Matrix blocks that a rank computes for rows of other ranks.

#include <gearshift/petsc/handle.hpp>

#include <petscmat.h>
#include <petscsf.h>

#include <array>
#include <span>
#include <vector>

namespace gearshift::solid {

/// Blocks of a matrix that a rank computes for rows owned by others. They are sent to the owners and added in the order
/// of the ranks. PETSc's own exchange adds them as messages arrive, whatever -matstash_reproduce says, so that the last
/// bits would differ from run to run.
class ForeignBlocks {
 public:
  ForeignBlocks() = default;
  /// @param rows   the number of this rank's block rows
  /// @param size   the number of rows of a block
  /// @param places row and column, both global and counted in blocks, of each block for a row of another rank.
  /// Collective.
  ForeignBlocks(MPI_Comm comm, PetscInt rows, PetscInt size, std::span<const std::array<PetscInt, 2>> places);

  /// Returns row and column of the blocks that arrive from other ranks; some occur more than once.
  const std::vector<std::array<PetscInt, 2>>& incoming() const { return places_; }

  /// Sends the blocks to their owners; each is stored row by row, and they follow each other in the order of `places`.
  /// Returns the blocks that have arrived, in the order of incoming(), valid until the next call. Collective.
  std::span<const double> exchange(std::span<const double> blocks);
  /// Calls exchange() and adds the blocks to the owners' matrix. Collective.
  void add(std::span<const double> blocks, Mat matrix);

 private:
  petsc::Handle<PetscSF> to_owners_;
  PetscInt size_ = 0;
  std::vector<std::array<PetscInt, 2>> places_;  // of the incoming blocks
  std::vector<double> values_;
};

}  // namespace gearshift::solid
