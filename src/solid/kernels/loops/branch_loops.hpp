#pragma once

/// @file
/// Loops that only cells with internal variables need: the variables themselves, and the energy that they dissipate.

#include "solid/kernels/loops/batch.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

template <class Element, class P>
struct BranchLoops {
  using T = typename P::Scalar;
  using Sweeps = typename Element::template Sweeps<P>;

  static void internal(const Batches<T>& b, Range range, const T* u, T* z, Inversion* found) {
    Sweeps sweeps(b, 1.0);
    for (int i = range.begin; i < range.end; ++i) {
      const Batch<P> batch(b, i, found);
      const auto work = batch.work->internal;
      if (!work) continue;
      sweeps.load(u, batch.nodes);
      visit<Element>(sweeps, batch, [&](const Points<P>& points, int, int) { work(points, b.used[i], z); });
    }
  }

  static void dissipation(const Batches<T>& b, Range range, const T* u, const T* v, double* result) {
    Sweeps at(b, 1.0), along(b, 1.0);
    for (int i = range.begin; i < range.end; ++i) {
      const Batch<P> batch(b, i, nullptr);
      const auto work = batch.work->dissipation;
      if (!work) continue;
      P sum(0.0);
      at.load(u, batch.nodes);
      along.load(v, batch.nodes);
      visit<Element>(at, batch, [&](const Points<P>& at_points, int first, int k) {
        Points<P> along_points = batch.part(first);
        along.take(along_points, k);
        sum += work(at_points, along_points, b);
      });
      for (int l = 0; l < b.used[i]; ++l) *result += sum.v[l];
    }
  }

  static void dissipated(const Batches<T>& b, Range range, const T* u, double* result) {
    Sweeps sweeps(b, 1.0);
    for (int i = range.begin; i < range.end; ++i) {
      const Batch<P> batch(b, i, nullptr);
      const auto work = batch.work->dissipated;
      if (!work) continue;
      P sum(0.0);
      sweeps.load(u, batch.nodes);
      visit<Element>(sweeps, batch, [&](const Points<P>& points, int, int) { sum += work(points, b); });
      for (int l = 0; l < b.used[i]; ++l) *result += sum.v[l];
    }
  }
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
