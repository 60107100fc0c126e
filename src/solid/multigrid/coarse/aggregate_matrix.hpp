#pragma once

/// @file
/// Symmetric matrices between aggregates of points that move as rigid bodies.

#include "petsc/queries.hpp"
#include "solid/kernels/block_table.hpp"
#include "solid/multigrid/coarse/rigid_basis.hpp"
#include "solid/multigrid/shell_matrix.hpp"
#include "solid/operator/matrices/block_pattern.hpp"
#include "solid/operator/matrices/foreign_blocks.hpp"

#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace gearshift::solid {

/// A symmetric matrix of blocks of six, multiplied as a MATSHELL. Only one half is stored
/// (BlockPattern). Ranks own the rows of their aggregates and may
/// add to any row. Blocks are summed in double; round() converts them to float.
class AggregateMatrix {
 public:
  /// A block, stored row by row.
  using Block = RigidMotions;

  /// @param aggregates the number of this rank's aggregates
  /// @param pairs      rows and columns, global and counted in blocks, of the blocks that this rank will add.
  /// Collective.
  AggregateMatrix(MPI_Comm comm, PetscInt aggregates, std::span<const BlockPlace> pairs, const Kernels& kernels);

  MPI_Comm comm() const { return petsc::comm_of(get()); }
  const Kernels& kernels() const { return kernels_; }
  /// Returns the places of the stored blocks; its rows are aggregates.
  const BlockPattern& pattern() const { return *pattern_; }

  /// Sets the matrix to zero, in double.
  void clear();
  /// Adds a block and its transpose.
  void add(PetscInt row, PetscInt column, const Block& block);
  /// Sends the blocks that were added to rows of other ranks to their owners; call it once after the last add().
  /// Collective.
  void assemble();

  /// Computes x = (E + U)^-1 E (E + U')^-1 x with the blocks U to the right of the diagonal between this rank's
  /// aggregates. `inverses` holds the inverses of the blocks E, row by row, and two numbers more. x is padded (pad()).
  /// Must be called before round().
  void sweep(const std::vector<double>& inverses, std::vector<double>& x) const;

  /// Multiplies all blocks by a factor; must be called before round().
  void scale(double factor);
  /// Converts the matrix to float: products then take half the time and memory.
  void round();

  /// Returns the diagonal block of one of this rank's aggregates, as assembled.
  Block diagonal_block(PetscInt aggregate) const { return block(pattern_->find(aggregate, aggregate)); }
  /// Calls use(row, column, block) for each stored block of this rank's rows.
  template <class Use>
  void visit(Use&& use) const {
    pattern_->visit([&](std::size_t at, PetscInt row, PetscInt column) { use(row, column, block(at)); });
  }

  /// Returns the MATSHELL out = A in, with the functions that PCJACOBI and PCPBJACOBI need.
  Mat get() const { return shell_->get(); }
  /// Returns a copy as MATAIJ. Collective.
  petsc::Handle<Mat> assembled() const;

 private:
  Block block(std::size_t position) const;
  void add_at(std::size_t position, const double* block);
  void multiply(Vec in, Vec out);
  void diagonal(Vec out) const;
  const PetscScalar* inverse_blocks();

  template <class T>
  struct Numbers {
    Numbers() = default;
    Numbers(std::size_t pairs, std::size_t rows, std::size_t ghosts)
        : blocks(entries * pairs + padded_block - rigid_motions),
          x(padded_block * (rows + ghosts)),
          y(padded_block * rows) {}
    std::vector<T> blocks, x, y;
  };
  template <class T>
  Numbers<T> make_numbers() const {
    return {pattern_->size(), static_cast<std::size_t>(pattern_->rows()), pattern_->ghosts()};
  }

  static constexpr std::size_t entries = rigid_motions * rigid_motions;
  const Kernels& kernels_;
  std::unique_ptr<BlockPattern> pattern_;
  std::variant<Numbers<double>, Numbers<float>> numbers_;
  std::vector<double> from_others_;  // the ghosts' values in a product
  std::vector<BlockPlace> foreign_;  // the places of blocks for other ranks' rows, ascending
  std::vector<double> foreign_values_;
  ForeignBlocks to_owners_;
  std::vector<double> inverses_;
  std::unique_ptr<ShellMatrix> shell_;
};

}  // namespace gearshift::solid
