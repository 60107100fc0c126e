// The functions of an Operator that use the pressures of a mixed formulation.

#include "solid/operator/run_operator.hpp"

#include <functional>

namespace gearshift::solid {

void Operator::pressures_after(Vec step, PointData<double>& points, std::vector<double>& pressures) const {
  pressures.resize(bulk_->size());
  run<1>({step}, nullptr, [&](const Batches<double>& b, Range range, const auto& in, double*) {
    kernels_.bulk.apply(b, range, bulk_->cells(b.kind), points.bulk(), 1, in[0], nullptr, nullptr, pressures.data());
  });
  std::transform(pressures.begin(), pressures.end(), points.pressures().begin(), pressures.begin(), std::plus<>());
}

void Operator::apply_mixed(const PointData<double>& points, PetscReal sq, PetscReal sa, Vec in, const double* pressures,
                           Vec out, double* rows) const {
  run<1>({in}, out, [&](const Batches<double>& b, Range range, const auto& from, double* to) {
    run_with(
        bulk(), Part::soft, b, range, [&](Range few) { points.apply(b, few, sq, sa, from[0], to); },
        [&](const BulkCells& cells, Range few) {
          kernels_.bulk.apply(b, few, cells, points.bulk(), sq, from[0], pressures, to, rows);
        });
  });
  bulk_->finish_rows(sq, pressures, rows);
}

void Operator::pressure_forces(const PointData<double>& points, PetscReal sq, const double* pressures, Vec out) const {
  run<1>({nullptr}, out, [&](const Batches<double>& b, Range range, const auto&, double* to) {
    if (b.zero_until) std::fill(to + b.zero_until[range.begin], to + b.zero_until[range.end], 0.0);
    kernels_.bulk.push(b, range, bulk_->cells(b.kind, Part::soft), points.bulk(), sq, pressures, to);
  });
}

}  // namespace gearshift::solid
