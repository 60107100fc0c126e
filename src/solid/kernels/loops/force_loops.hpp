#pragma once

/// @file
/// Forces, energies and second derivatives of some batches, in double precision.

#include "solid/kernels/loops/batch.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// Loops that are needed only in double precision.
template <class Element, class P>
struct ForceLoops {
  using T = typename P::Scalar;
  using Sweeps = typename Element::template Sweeps<P>;

  static inline void residual(const Batches<T>& b, Range range, const T* u, const T* a, T* out, Inversion* found) {
    Sweeps sweeps(b, 1.0);
    for (int i = range.begin; i < range.end; ++i) {
      const Batch<P> batch(b, i, found);
      const P density = batch.density(1.0);
      const auto work = batch.work->stress;
      const auto call = [&](const Points<P>& points, int) { work(points); };
      sweeps.load(u, batch.nodes);
      if (a) {
        sweeps.load_inertia(a, batch.nodes, density, batch.det, batch.det_step);
        visit_and_collect<Inertia::other, Element>(sweeps, batch, density, call);
      } else {
        visit_and_collect<Inertia::none, Element>(sweeps, batch, density, call);
      }
      clear_output(b, i, out);
      sweeps.add(out, batch.nodes);
    }
  }

  static void derivative(const Batches<T>& b, Range range, const T* u, const T* direction, const T* in, T* out) {
    Sweeps at(b, 1.0), along(b, 1.0), sweeps(b, 1.0);
    for (int i = range.begin; i < range.end; ++i) {
      const Batch<P> batch(b, i, nullptr);
      const auto work = batch.work->second_derivative;
      at.load(u, batch.nodes);
      along.load(direction, batch.nodes);
      sweeps.load(in, batch.nodes);
      visit<Element>(sweeps, batch, [&](const Points<P>& points, int first, int k) {
        Points<P> at_points = batch.part(first), along_points = at_points;
        at.take(at_points, k);
        along.take(along_points, k);
        work(at_points, along_points, points);
        sweeps.template collect<Inertia::none>(k, P(0.0), nullptr, 0);
      });
      clear_output(b, i, out);
      sweeps.add(out, batch.nodes);
    }
  }

  static void energy(const Batches<T>& b, Range range, const T* u, const T* v, double* result) {
    Sweeps sweeps(b, 1.0);
    for (int i = range.begin; i < range.end; ++i) {
      const Batch<P> batch(b, i, nullptr);
      P sums[2] = {P(0.0), P(0.0)};
      if (u) {
        const auto work = batch.work->energy;
        sweeps.load(u, batch.nodes);
        visit<Element>(sweeps, batch, [&](const Points<P>& points, int, int) { sums[0] += work(points, b); });
      }
      if (v) {
        sweeps.load(v, batch.nodes);
        const P* x[3];
        for (int c = 0; c < 3; ++c) x[c] = sweeps.values(c);
        for (int q = 0; q < Element::mass_points; ++q)
          sums[1] += P(b.mass_weights[q]) * P::load(batch.det + q * batch.det_step) *
                     (x[0][q] * x[0][q] + x[1][q] * x[1][q] + x[2][q] * x[2][q]);
        sums[1] = batch.density(0.5) * sums[1];
      }
      for (int l = 0; l < b.used[i]; ++l)
        for (int s = 0; s < 2; ++s) result[s] += sums[s].v[l];
    }
  }
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
