// The tangent's entries, cell by cell.

#include "solid/operator/operator.hpp"

#include <algorithm>

namespace gearshift::solid {

void Operator::cell_matrices(const PointData<double>& points, PetscReal sq, PetscReal sa, const AddMatrix& add) const {
  const BatchArrays<double>& arrays = loop_.arrays();
  const int lanes = arrays.lanes();
  const auto width = static_cast<std::size_t>(lanes);
  std::vector<int> nodes;
  std::vector<double> in, out, batch;
  const auto entry = [width](std::size_t row, std::size_t lane) { return 3 * (row / 3 * width + lane) + row % 3; };
  for (int b = 0; b < arrays.count(); ++b) {
    const auto count = static_cast<std::size_t>(arrays.view(b).cell_nodes), rows = 3 * count;
    // Each lane's nodes lie one lane after the other, so that no two share one.
    nodes.resize(count * width);
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = 3 * static_cast<int>(i);
    in.resize(rows * width);
    out.resize(in.size());
    batch.resize(rows * rows * width);
    const Batches<double> one = arrays.view(b).alone(b, lanes, nodes.data());
    for (std::size_t column = 0; column < rows; ++column) {
      std::fill(in.begin(), in.end(), 0.0);
      std::fill(out.begin(), out.end(), 0.0);
      for (std::size_t l = 0; l < width; ++l) in[entry(column, l)] = 1;
      points.apply(one, {0, 1}, sq, sa, in.data(), out.data());
      if (bulk())
        kernels_.bulk.apply(one, {0, 1}, bulk()->cells(one.kind).alone(b, lanes), points.bulk(), sq, in.data(), nullptr,
                            out.data(), nullptr);
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t l = 0; l < width; ++l) batch[(l * rows + row) * rows + column] = out[entry(row, l)];
    }
    for (int l = 0; l < arrays.used(b); ++l)
      add(arrays.cell(b, l), batch.data() + static_cast<std::size_t>(l) * rows * rows);
  }
}

}  // namespace gearshift::solid
