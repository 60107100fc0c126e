#pragma once

/// @file
/// The results of laws at quadrature points, for output: in double precision, not optimised for speed.

#include "solid/kernels/loops/batch.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

template <class Element, class P>
struct PointValueLoops {
  using T = typename P::Scalar;
  using Sweeps = typename Element::template Sweeps<P>;

  static void run(const Batches<T>& b, Range range, const T* u, T* out, Inversion* found) {
    Sweeps sweeps(b, 1.0);
    for (int i = range.begin; i < range.end; ++i) {
      const Batch<P> batch(b, i, found);
      sweeps.load(u, batch.nodes);
      visit<Element>(sweeps, batch, [&](const Points<P>& points, int, int) { values(b, batch, points, out); });
      out += static_cast<long>(Element::points) * point_values * P::width;
    }
  }

 private:
  /// The laws' own work uses gradients and energies point by point, then replaces the gradients by fluxes det P K'.
  static void values(const Batches<T>& b, const Batch<P>& batch, const Points<P>& points, T* out) {
    const auto put = [&](int q, int i, const P& x) {
      T* to = out + (static_cast<long>(points.first + q) * point_values + i) * P::width;
      for (int l = 0; l < P::width; ++l) to[l] = x.v[l];
    };
    for (int q = 0; q < points.count; ++q) {
      const Geometry<P, false> geometry(points, q);
      const Tensor<P> H = geometry.gradient(points.slopes_at(q));
      for (int e = 0; e < 9; ++e) put(q, e, H.e[e]);
      Points<P> one = points;
      one.count = 1;
      one.first += q;
      one.geometry += q * points.geometry_step;
      one.metric += q * points.metric_step;
      for (auto& slopes : one.slopes) slopes += q;
      put(q, 18, batch.work->energy(one, b) / (P(b.point_weights[one.first]) * geometry.det));
    }
    batch.work->stress(points);
    for (int q = 0; q < points.count; ++q) {
      // det P K' cof K = P, since det det K = 1.
      const Tensor<P> C = cofactors(Geometry<P, false>(points, q).K), flux = points.slopes_at(q);
      for (int c = 0; c < 3; ++c)
        for (int j = 0; j < 3; ++j)
          put(q, 9 + 3 * c + j, flux(c, 0) * C(0, j) + flux(c, 1) * C(1, j) + flux(c, 2) * C(2, j));
    }
  }
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
