#pragma once

/// @file
/// Symmetric matrices between aggregates of points that move as rigid bodies.

#include "solid/kernels/block_table.hpp"
#include "solid/multigrid/coarse/rigid_basis.hpp"
#include "solid/multigrid/shell_matrix.hpp"
#include "solid/operator/foreign_blocks.hpp"

#include <array>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace gearshift::solid {

/// A symmetric matrix of blocks of six, half of which is stored, and multiplied with as a MATSHELL: of two blocks that
/// mirror each other a rank that owns both rows keeps that of the lower row. Ranks own the rows of their aggregates and
/// may
/// add to any. Blocks are summed in double; round() makes them float.
class AggregateMatrix {
 public:
  using Pair = std::array<PetscInt, 2>;
  /// Row by row.
  using Block = RigidMotions;

  /// @param aggregates of this rank
  /// @param pairs  rows and columns, global and counted in blocks, of what this rank will add. Collective.
  AggregateMatrix(MPI_Comm comm, PetscInt aggregates, std::span<const Pair> pairs, const Kernels& kernels);

  MPI_Comm comm() const { return comm_; }
  const Kernels& kernels() const { return kernels_; }
  /// This rank's aggregates are first() to first() + count().
  PetscInt first() const { return first_; }
  PetscInt count() const { return count_; }
  bool own(PetscInt aggregate) const { return aggregate >= first_ && aggregate < first_ + count_; }

  /// Begins anew, in double.
  void clear();
  /// Adds a block and what mirrors it.
  void add(PetscInt row, PetscInt column, const Block& block);
  /// Brings what has been added to rows of other ranks there; call it once after the last add(). Collective.
  void assemble();

  /// x = (E + U)^-1 E (E + U')^-1 x with the blocks U right of the diagonal between this rank's aggregates, given the
  /// inverses
  /// of the blocks E, row by row, and two numbers more. Blocks of x begin at multiples of `stride`. Before round().
  void sweep(const std::vector<double>& inverses, std::vector<double>& x) const;
  /// From one block of six to the next in the vectors of products and sweeps.
  static constexpr std::size_t stride = 8;
  /// Copies blocks of six to such a vector, and back.
  template <class T>
  static void pad(std::span<const PetscScalar> blocks, T* padded) {
    for (std::size_t i = 0; i < blocks.size(); ++i) padded[place(i)] = static_cast<T>(blocks[i]);
  }
  template <class T, class Blocks>
  static void unpad(const std::vector<T>& padded, Blocks& blocks) {
    for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = static_cast<PetscScalar>(padded[place(i)]);
  }

  /// Multiplies all blocks by a factor, before round().
  void scale(double factor);
  /// Products are done in float from now on, in half the time and memory.
  void round();

  /// Of one of this rank's aggregates, as assembled.
  Block diagonal_block(PetscInt aggregate) const { return block(find(aggregate, aggregate)); }
  /// Calls use(row, column) for the places of this rank's rows that are stored.
  template <class Use>
  void visit_places(Use&& use) const {
    visit_positions([&](std::size_t, PetscInt row, PetscInt column) { use(row, column); });
  }
  /// Calls use(row, column, block) likewise.
  template <class Use>
  void visit(Use&& use) const {
    visit_positions([&](std::size_t at, PetscInt row, PetscInt column) { use(row, column, block(at)); });
  }
  /// Brings here `size` numbers of each of the other ranks' aggregates that rows here couple with: those of such an
  /// aggregate
  /// begin at size * ghost(aggregate). Collective.
  void spread(std::span<const double> own, int size, std::vector<double>& at_ghosts) const;
  std::size_t ghost(PetscInt aggregate) const;

  /// out = A in, a MATSHELL, with what PCJACOBI and PCPBJACOBI need.
  Mat get() const { return shell_->get(); }
  /// A copy as MATAIJ. Collective.
  petsc::Handle<Mat> assembled() const;

 private:
  static std::size_t place(std::size_t i) { return stride * (i / rigid_motions) + i % rigid_motions; }
  template <class Use>
  void visit_positions(Use&& use) const {
    for (PetscInt a = 0; a < count_; ++a)
      for (std::size_t k = begins_[static_cast<std::size_t>(a)]; k < begins_[static_cast<std::size_t>(a) + 1]; ++k)
        use(k, first_ + a, columns_[k]);
  }
  void keep_pattern(std::vector<Pair> places);
  Block block(std::size_t position) const;
  /// Where this rank stores a block of its rows, or `nowhere`.
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
  MPI_Comm comm_;
  const Kernels& kernels_;
  PetscInt count_ = 0, first_ = 0;
  std::vector<std::size_t> begins_;  // of rows
  std::vector<PetscInt> columns_;    // ascending in a row
  std::vector<int> local_;           // the same by the position in `own, ghosts`
  std::vector<PetscInt> ghosts_;     // other ranks' aggregates
  petsc::Handle<PetscSF> exchange_;  // from owners to ghosts
  std::variant<Numbers<double>, Numbers<float>> numbers_;
  std::vector<double> from_others_;  // of a product
  std::vector<Pair> foreign_;        // ascending
  std::vector<double> foreign_values_;
  ForeignBlocks to_owners_;
  std::vector<std::size_t> incoming_;  // where to store them
  std::vector<double> inverses_;
  std::unique_ptr<ShellMatrix> shell_;
};

}  // namespace gearshift::solid
