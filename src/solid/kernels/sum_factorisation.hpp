#pragma once

/// @file
/// Tensor-product contractions over the points of one batch of cells.

#include "solid/kernels/table.hpp"
#include "solid/material/tensor.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

constexpr int max_n = 7;
constexpr int max_points = max_n * max_n * max_n;

/// out (+)= the n x n matrix M (or its transpose) along one axis of in. in == out is allowed when not adding.
/// N = 0 leaves the size to run time.
template <int N, int Axis, bool Transpose, bool Add>
GEARSHIFT_INLINE void contract(const double* M, int runtime_n, const Lanes* in, Lanes* out) {
  const int n = N ? N : runtime_n;
  const int stride = Axis == 0 ? 1 : (Axis == 1 ? n : n * n);
  for (int b = 0; b < n; ++b)
    for (int a = 0; a < n; ++a) {
      const int base = Axis == 0 ? n * (a + n * b) : (Axis == 1 ? a + n * n * b : a + n * b);
      Lanes x[N ? N : max_n];
      for (int l = 0; l < n; ++l) x[l] = in[base + stride * l];
      for (int i = 0; i < n; ++i) {
        Lanes sum = Lanes(M[Transpose ? i : i * n]) * x[0];
        for (int l = 1; l < n; ++l) sum += Lanes(M[Transpose ? l * n + i : i * n + l]) * x[l];
        if (Add)
          out[base + stride * i] += sum;
        else
          out[base + stride * i] = sum;
      }
    }
}

/// Values at Gauss points of the three components of a local vector: values[c][point].
template <int N>
GEARSHIFT_INLINE void gather_values(const Batches& b, int batch, const double* vector,
                                    Lanes (*values)[N ? N * N * N : max_points]) {
  const int n = N ? N : b.n, size = n * n * n;
  const int* nodes = b.nodes + static_cast<long>(batch) * size * lanes;
  for (int i = 0; i < size; ++i)
    for (int l = 0; l < lanes; ++l) {
      const double* x = vector + 3L * nodes[i * lanes + l];
      for (int c = 0; c < 3; ++c) values[c][i].v[l] = x[c];
    }
  for (int c = 0; c < 3; ++c) {
    contract<N, 0, false, false>(b.interpolate, n, values[c], values[c]);
    contract<N, 1, false, false>(b.interpolate, n, values[c], values[c]);
    contract<N, 2, false, false>(b.interpolate, n, values[c], values[c]);
  }
}

/// Reference gradients at Gauss points: slopes[3 c + a][point] = d values[c] / dxi_a.
template <int N>
GEARSHIFT_INLINE void differentiate(const Batches& b, const Lanes (*values)[N ? N * N * N : max_points],
                                    Lanes (*slopes)[N ? N * N * N : max_points]) {
  const int n = N ? N : b.n;
  for (int c = 0; c < 3; ++c) {
    contract<N, 0, false, false>(b.collocate, n, values[c], slopes[3 * c]);
    contract<N, 1, false, false>(b.collocate, n, values[c], slopes[3 * c + 1]);
    contract<N, 2, false, false>(b.collocate, n, values[c], slopes[3 * c + 2]);
  }
}

/// The transpose of gather_values and differentiate: out += integrals of values . phi + slopes : dphi/dxi.
template <int N>
GEARSHIFT_INLINE void integrate(const Batches& b, int batch, Lanes (*values)[N ? N * N * N : max_points],
                                const Lanes (*slopes)[N ? N * N * N : max_points], double* out) {
  const int n = N ? N : b.n, size = n * n * n;
  const int* nodes = b.nodes + static_cast<long>(batch) * size * lanes;
  for (int c = 0; c < 3; ++c) {
    contract<N, 0, true, true>(b.collocate, n, slopes[3 * c], values[c]);
    contract<N, 1, true, true>(b.collocate, n, slopes[3 * c + 1], values[c]);
    contract<N, 2, true, true>(b.collocate, n, slopes[3 * c + 2], values[c]);
    contract<N, 2, true, false>(b.interpolate, n, values[c], values[c]);
    contract<N, 1, true, false>(b.interpolate, n, values[c], values[c]);
    contract<N, 0, true, false>(b.interpolate, n, values[c], values[c]);
  }
  const int used = b.used[batch];
  for (int i = 0; i < size; ++i)
    for (int l = 0; l < used; ++l) {
      double* x = out + 3L * nodes[i * lanes + l];
      for (int c = 0; c < 3; ++c) x[c] += values[c][i].v[l];
    }
}

/// The geometry of one point: K = dxi/dX and weight times det.
struct Point {
  Tensor<Lanes> K;
  Lanes weight;
  GEARSHIFT_INLINE Point(const Batches& b, long index) {
    const double* g = b.geometry + index * 10 * lanes;
    for (int i = 0; i < 9; ++i) K.e[i] = Lanes::load(g + i * lanes);
    weight = Lanes::load(g + 9 * lanes);
  }
  /// grad u from the reference gradient that stands `stride` apart at slopes.
  GEARSHIFT_INLINE Tensor<Lanes> gradient(const Lanes* slopes, int stride) const {
    Tensor<Lanes> G;
    for (int i = 0; i < 9; ++i) G.e[i] = slopes[i * stride];
    return product(G, K);
  }
  /// Writes weight * P K' where the reference gradient stood.
  GEARSHIFT_INLINE void flux(const Tensor<Lanes>& P, const Lanes& factor, Lanes* slopes, int stride) const {
    const Lanes w = weight * factor;
    for (int c = 0; c < 3; ++c)
      for (int a = 0; a < 3; ++a)
        slopes[(3 * c + a) * stride] = w * (P(c, 0) * K(a, 0) + P(c, 1) * K(a, 1) + P(c, 2) * K(a, 2));
  }
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
