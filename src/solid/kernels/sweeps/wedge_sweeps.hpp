#pragma once

/// @file
/// The sweeps of wedges: sum factorisation along z, small dense matrices on the triangles across it.

#include "solid/kernels/points/points.hpp"
#include "solid/kernels/sweeps/line.hpp"
#include "solid/kernels/sweeps/nodes.hpp"
#include "solid/kernels/sweeps/sweeps.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// N nodes and Gauss points along z, M nodes and points on each triangle: node and point t of layer k have the number
/// k M + t. The shape functions are products of functions of one layer and of one line, and so are the weights. On the
/// way from nodes to points the lines come first, then the triangles of one layer at a time; the way back is the
/// transpose, with the weights included in its matrices.
template <int N, int M, class P>
class WedgeSweeps {
  using T = typename P::Scalar;
  using Register = typename P::Register;
  static constexpr int size = N * M;

  /// The factors of the dense matrices [point][node] of a wedge. Functions of a line, and of a triangle, sum to one.
  struct Factors {
    double values[N * N] = {}, slopes[N * N] = {}, weights[N] = {};                // [point][node] of the line
    double of_triangle[3][M * M] = {}, triangle_weights[M] = {}, all_weights = 0;  // slopes in x and y, values
    explicit Factors(const Batches<T>& b) {
      for (int k = 0; k < N; ++k)
        for (int q = 0; q < M; ++q) {
          const double weight = b.point_weights[k * M + q];
          weights[k] += weight;
          triangle_weights[q] += weight;
          all_weights += weight;
        }
      for (int k = 0; k < N; ++k) weights[k] /= all_weights;
      for (int i = 0; i < N; ++i)
        for (int t = 0; t < M; ++t)
          for (int k = 0; k < N; ++k) {
            const int at = k * M * size + i * M + t;  // point 0 of layer k
            values[k * N + i] += b.interpolate[at];
            slopes[k * N + i] += b.derive[3 * at + 2];
          }
      for (int q = 0; q < M; ++q)
        for (int t = 0; t < M; ++t)
          for (int i = 0; i < N; ++i) {
            const int at = q * size + i * M + t;  // point q of layer 0
            of_triangle[0][q * M + t] += b.derive[3 * at];
            of_triangle[1][q * M + t] += b.derive[3 * at + 1];
            of_triangle[2][q * M + t] += b.interpolate[at];
          }
    }
  };

 public:
  /// `factor` scales everything that load() interpolates.
  WedgeSweeps(const Batches<T>& b, double factor) : WedgeSweeps(Factors(b), factor) {}

  GEARSHIFT_INLINE void load(const T* in, const int* nodes) {
    load_lines(in, nodes, v_);
    for (int c = 0; c < 3; ++c)
      for (int t = 0; t < M; ++t) {
        const Parts<N, P> line(v_[c] + t, M);
        multiply<false>(scaled_slopes_, line, dz_[c] + t, M);
        multiply<false>(scaled_values_, line, v_[c] + t, M);
      }
  }
  GEARSHIFT_INLINE void load_inertia(const T* a, const int* nodes, const P& density, const T* det, long step) {
    load_lines(a, nodes, inertia_);
    for (int c = 0; c < 3; ++c)
      for (int t = 0; t < M; ++t) multiply<false>(values_, Parts<N, P>(inertia_[c] + t, M), inertia_[c] + t, M);
    for (int k = 0; k < N; ++k) interpolate(inertia_, k, inertia_);
    for (int q = 0; q < size; ++q) {
      const P w = density * P::load(det + q * step);
      for (int c = 0; c < 3; ++c) inertia_[c][q] = w * inertia_[c][q];
    }
  }
  static constexpr int calls = N;
  GEARSHIFT_INLINE void take(Points<P>& points, int k) {
    const int first = k * M;
    for (int q = 0; q < M; ++q) {
      Register g[3][3] = {};
      unrolled<0, M>([&](int t) __attribute__((always_inline)) {
        const T x = triangle_[q][t][0], y = triangle_[q][t][1], value = triangle_[q][t][2];
        unrolled<0, 3>([&](int c) __attribute__((always_inline)) {
          g[0][c] += x * v_[c][first + t].v;
          g[1][c] += y * v_[c][first + t].v;
          g[2][c] += value * dz_[c][first + t].v;
        });
      });
      unrolled<0, 3>([&](int a) __attribute__((always_inline)) {
        unrolled<0, 3>([&](int c) __attribute__((always_inline)) { d_[a][c][q] = P(g[a][c]); });
      });
    }
    offer(points, k);
  }
  GEARSHIFT_INLINE void offer(Points<P>& points, int k) {
    for (int a = 0; a < 3; ++a) {
      points.slopes[a] = d_[a][0];
      points.stride[a] = M;
    }
    points.count = M;
    points.first = k * M;
  }
  template <Inertia inertia>
  GEARSHIFT_INLINE void collect(int k, const P& density, const T* det, long step) {
    const int first = k * M;
    if constexpr (inertia == Inertia::own) weigh_layer(k, density, det, step);
    unrolled<0, M>([&](int t) __attribute__((always_inline)) {
      Register sum[3] = {}, along[3] = {};
      for (int q = 0; q < M; ++q) {
        const T x = back_[t][q][0], y = back_[t][q][1], value = back_[t][q][2];
        unrolled<0, 3>([&](int c) __attribute__((always_inline)) {
          sum[c] += x * d_[0][c][q].v;
          sum[c] += y * d_[1][c][q].v;
          if constexpr (inertia != Inertia::none) sum[c] += value * inertia_[c][first + q].v;
          along[c] += value * d_[2][c][q].v;
        });
      }
      unrolled<0, 3>([&](int c) __attribute__((always_inline)) {
        v_[c][first + t] = P(sum[c]);
        dz_[c][first + t] = P(along[c]);
      });
    });
  }
  GEARSHIFT_INLINE void inertia_only(const P& density, const T* det, long step) {
    for (int k = 0; k < N; ++k) {
      weigh_layer(k, density, det, step);
      for (int t = 0; t < M; ++t) {
        Register sum[3] = {};
        for (int q = 0; q < M; ++q)
          unrolled<0, 3>([&](int c)
                             __attribute__((always_inline)) { sum[c] += back_[t][q][2] * inertia_[c][k * M + q].v; });
        for (int c = 0; c < 3; ++c) {
          v_[c][k * M + t] = P(sum[c]);
          dz_[c][k * M + t] = P(0.0);
        }
      }
    }
  }
  GEARSHIFT_INLINE void add(T* out, const int* nodes) {
    for (int c = 0; c < 3; ++c)
      for (int t = 0; t < M; ++t)
        multiply_two(values_back_, Parts<N, P>(v_[c] + t, M), slopes_back_, Parts<N, P>(dz_[c] + t, M), v_[c] + t, M);
    for (int i = 0; i < size; ++i) add_nodes(out, nodes + i * P::width, v_[0][i], v_[1][i], v_[2][i]);
  }
  /// Returns the values at the points, for kinetic energy; must be called for component 0 first.
  GEARSHIFT_INLINE const P* values(int c) {
    for (int k = 0; c == 0 && k < N; ++k) interpolate(v_, k, inertia_);
    return inertia_[c];
  }

 private:
  WedgeSweeps(const Factors& f, double factor)
      : scaled_values_(f.values, false, factor),
        values_(f.values, false),
        scaled_slopes_(f.slopes, false, factor),
        values_back_(f.values, true, 1, nullptr, f.weights),
        slopes_back_(f.slopes, true, 1, nullptr, f.weights) {
    for (int q = 0; q < M; ++q)
      for (int t = 0; t < M; ++t)
        for (int a = 0; a < 3; ++a) {
          triangle_[q][t][a] = static_cast<T>(f.of_triangle[a][q * M + t]);
          back_[t][q][a] = static_cast<T>(f.triangle_weights[q] * f.of_triangle[a][q * M + t]);
        }
  }

  GEARSHIFT_INLINE void load_lines(const T* in, const int* nodes, P (*v)[size]) {
    for (int i = 0; i < size; ++i) load_nodes(in, nodes + i * P::width, v[0][i], v[1][i], v[2][i]);
  }
  /// Computes the values at the points of layer k; x and y may be the same.
  GEARSHIFT_INLINE void interpolate(const P (*x)[size], int k, P (*y)[size]) {
    Register sum[3][M] = {};
    for (int q = 0; q < M; ++q)
      for (int t = 0; t < M; ++t)
        unrolled<0, 3>([&](int c)
                           __attribute__((always_inline)) { sum[c][q] += triangle_[q][t][2] * x[c][k * M + t].v; });
    for (int c = 0; c < 3; ++c)
      for (int q = 0; q < M; ++q) y[c][k * M + q] = P(sum[c][q]);
  }
  /// Computes density det times the values at the points of layer k.
  GEARSHIFT_INLINE void weigh_layer(int k, const P& density, const T* det, long step) {
    interpolate(v_, k, inertia_);
    for (int q = k * M; q < (k + 1) * M; ++q) {
      const P w = density * P::load(det + q * step);
      for (int c = 0; c < 3; ++c) inertia_[c][q] = w * inertia_[c][q];
    }
  }

  const Line<N, Action::interpolate, P> scaled_values_, values_;
  const Line<N, Action::differentiate, P> scaled_slopes_;
  const Line<N, Action::restrict, P> values_back_;
  const Line<N, Action::differentiate, P> slopes_back_;
  T triangle_[M][M][3], back_[M][M][3];  // slopes in x and y, values
  P v_[3][size], dz_[3][size], inertia_[3][size], d_[3][3][M];
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
