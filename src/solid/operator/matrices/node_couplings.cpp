#include "solid/operator/matrices/node_couplings.hpp"

namespace gearshift::solid {

template <class T>
void NodeCouplings::add_product(const T* in, T* out) const {
  std::vector<std::array<T, 3>> x, y(nodes_->count());
  nodes_->fetch(in, x);
  for (std::size_t k = 0; k < count(); ++k) {
    const auto [row, column] = pairs_[k];
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) y[row][i] += static_cast<T>(blocks_[k][3 * i + j]) * x[column][j];
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
