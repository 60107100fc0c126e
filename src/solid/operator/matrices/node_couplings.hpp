#pragma once

/// @file
/// Stiffness between nodes that no cell joins.

#include "solid/operator/exchange/node_subset.hpp"
#include "solid/operator/matrices/node_blocks.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace gearshift::solid {

/// A symmetric positive semi-definite matrix of 3 x 3 blocks between nodes of any ranks: the sum of the blocks that the
/// ranks add. Functions with arrays are collective.
class NodeCouplings {
 public:
  using Block = std::array<double, 9>;  // by rows

  explicit NodeCouplings(std::shared_ptr<const NodeSubset> nodes) : nodes_(std::move(nodes)) {}

  /// Adds a block, before the first product; the caller adds its transpose, too. @param row, column positions in nodes()
  void add(std::size_t row, std::size_t column, const Block& block) {
    const auto [found, added] = places_.try_emplace(row * nodes_->count() + column, blocks_.size());
    if (added) {
      pairs_.push_back({row, column});
      blocks_.push_back(block);
    } else {
      for (std::size_t i = 0; i < block.size(); ++i) blocks_[found->second][i] += block[i];
    }
  }

  const NodeSubset& nodes() const { return *nodes_; }
  std::size_t count() const { return blocks_.size(); }
  const Block& block(std::size_t k) const { return blocks_[k]; }
  const std::array<std::size_t, 2>& pair(std::size_t k) const { return pairs_[k]; }

  /// Computes out += A in, on arrays of the owned entries.
  template <class T>
  void add_product(const T* in, T* out) const;
  /// Computes out += diag A.
  template <class T>
  void add_diagonal(T* out) const;
  /// Adds the blocks on the diagonal.
  void add_to(NodeBlocks& blocks) const;

 private:
  /// The blocks in the precision of the products, by rows.
  template <class T>
  struct Sorted {
    std::vector<std::array<std::uint32_t, 2>> pairs;
    std::vector<std::array<T, 9>> blocks;
  };
  template <class T>
  const Sorted<T>& sorted() const;

  std::shared_ptr<const NodeSubset> nodes_;
  std::unordered_map<std::size_t, std::size_t> places_;
  std::vector<std::array<std::size_t, 2>> pairs_;
  std::vector<Block> blocks_;
  mutable Sorted<float> floats_;  // these two after the first product
  mutable Sorted<double> doubles_;
};

}  // namespace gearshift::solid
