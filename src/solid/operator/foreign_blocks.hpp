#pragma once

/// @file
/// Parts of a matrix that ranks have for each other's rows.

#include <gearshift/petsc/handle.hpp>

#include <petscmat.h>
#include <petscsf.h>

#include <array>
#include <span>
#include <vector>

namespace gearshift::solid {

/// Blocks of a matrix that a rank has for rows of others, brought there and added rank by rank. PETSc's own exchange
/// adds them as messages arrive, whatever -matstash_reproduce says: the last bits would differ from run to run.
class ForeignBlocks {
 public:
  ForeignBlocks() = default;
  /// @param rows   this rank's rows of blocks
  /// @param size   rows of a block
  /// @param places row and column, both global and counted in blocks, of each block for a row of another rank.
  /// Collective.
  ForeignBlocks(MPI_Comm comm, PetscInt rows, PetscInt size, std::span<const std::array<PetscInt, 2>> places);

  /// Row and column of the blocks that come in from other ranks, some of them more than once.
  const std::vector<std::array<PetscInt, 2>>& incoming() const { return places_; }

  /// Brings the blocks, row by row inside and one after the other as `places` were, to their owners: what has come in,
  /// in the order of incoming(), until the next call. Collective.
  std::span<const double> exchange(std::span<const double> blocks);
  /// Does so and adds them to the owners' matrix. Collective.
  void add(std::span<const double> blocks, Mat matrix);

 private:
  petsc::Handle<PetscSF> to_owners_;
  PetscInt size_ = 0;
  std::vector<std::array<PetscInt, 2>> places_;  // of the blocks that come in
  std::vector<double> values_;
};

}  // namespace gearshift::solid
