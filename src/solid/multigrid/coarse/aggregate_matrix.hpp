#pragma once

/// @file
/// Symmetric matrices between aggregates of points that move as rigid bodies.

#include "petsc/queries.hpp"
#include "solid/kernels/block_table.hpp"
#include "solid/multigrid/coarse/rigid_basis.hpp"
#include "solid/multigrid/shell_matrix.hpp"
#include "solid/operator/matrices/foreign_blocks.hpp"

#include <array>
#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace gearshift::solid {

/// A symmetric matrix of blocks of six, multiplied as a MATSHELL. Only one half is stored: if a rank owns the rows of
/// both a block and its transpose, it stores the one in the lower row. Ranks own the rows of their aggregates and may
/// add to any row. Blocks are summed in double; round() converts them to float.
class AggregateMatrix {
 public:
  using Pair = std::array<PetscInt, 2>;
  /// A block, stored row by row.
  using Block = RigidMotions;

  /// @param aggregates the number of this rank's aggregates
  /// @param pairs      rows and columns, global and counted in blocks, of the blocks that this rank will add.
  /// Collective.
  AggregateMatrix(MPI_Comm comm, PetscInt aggregates, std::span<const Pair> pairs, const Kernels& kernels);

  MPI_Comm comm() const { return petsc::comm_of(get()); }
  const Kernels& kernels() const { return kernels_; }
  /// This rank's aggregates are first() to first() + count().
  PetscInt first() const { return first_; }
  PetscInt count() const { return count_; }
  bool own(PetscInt aggregate) const { return aggregate >= first_ && aggregate < first_ + count_; }

  /// Sets the matrix to zero, in double.
  void clear();
  /// Adds a block and its transpose.
  void add(PetscInt row, PetscInt column, const Block& block);
  /// Sends the blocks that were added to rows of other ranks to their owners; call it once after the last add().
  /// Collective.
  void assemble();

  /// Computes x = (E + U)^-1 E (E + U')^-1 x with the blocks U to the right of the diagonal between this rank's
  /// aggregates. `inverses` holds the inverses of the blocks E, row by row, and two numbers more. Blocks of x begin at
  /// multiples of `stride`. Must be called before round().
  void sweep(const std::vector<double>& inverses, std::vector<double>& x) const;
  /// The distance between consecutive blocks of six in the vectors of products and sweeps.
  static constexpr std::size_t stride = 8;
  /// Copy blocks of six to such a vector, and back.
  template <class T>
  static void pad(std::span<const PetscScalar> blocks, T* padded) {
    for (std::size_t i = 0; i < blocks.size(); ++i) padded[place(i)] = static_cast<T>(blocks[i]);
  }
  template <class T, class Blocks>
  static void unpad(const std::vector<T>& padded, Blocks& blocks) {
    for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = static_cast<PetscScalar>(padded[place(i)]);
  }

  /// Multiplies all blocks by a factor; must be called before round().
  void scale(double factor);
  /// Converts the matrix to float: products then take half the time and memory.
  void round();

  /// Returns the diagonal block of one of this rank's aggregates, as assembled.
  Block diagonal_block(PetscInt aggregate) const { return block(find(aggregate, aggregate)); }
  /// Calls use(row, column) for each stored block of this rank's rows.
  template <class Use>
  void visit_places(Use&& use) const {
    visit_positions([&](std::size_t, PetscInt row, PetscInt column) { use(row, column); });
  }
  /// Calls use(row, column, block) for each stored block of this rank's rows.
  template <class Use>
  void visit(Use&& use) const {
    visit_positions([&](std::size_t at, PetscInt row, PetscInt column) { use(row, column, block(at)); });
  }
  /// Fetches `size` numbers of each aggregate of other ranks that is coupled to this rank's rows; the numbers of an
  /// aggregate begin at size * ghost(aggregate). Collective.
  void spread(std::span<const double> own, int size, std::vector<double>& at_ghosts) const;
  std::size_t ghost(PetscInt aggregate) const;

  /// Returns the MATSHELL out = A in, with the functions that PCJACOBI and PCPBJACOBI need.
  Mat get() const { return shell_->get(); }
  /// Returns a copy as MATAIJ. Collective.
  petsc::Handle<Mat> assembled() const;

 private:
  static std::size_t place(std::size_t i) { return stride * (i / rigid_motions) + i % rigid_motions; }
  template <class Use>
  void visit_positions(Use&& use) const {
    for (PetscInt a = 0; a < count_; ++a)
      for (std::size_t k = begins_[static_cast<std::size_t>(a)]; k < begins_[static_cast<std::size_t>(a) + 1]; ++k)
        use(k, first_ + a, columns_[k]);
  }
  void keep_pattern(MPI_Comm comm, std::vector<Pair> places);
  Block block(std::size_t position) const;
  /// Returns the position at which this rank stores a block of its rows, or `nowhere`.
  std::size_t find(PetscInt row, PetscInt column) const;
  void add_at(std::size_t position, const double* block);
  void multiply(Vec in, Vec out);
  void diagonal(Vec out) const;
  const PetscScalar* inverse_blocks();

  template <class T>
  struct Numbers {
    Numbers() = default;
    Numbers(std::size_t pairs, std::size_t rows, std::size_t ghosts)
        : blocks(entries * pairs + stride - rigid_motions), x(stride * (rows + ghosts)), y(stride * rows) {}
    std::vector<T> blocks, x, y;
  };
  template <class T>
  Numbers<T> make_numbers() const {
    return {columns_.size(), static_cast<std::size_t>(count_), ghosts_.size()};
  }

  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1), entries = rigid_motions * rigid_motions;
  const Kernels& kernels_;
  PetscInt count_ = 0, first_ = 0;
  std::vector<std::size_t> begins_;  // of the rows
  std::vector<PetscInt> columns_;    // ascending within a row
  std::vector<int> local_;           // the columns as positions in `own, ghosts`
  std::vector<PetscInt> ghosts_;     // other ranks' aggregates
  petsc::Handle<PetscSF> exchange_;  // from owners to ghosts
  std::variant<Numbers<double>, Numbers<float>> numbers_;
  std::vector<double> from_others_;  // the ghosts' values in a product
  std::vector<Pair> foreign_;        // the places of blocks for other ranks' rows, ascending
  std::vector<double> foreign_values_;
  ForeignBlocks to_owners_;
  std::vector<double> inverses_;
  std::unique_ptr<ShellMatrix> shell_;
};

}  // namespace gearshift::solid
