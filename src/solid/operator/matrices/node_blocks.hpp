#pragma once

/// @file
/// Stiffness blocks that act on single nodes.

#include "solid/constraints/constraints.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace gearshift::solid {

/// Symmetric 3 x 3 blocks of those owned nodes that have one, in ascending order of the nodes. A block holds 00 01 02
/// 11 12 22.
class NodeBlocks {
 public:
  using Block = std::array<double, 6>;

  /// Creates an object without blocks.
  NodeBlocks() = default;
  /// Reserves a block for each local node.
  explicit NodeBlocks(const Space& space) : all_(static_cast<std::size_t>(space.local_nodes()), Block{}) {}

  void add(PetscInt node, const Block& block) {
    for (std::size_t i = 0; i < block.size(); ++i) all_[static_cast<std::size_t>(node)][i] += block[i];
  }
  /// Sends the ghosts' blocks to the owners and keeps the nonzero blocks of C' B C. Collective.
  void gather(const Space& space, const Constraints& constraints);

  bool empty() const { return nodes_.empty(); }
  std::size_t count() const { return nodes_.size(); }
  PetscInt node(std::size_t i) const { return nodes_[i]; }
  const Block& block(std::size_t i) const { return blocks_[i]; }

  /// Computes out += B in, on arrays of the owned entries.
  template <class T>
  void add_product(const T* in, T* out) const {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const T* x = in + 3 * nodes_[i];
      T* y = out + 3 * nodes_[i];
      const Block& B = blocks_[i];
      y[0] += static_cast<T>(B[0]) * x[0] + static_cast<T>(B[1]) * x[1] + static_cast<T>(B[2]) * x[2];
      y[1] += static_cast<T>(B[1]) * x[0] + static_cast<T>(B[3]) * x[1] + static_cast<T>(B[4]) * x[2];
      y[2] += static_cast<T>(B[2]) * x[0] + static_cast<T>(B[4]) * x[1] + static_cast<T>(B[5]) * x[2];
    }
  }
  /// Computes d += diag B.
  template <class T>
  void add_diagonal(T* d) const {
    constexpr std::array<std::size_t, 3> at{0, 3, 5};
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c)
        d[3 * static_cast<std::size_t>(nodes_[i]) + c] += static_cast<T>(blocks_[i][at[c]]);
  }

 private:
  std::vector<Block> all_, blocks_;
  std::vector<PetscInt> nodes_;
};

/// Returns all nine entries of a block.
inline std::array<double, 9> whole(const NodeBlocks::Block& B) {
  return {B[0], B[1], B[2], B[1], B[3], B[4], B[2], B[4], B[5]};
}

}  // namespace gearshift::solid
