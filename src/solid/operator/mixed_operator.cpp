#include "solid/operator/mixed_operator.hpp"

#include "solid/operator/run_operator.hpp"

#include <functional>

namespace gearshift::solid {

void pressures_after(const Operator& op, Vec step, PointData<double>& points, std::vector<double>& pressures) {
  const BulkPressure& bulk = *op.bulk();
  pressures.resize(bulk.size());
  run_cells<1>(op, {step}, nullptr, [&](const Batches<double>& b, Range range, const auto& in, double*) {
    bulk.kernels().answer(b, range, bulk.cells(b.kind), points.bulk(), in[0], pressures.data());
  });
  std::transform(pressures.begin(), pressures.end(), points.pressures().begin(), pressures.begin(), std::plus<>());
}

void apply_mixed(const Operator& op, const PointData<double>& points, PetscReal sq, PetscReal sa, Vec in,
                 const double* pressures, Vec out, double* rows) {
  const BulkPressure& bulk = *op.bulk();
  run_cells<1>(op, {in}, out, [&](const Batches<double>& b, Range range, const auto& from, double* to) {
    points.apply(b, range, bulk.cells(b.kind, BulkPressure::Part::soft), sq, sa, from[0], pressures, to, rows);
  });
  bulk.finish_rows(sq, pressures, rows);
}

void push_pressures(const Operator& op, const PointData<double>& points, PetscReal sq, const double* pressures,
                    Vec out) {
  const BulkPressure& bulk = *op.bulk();
  run_cells<1>(op, {nullptr}, out, [&](const Batches<double>& b, Range range, const auto&, double* to) {
    if (b.zero_until) std::fill(to + b.zero_until[range.begin], to + b.zero_until[range.end], 0.0);
    bulk.kernels().push(b, range, bulk.cells(b.kind, BulkPressure::Part::soft), points.bulk(), sq, pressures, to);
  });
}

}  // namespace gearshift::solid
