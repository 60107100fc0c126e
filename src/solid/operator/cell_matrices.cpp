// The tangent's entries, cell by cell.

#include "solid/operator/operator.hpp"

#include <algorithm>

namespace gearshift::solid {

void Operator::cell_matrices(const PointData<double>& points, PetscReal sq, PetscReal sa, const AddMatrix& add) const {
  const BatchArrays<double>& arrays = loop_.arrays();
  const int lanes = arrays.lanes(), count = space_.nodes_per_cell();
  const auto width = static_cast<std::size_t>(lanes), rows = 3 * static_cast<std::size_t>(count);
  // Each lane's nodes lie one lane after the other, so that no two share one.
  std::vector<int> nodes(static_cast<std::size_t>(count) * width);
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = 3 * static_cast<int>(i);
  std::vector<double> in(rows * width), out(in.size()), batch(rows * rows * width);
  const auto entry = [width](std::size_t row, std::size_t lane) { return 3 * (row / 3 * width + lane) + row % 3; };
  for (int b = 0; b < arrays.view().count; ++b) {
    const Batches<double> one = arrays.view().alone(b, lanes, nodes.data());
    for (std::size_t column = 0; column < rows; ++column) {
      std::fill(in.begin(), in.end(), 0.0);
      std::fill(out.begin(), out.end(), 0.0);
      for (std::size_t l = 0; l < width; ++l) in[entry(column, l)] = 1;
      points.apply(one, {0, 1}, sq, sa, in.data(), out.data());
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t l = 0; l < width; ++l) batch[(l * rows + row) * rows + column] = out[entry(row, l)];
    }
    for (int l = 0; l < arrays.used(b); ++l)
      add(arrays.cell(b, l), batch.data() + static_cast<std::size_t>(l) * rows * rows);
  }
}

}  // namespace gearshift::solid
