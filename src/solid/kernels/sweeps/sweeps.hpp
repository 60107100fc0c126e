#pragma once

/// @file
/// Sum factorisation over the N^3 points of a batch: from nodal values to values and reference gradients at Gauss
/// points, and back.
///
/// Interpolation B runs along x and y while a plane of nodes is loaded, then along z together with the z derivative; x
/// and y derivatives are computed from values at Gauss points (collocation D), one plane at a time, so that only the
/// gradients of one plane are stored. The way back is the transpose, with the quadrature weights W = w_i w_j w_k
/// included in the one-dimensional matrices: B'W and W^-1 D'W. (Sum factorisation: Orszag 1980; the change to a
/// collocated basis: Kronbichler & Kormann, ACM TOMS 45, 2019, section 3.1.)

#include "solid/kernels/points/points.hpp"
#include "solid/kernels/sweeps/line.hpp"
#include "solid/kernels/sweeps/nodes.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

enum class Inertia { none, own, other };

/// The data that the sweeps of one batch share. Cells of eight nodes have separate sweeps in moment_sweeps.hpp.
template <int N, class P>
class Sweeps {
  using T = typename P::Scalar;
  static constexpr int plane = N * N, size = N * N * N;
  static constexpr bool small = N <= 3;
  struct Inverse {
    double w[N];
    explicit Inverse(const double* weights) {
      for (int i = 0; i < N; ++i) w[i] = 1 / weights[i];
    }
  };

 public:
  /// `factor` scales everything that is interpolated.
  Sweeps(const Batches<T>& b, double factor)
      : first_(b.interpolate, false, factor),
        values_(b.interpolate, false),
        values_back_(b.interpolate, true, 1, nullptr, b.weights),
        slopes_(b.collocate, false),
        slopes_back_(b.collocate, true, 1, Inverse(b.weights).w, b.weights),
        z_(b.derive, false),
        z_back_(b.derive, true, 1, nullptr, b.weights) {}

  /// Computes values and z derivatives at the points.
  GEARSHIFT_INLINE void load(const T* in, const int* nodes) {
    load_planes(in, nodes, v_);
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < plane; ++i) {
        const Parts<N, P> column(v_[c] + i, plane);
        multiply<false>(values_, column, v_[c] + i, plane);
        multiply<false>(z_, column, dz_[c] + i, plane);
      }
  }
  /// Computes only values, times density * det, to be added to the result: a is a different vector than in
  /// load().
  GEARSHIFT_INLINE void load_inertia(const T* a, const int* nodes, const P& density, const T* det, long step) {
    load_planes(a, nodes, inertia_);
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < plane; ++i)
        multiply<false>(values_, Parts<N, P>(inertia_[c] + i, plane), inertia_[c] + i, plane);
    weigh(inertia_, density, det, step);
  }
  /// Points are handled in `calls` parts: take() computes their gradients, and collect() integrates the fluxes that
  /// have replaced them. For the inertia, collect() adds nothing, the values of load() times density * det, or the
  /// result of load_inertia().
  static constexpr int calls = N;
  GEARSHIFT_INLINE void take(Points<P>& points, int k) {
    for (int c = 0; c < 3; ++c) {
      const P* v = v_[c] + k * plane;
      repeat<small, N>([&](int j) __attribute__((always_inline)) {
        multiply<false>(slopes_, Parts<N, P>(v + j * N, 1), dx_[c] + j * N, 1);
      });
      repeat<small, N>([&](int i) __attribute__((always_inline)) {
        multiply<false>(slopes_, Parts<N, P>(v + i, N), dy_[c] + i, N);
      });
    }
    offer(points, k);
  }
  /// Sets only the pointers, for fluxes that need no gradients.
  GEARSHIFT_INLINE void offer(Points<P>& points, int k) {
    points.slopes[0] = dx_[0];
    points.slopes[1] = dy_[0];
    points.slopes[2] = dz_[0] + k * plane;
    points.stride[0] = points.stride[1] = plane;
    points.stride[2] = size;
    points.count = plane;
    points.first = k * plane;
  }
  template <Inertia inertia>
  GEARSHIFT_INLINE void collect(int k, const P& density, const T* det, long step) {
    for (int c = 0; c < 3; ++c) {
      P* v = v_[c] + k * plane;
      P w[plane];
      repeat<small, N>([&](int j) __attribute__((always_inline)) {
        multiply<false>(slopes_back_, Parts<N, P>(dx_[c] + j * N, 1), w + j * N, 1);
      });
      repeat<small, N>([&](int i) __attribute__((always_inline)) {
        multiply<true>(slopes_back_, Parts<N, P>(dy_[c] + i, N), w + i, N);
      });
      for (int i = 0; i < plane; ++i) {
        if constexpr (inertia == Inertia::own) w[i] += density * P::load(det + (k * plane + i) * step) * v[i];
        if constexpr (inertia == Inertia::other) w[i] += inertia_[c][k * plane + i];
        v[i] = w[i];
      }
    }
  }
  /// Replaces take() and collect() if only the inertia of the values of load() is needed.
  GEARSHIFT_INLINE void inertia_only(const P& density, const T* det, long step) {
    weigh(v_, density, det, step);
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < size; ++i) dz_[c][i] = P(0.0);
  }

  GEARSHIFT_INLINE void add(T* out, const int* nodes) {
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < plane; ++i)
        multiply_two(values_back_, Parts<N, P>(v_[c] + i, plane), z_back_, Parts<N, P>(dz_[c] + i, plane), v_[c] + i,
                     plane);
    for (int k = 0; k < N; ++k) {
      P u[3][plane];
      for (int c = 0; c < 3; ++c) {
        P w[plane];
        repeat<small, N>([&](int i) __attribute__((always_inline)) {
          multiply<false>(values_back_, Parts<N, P>(v_[c] + k * plane + i, N), w + i, N);
        });
        repeat<small, N>([&](int j) __attribute__((always_inline)) {
          multiply<false>(values_back_, Parts<N, P>(w + j * N, 1), u[c] + j * N, 1);
        });
      }
      for (int i = 0; i < plane; ++i) add_nodes(out, nodes + (k * plane + i) * P::width, u[0][i], u[1][i], u[2][i]);
    }
  }
  /// Returns the values at the points, for kinetic energy.
  GEARSHIFT_INLINE const P* values(int c) const { return v_[c]; }

 private:
  GEARSHIFT_INLINE void load_planes(const T* in, const int* nodes, P (*v)[size]) {
    for (int k = 0; k < N; ++k) {
      P u[3][plane];
      for (int i = 0; i < plane; ++i) load_nodes(in, nodes + (k * plane + i) * P::width, u[0][i], u[1][i], u[2][i]);
      for (int c = 0; c < 3; ++c) {
        P w[plane];
        repeat<small, N>([&](int j) __attribute__((always_inline)) {
          multiply<false>(first_, Parts<N, P>(u[c] + j * N, 1), w + j * N, 1);
        });
        repeat<small, N>([&](int i) __attribute__((always_inline)) {
          multiply<false>(values_, Parts<N, P>(w + i, N), v[c] + k * plane + i, N);
        });
      }
    }
  }
  GEARSHIFT_INLINE void weigh(P (*v)[size], const P& density, const T* det, long step) {
    for (int q = 0; q < size; ++q) {
      const P w = density * P::load(det + q * step);
      for (int c = 0; c < 3; ++c) v[c][q] = w * v[c][q];
    }
  }

  const Line<N, Action::interpolate, P> first_, values_;
  const Line<N, Action::restrict, P> values_back_;
  const Line<N, Action::differentiate, P> slopes_, slopes_back_, z_, z_back_;
  P v_[3][size], dz_[3][size], dx_[3][plane], dy_[3][plane], inertia_[3][size];
};

template <class P>
class Sweeps<2, P>;  // moment_sweeps.hpp

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
