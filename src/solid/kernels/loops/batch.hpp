#pragma once

/// @file
/// The data of one batch that the work at quadrature points reads, and the transfer of a batch's numbers to the points
/// and back.

#include "solid/kernels/points/law_table.hpp"
#include "solid/kernels/sweeps/elements.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// The parts of a batch that the work at quadrature points reads.
template <class P>
struct Batch {
  using T = typename P::Scalar;
  const int* nodes;
  const LawKernels* work;
  Points<P> points;
  const T* det;
  long det_step;
  Batch(const Batches<T>& b, int batch, Inversion* found) {
    const bool varies = b.shape[batch] == static_cast<char>(CellShape::general);
    nodes = b.nodes + b.nodes_at[batch];
    const bool cartesian = b.shape[batch] == static_cast<char>(CellShape::cartesian);
    if (const int law = b.law[batch]; law < own_law_count)
      work = cartesian ? &own_laws[law]->cartesian : &own_laws[law]->general;
    else
      work = static_cast<const LawKernels*>(b.registered[law - own_law_count]);
    if (b.branches.count && b.branches.count[batch] > 0 && work->with_branches) work = work->with_branches;
    points.parameters = b.parameters + static_cast<long>(batch) * b.parameter_rows * P::width;
    points.geometry = b.geometry + b.geometry_at[batch];
    points.metric = b.metric + b.metric_at[batch];
    points.geometry_step = varies ? 10 * P::width : 0;
    points.metric_step = varies ? 7 * P::width : 0;
    points.batch = batch;
    points.found = found;
    points.branches = &b.branches;
    // The metric contains a copy of the determinant, next to the data that the tangent reads anyway.
    det = work->has_metric ? points.metric + 6 * P::width : points.geometry + 9 * P::width;
    det_step = work->has_metric ? points.metric_step : points.geometry_step;
    if (b.has_mass_points() && varies) {
      det = points.geometry + static_cast<long>(b.cell_points) * 10 * P::width;
      det_step = P::width;
    }
  }
  /// Returns the points from `first` on; geometry that varies is advanced to them.
  Points<P> part(int first) const {
    Points<P> result = points;
    result.geometry += first * points.geometry_step;
    result.metric += first * points.metric_step;
    return result;
  }
  /// Returns rho, times a factor.
  P density(double factor) const { return points.density() * P(factor); }
};

template <class T>
void clear_output(const Batches<T>& b, int batch, T* out) {
  if (!b.zero_until) return;
  __builtin_memset(out + b.zero_until[batch], 0,
                   sizeof(T) * static_cast<unsigned long>(b.zero_until[batch + 1] - b.zero_until[batch]));
}

/// Calls take() and work for all points. `work` is called with some points, the number of the first, and the number of
/// the call.
template <class Element, class P, class Sweeps, class Work>
GEARSHIFT_INLINE void visit(Sweeps& sweeps, const Batch<P>& batch, Work&& work) {
  constexpr int part = Element::points / Sweeps::calls;
  for (int k = 0; k < Sweeps::calls; ++k) {
    Points<P> points = batch.part(k * part);
    sweeps.take(points, k);
    work(points, k * part, k);
  }
}

/// Like visit(), for a second time after a visit that has not changed the slopes: if one call has all points, their
/// slopes are still there.
template <class Element, class P, class Sweeps, class Work>
GEARSHIFT_INLINE void visit_again(Sweeps& sweeps, const Batch<P>& batch, Work&& work) {
  if constexpr (Sweeps::calls == 1) {
    Points<P> points = batch.part(0);
    sweeps.offer(points, 0);
    work(points, 0, 0);
  } else {
    visit<Element>(sweeps, batch, work);
  }
}

/// Like visit(), with collect() after the work. It is a separate loop because visit() costs float products 4 % more
/// instructions.
template <Inertia inertia, class Element, class P, class Sweeps, class Work>
GEARSHIFT_INLINE void visit_and_collect(Sweeps& sweeps, const Batch<P>& batch, const P& density, Work&& work) {
  constexpr int part = Element::points / Sweeps::calls;
  for (int k = 0; k < Sweeps::calls; ++k) {
    Points<P> points = batch.part(k * part);
    sweeps.take(points, k);
    work(points, k * part);
    sweeps.template collect<inertia>(k, density, batch.det, batch.det_step);
  }
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
