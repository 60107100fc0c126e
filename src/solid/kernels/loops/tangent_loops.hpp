#pragma once

/// @file
/// The tangent at all points of some batches: set-up and product.

#include "solid/kernels/loops/batch.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

template <class Element, class P, class Data>
struct Loops {
  using T = typename P::Scalar;
  using Sweeps = typename Element::template Sweeps<P>;
  using Modes = typename Element::template Modes<P>;

  static void apply(const Batches<T>& b, Range range, const Data* data, double sq, double sa, const T* in, T* out) {
    Sweeps sweeps(b, sq != 0 ? sq : 1.0);
    Modes modes(b, sq);
    const double inertia = sq != 0 ? sa / sq : sa;
    for (int i = range.begin; i < range.end; ++i) {
      const Batch<P> batch(b, i, nullptr);
      const P density = batch.density(inertia);
      if constexpr (Modes::exist)
        if (sq != 0 && batch.work->has_modes) {
          clear_output(b, i, out);
          modes.apply(CartesianElasticTangent<P>(batch.points), density * P::load(batch.det), in, out, batch.nodes);
          continue;
        }
      const auto work = batch.work->template tangent<P, Data>().apply;
      const Data* own = sq != 0 ? data + b.points_at[i] : nullptr;
      const int step = batch.work->point_size * P::width;
      const auto call = [&](const Points<P>& points, int first) {
        work(points, own + static_cast<long>(first) * step);
      };
      sweeps.load(in, batch.nodes);
      if (sq == 0)
        sweeps.inertia_only(density, batch.det, batch.det_step);
      else if (sa == 0)
        visit_and_collect<Inertia::none, Element>(sweeps, batch, density, call);
      else
        visit_and_collect<Inertia::own, Element>(sweeps, batch, density, call);
      clear_output(b, i, out);
      sweeps.add(out, batch.nodes);
    }
  }

  static void linearize(const Batches<T>& b, Range range, const T* u, Data* data, Inversion* found) {
    Sweeps sweeps(b, 1.0);
    for (int i = range.begin; i < range.end; ++i) {
      const Batch<P> batch(b, i, found);
      const auto work = batch.work->template tangent<P, Data>().prepare;
      if (!work) continue;
      sweeps.load(u, batch.nodes);
      visit<Element>(sweeps, batch, [&](const Points<P>& points, int first, int) {
        work(points, data + b.points_at[i] + static_cast<long>(first) * batch.work->point_size * P::width);
      });
    }
  }
};

template <class P, class Data>
void apply(const Batches<typename P::Scalar>& b, Range range, const Data* data, double sq, double sa,
           const typename P::Scalar* in, typename P::Scalar* out) {
  with_element(b, [&]<class Element>() { Loops<Element, P, Data>::apply(b, range, data, sq, sa, in, out); });
}

template <class P, class Data>
void linearize(const Batches<typename P::Scalar>& b, Range range, const typename P::Scalar* u, Data* data,
               Inversion* found) {
  with_element(b, [&]<class Element>() { Loops<Element, P, Data>::linearize(b, range, u, data, found); });
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
