#include "solid/operator/cell_matrices.hpp"

#include <algorithm>

namespace gearshift::solid {
namespace {

/// A batch of cells with a separate set of nodes for each lane, so that no two lanes share a node.
class Apart {
 public:
  Apart(const Batches<double>& view, int batch, int lanes)
      : width_(static_cast<std::size_t>(lanes)),
        nodes_(static_cast<std::size_t>(view.cell_nodes) * width_),
        in_(3 * nodes_.size()),
        out_(in_.size()) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i] = 3 * static_cast<int>(i);
    view_ = view.alone(batch, lanes, nodes_.data());
  }

  const Batches<double>& view() const { return view_; }
  std::size_t rows() const { return 3 * static_cast<std::size_t>(view_.cell_nodes); }
  void clear() {
    std::fill(in_.begin(), in_.end(), 0.0);
    std::fill(out_.begin(), out_.end(), 0.0);
  }
  double& in(std::size_t row, std::size_t lane) { return in_[entry(row, lane)]; }
  double out(std::size_t row, std::size_t lane) const { return out_[entry(row, lane)]; }
  /// Calls use(in, out) for each row of a lane.
  template <class Use>
  void each(std::size_t lane, Use&& use) {
    for (std::size_t at = 3 * lane; at < in_.size(); at += 3 * width_)
      for (std::size_t c = 0; c < 3; ++c) use(in_[at + c], out_[at + c]);
  }
  const double* in() const { return in_.data(); }
  double* out() { return out_.data(); }

 private:
  std::size_t entry(std::size_t row, std::size_t lane) const { return 3 * (row / 3 * width_ + lane) + row % 3; }

  std::size_t width_;
  std::vector<int> nodes_;
  std::vector<double> in_, out_;
  Batches<double> view_;
};

}  // namespace

void visit_cell_matrices(const Operator& op, const PointData<double>& points, PetscReal sq, PetscReal sa,
                         const AddMatrix& add) {
  const BatchArrays<double>& arrays = op.loop().arrays();
  const BulkPressure* bulk = op.bulk();
  const auto width = static_cast<std::size_t>(arrays.lanes());
  std::vector<double> batch;
  for (int b = 0; b < arrays.count(); ++b) {
    Apart cells(arrays.view(b), b, arrays.lanes());
    const std::size_t rows = cells.rows();
    batch.resize(rows * rows * width);
    for (std::size_t column = 0; column < rows; ++column) {
      cells.clear();
      for (std::size_t l = 0; l < width; ++l) cells.in(column, l) = 1;
      if (bulk && sq != 0)
        points.apply(cells.view(), {0, 1}, bulk->cells(cells.view().kind).alone(b, arrays.lanes()), sq, sa, cells.in(),
                     nullptr, cells.out(), nullptr);
      else
        points.apply(cells.view(), {0, 1}, sq, sa, cells.in(), cells.out());
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t l = 0; l < width; ++l) batch[(l * rows + row) * rows + column] = cells.out(row, l);
    }
    for (int l = 0; l < arrays.used(b); ++l)
      add(arrays.cell(b, l), batch.data() + static_cast<std::size_t>(l) * rows * rows);
  }
}

void visit_cell_products(const Operator& op, const PointData<double>& points, PetscReal sq, PetscReal sa,
                         const LargeArray<double>& parameters, const PointData<double>* moduli, const SetColumns& set,
                         const AddProducts& add) {
  const BatchArrays<double>& arrays = op.loop().arrays();
  const auto width = static_cast<std::size_t>(arrays.lanes());
  std::vector<std::vector<double>> columns(width), products(width);
  std::vector<std::size_t> counts(width);
  for (int b = 0; b < arrays.count(); ++b) {
    Batches<double> view = arrays.view(b);
    if (!parameters.empty()) view.parameters = parameters.data();
    const PointData<double>& from = moduli && arrays.keeps_modulus(b) ? *moduli : points;
    Apart cells(view, b, arrays.lanes());
    const std::size_t rows = cells.rows(), used = static_cast<std::size_t>(arrays.used(b));
    std::size_t most = 0;
    for (std::size_t l = 0; l < used; ++l) {
      set(arrays.cell(b, static_cast<int>(l)), columns[l]);
      products[l].resize(columns[l].size());
      counts[l] = columns[l].size() / rows;
      most = std::max(most, counts[l]);
    }
    for (std::size_t column = 0; column < most; ++column) {
      cells.clear();
      bool any = false;
      for (std::size_t l = 0; l < used; ++l) {
        if (column >= counts[l]) continue;
        const double* value = columns[l].data() + column;
        cells.each(l, [&](double& in, double) {
          any = any || *value != 0;
          in = *value;
          value += counts[l];
        });
      }
      if (any) from.apply(cells.view(), {0, 1}, sq, sa, cells.in(), cells.out());
      for (std::size_t l = 0; l < used; ++l) {
        if (column >= counts[l]) continue;
        double* to = products[l].data() + column;
        cells.each(l, [&](double, double out) {
          *to = out;
          to += counts[l];
        });
      }
    }
    for (std::size_t l = 0; l < used; ++l) add(arrays.cell(b, static_cast<int>(l)), products[l]);
  }
}

}  // namespace gearshift::solid
