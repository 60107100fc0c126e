// The matrix P' A P of Aggregates, summed cell by cell.

#include "solid/multigrid/coarse/aggregates.hpp"

namespace gearshift::solid {

void Aggregates::add_cells(const Tangent& tangent, Shifts s) {
  if (space_.degree() == 1) {
    std::vector<double> products;
    tangent.corner_matrices(s, soft_, [&](PetscInt cell, const double* K) {
      multiply_bases(cell, K, products);
      add_products(cell, products);
    });
  } else {
    tangent.cell_products(
        s, soft_, [this](PetscInt cell, std::vector<double>& columns) { set_columns(cell, columns); },
        [this](PetscInt cell, std::span<const double> products) { add_products(cell, products); });
  }
}

void Aggregates::multiply_bases(PetscInt cell, const double* K, std::vector<double>& products) {
  const auto nodes = space_.cell_nodes(cell);
  in_cell_.find(nodes, bases_->numbers().of_node);
  const std::size_t rows = 3 * nodes.size(), columns = modes * in_cell_.count();
  products.assign(rows * columns, 0);
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    const float* Q = bases_->of(static_cast<std::size_t>(nodes[j]));
    double* to = products.data() + modes * in_cell_.of(j);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t c = 0; c < 3; ++c) {
        const double k = K[rows * row + 3 * j + c];
        for (std::size_t m = 0; m < modes; ++m) to[columns * row + m] += k * static_cast<double>(Q[modes * c + m]);
      }
  }
}

void Aggregates::set_columns(PetscInt cell, std::vector<double>& columns) {
  const auto nodes = space_.cell_nodes(cell);
  in_cell_.find(nodes, bases_->numbers().of_node);
  const std::size_t count = modes * in_cell_.count();
  columns.assign(3 * nodes.size() * count, 0);
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    const float* Q = bases_->of(static_cast<std::size_t>(nodes[j]));
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t m = 0; m < modes; ++m)
        columns[(3 * j + c) * count + modes * in_cell_.of(j) + m] = static_cast<double>(Q[modes * c + m]);
  }
}

void Aggregates::add_products(PetscInt cell, std::span<const double> products) {
  const auto nodes = space_.cell_nodes(cell);
  in_cell_.find(nodes, bases_->numbers().of_node);
  const std::size_t columns = modes * in_cell_.count();
  for (std::size_t a = 0; a < in_cell_.count(); ++a)
    for (std::size_t b = 0; b < in_cell_.count(); ++b) {
      if (in_cell_.aggregate(b) < in_cell_.aggregate(a)) continue;
      Block block{};
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (in_cell_.of(i) != a) continue;
        const float* Q = bases_->of(static_cast<std::size_t>(nodes[i]));
        for (std::size_t c = 0; c < 3; ++c) {
          const double* from = products.data() + columns * (3 * i + c) + modes * b;
          for (std::size_t l = 0; l < modes; ++l) {
            const double q = static_cast<double>(Q[modes * c + l]);
            for (std::size_t m = 0; m < modes; ++m) block[modes * l + m] += q * from[m];
          }
        }
      }
      matrix_->add(in_cell_.aggregate(a), in_cell_.aggregate(b), block);
    }
}

}  // namespace gearshift::solid
