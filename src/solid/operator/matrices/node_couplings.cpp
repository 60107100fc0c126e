#include "solid/operator/matrices/node_couplings.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

namespace gearshift::solid {

template <class T>
const NodeCouplings::Sorted<T>& NodeCouplings::sorted() const {
  Sorted<T>* sorted = nullptr;
  if constexpr (std::is_same_v<T, float>)
    sorted = &floats_;
  else
    sorted = &doubles_;
  if (sorted->blocks.size() == count()) return *sorted;
  std::vector<std::size_t> order(count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) { return pairs_[a] < pairs_[b]; });
  for (const std::size_t k : order) {
    sorted->pairs.push_back({static_cast<std::uint32_t>(pairs_[k][0]), static_cast<std::uint32_t>(pairs_[k][1])});
    auto& block = sorted->blocks.emplace_back();
    for (std::size_t i = 0; i < block.size(); ++i) block[i] = static_cast<T>(blocks_[k][i]);
  }
  return *sorted;
}

template <class T>
void NodeCouplings::add_product(const T* in, T* out) const {
  const Sorted<T>& matrix = sorted<T>();
  std::vector<std::array<T, 3>> x, y(nodes_->count());
  nodes_->fetch(in, x);
  for (std::size_t k = 0; k < matrix.blocks.size(); ++k) {
    const auto& from = x[matrix.pairs[k][1]];
    auto& to = y[matrix.pairs[k][0]];
    const auto& block = matrix.blocks[k];
    for (std::size_t i = 0; i < 3; ++i)
      to[i] += block[3 * i] * from[0] + block[3 * i + 1] * from[1] + block[3 * i + 2] * from[2];
  }
  nodes_->add(y, out);
}

template <class T>
void NodeCouplings::add_diagonal(T* out) const {
  std::vector<std::array<T, 3>> y(nodes_->count());
  for (std::size_t k = 0; k < count(); ++k)
    if (const auto [row, column] = pairs_[k]; row == column)
      for (std::size_t i = 0; i < 3; ++i) y[row][i] += static_cast<T>(blocks_[k][4 * i]);
  nodes_->add(y, out);
}

void NodeCouplings::add_to(NodeBlocks& blocks) const {
  constexpr std::array<std::size_t, 6> upper{0, 1, 2, 4, 5, 8};
  for (const std::size_t half : {0, 3}) {
    std::vector<std::array<double, 3>> y(nodes_->count());
    for (std::size_t k = 0; k < count(); ++k)
      if (const auto [row, column] = pairs_[k]; row == column)
        for (std::size_t i = 0; i < 3; ++i) y[row][i] += blocks_[k][upper[half + i]];
    nodes_->give(y, [&](PetscInt node, const std::array<double, 3>& part) {
      NodeBlocks::Block block{};
      for (std::size_t i = 0; i < 3; ++i) block[half + i] = part[i];
      blocks.add(node, block);
    });
  }
}

template void NodeCouplings::add_product(const float*, float*) const;
template void NodeCouplings::add_product(const double*, double*) const;
template void NodeCouplings::add_diagonal(float*) const;
template void NodeCouplings::add_diagonal(double*) const;

}  // namespace gearshift::solid
