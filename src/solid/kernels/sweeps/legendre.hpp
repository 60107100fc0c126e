#pragma once

/// @file
/// Linear elasticity of Cartesian cells in Legendre modes, without quadrature.
///
/// With coefficients that are constant within the cell, fluxes of a polynomial displacement are polynomials. In an
/// orthogonal basis their integrals against gradients of shapes are the coefficients themselves: the same numbers that
/// the Gauss points of Sweeps give exactly. Gradients of modes are short sums, P_j' = sum (2 i + 1) P_i over i = j - 1,
/// j - 3, ..., so that little work remains beyond the transform from nodes to modes and back. (Karniadakis & Sherwin,
/// Spectral/hp Element Methods, appendix A, for Legendre's sums.)

#include "solid/kernels/points/tangents.hpp"
#include "solid/kernels/sweeps/line.hpp"
#include "solid/kernels/sweeps/nodes.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// Modes from N nodal values, and the transpose. Modes are even or odd: each needs only the sums or only the
/// differences.
template <int N, class P>
struct ModeLine {
  static constexpr int pairs = N / 2, half = (N + 1) / 2;
  P even[half][half], odd[half][half];

  /// Creates the line from the N x N matrix factor modes[i][j] right[i]; a null scale counts as 1.
  ModeLine(const double* modes, double factor, const double* right) {
    for (int i = 0; i < half; ++i)
      for (int j = 0; j < half; ++j) {
        even[i][j] = P(factor * (right ? right[2 * i] : 1) * modes[2 * i * N + j]);
        odd[i][j] = 2 * i + 1 < N ? P(factor * (right ? right[2 * i + 1] : 1) * modes[(2 * i + 1) * N + j]) : P(0.0);
      }
  }
  GEARSHIFT_INLINE void to_modes(const P* x, int stride, P* y, int to) const {
    const Parts<N, P> parts(x, stride);
    unrolled<0, half>([&](int i) __attribute__((always_inline)) {
      P sum = even[i][0] * parts.sum[0];
      unrolled<1, half>([&](int j) __attribute__((always_inline)) { sum += even[i][j] * parts.sum[j]; });
      y[2 * i * to] = sum;
    });
    unrolled<0, pairs>([&](int i) __attribute__((always_inline)) {
      P sum = odd[i][0] * parts.difference[0];
      unrolled<1, pairs>([&](int j) __attribute__((always_inline)) { sum += odd[i][j] * parts.difference[j]; });
      y[(2 * i + 1) * to] = sum;
    });
  }
  /// Applies the transpose of to_modes().
  GEARSHIFT_INLINE void to_nodes(const P* x, int stride, P* y, int to) const {
    P u[N];
    unrolled<0, pairs>([&](int j) __attribute__((always_inline)) {
      P e = even[0][j] * x[0], o = odd[0][j] * x[stride];
      unrolled<1, half>([&](int i) __attribute__((always_inline)) { e += even[i][j] * x[2 * i * stride]; });
      unrolled<1, pairs>([&](int i) __attribute__((always_inline)) { o += odd[i][j] * x[(2 * i + 1) * stride]; });
      u[j] = e + o;
      u[N - 1 - j] = e - o;
    });
    if constexpr (N % 2 == 1) {
      u[pairs] = even[0][pairs] * x[0];
      unrolled<1, half>([&](int i) __attribute__((always_inline)) { u[pairs] += even[i][pairs] * x[2 * i * stride]; });
    }
    unrolled<0, N>([&](int j) __attribute__((always_inline)) { y[j * to] = u[j]; });
  }
};

template <int N, class P>
class ModeSweeps {
  using T = typename P::Scalar;
  static constexpr int plane = N * N, size = N * N * N;
  static constexpr bool small = N <= 3;
  struct Norms {
    double w[N];
    Norms() {
      for (int i = 0; i < N; ++i) w[i] = 2.0 / (2 * i + 1);
    }
  };

 public:
  static constexpr bool exist = true;
  ModeSweeps(const Batches<T>& b, double factor)
      : first_(b.modes, factor, nullptr), modes_(b.modes, 1, nullptr), back_(b.modes, 1, Norms().w) {}

  /// Computes out += K in + density det M in of one batch.
  GEARSHIFT_INLINE void apply(const CartesianElasticTangent<P>& tangent, const P& inertia, const T* in, T* out,
                              const int* nodes) {
    for (int k = 0; k < N; ++k) {
      P u[3][plane];
      for (int i = 0; i < plane; ++i) load_nodes(in, nodes + (k * plane + i) * P::width, u[0][i], u[1][i], u[2][i]);
      for (int c = 0; c < 3; ++c) {
        repeat<small, N>([&](int j)
                             __attribute__((always_inline)) { first_.to_modes(u[c] + j * N, 1, u[c] + j * N, 1); });
        repeat<small, N>([&](int i) __attribute__((always_inline)) {
          modes_.to_modes(u[c] + i, N, m_[c] + k * plane + i, N);
        });
      }
    }
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < plane; ++i) modes_.to_modes(m_[c] + i, plane, m_[c] + i, plane);
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < size; ++i) r_[c][i] = inertia * m_[c][i];
    if constexpr (small)
      each<N>([&]<int k>() __attribute__((always_inline)) {
        each<N>([&]<int j>() __attribute__((always_inline)) {
          each<N>([&]<int i>() __attribute__((always_inline)) { at_mode<i, j, k>(tangent); });
        });
      });
    else
      by_lines(tangent);
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < plane; ++i) back_.to_nodes(r_[c] + i, plane, r_[c] + i, plane);
    for (int k = 0; k < N; ++k) {
      P u[3][plane];
      for (int c = 0; c < 3; ++c) {
        repeat<small, N>([&](int i)
                             __attribute__((always_inline)) { back_.to_nodes(r_[c] + k * plane + i, N, u[c] + i, N); });
        repeat<small, N>([&](int j)
                             __attribute__((always_inline)) { back_.to_nodes(u[c] + j * N, 1, u[c] + j * N, 1); });
      }
      for (int i = 0; i < plane; ++i) add_nodes(out, nodes + (k * plane + i) * P::width, u[0][i], u[1][i], u[2][i]);
    }
  }

 private:
  /// Calls f<0>() to f<Count - 1>().
  template <int Count, int I = 0, class F>
  GEARSHIFT_INLINE static void each(F&& f) {
    if constexpr (I < Count) {
      f.template operator()<I>();
      each<Count, I + 1>(f);
    }
  }

  // Up to N = 3 a slope has one term. All loops are unrolled, and terms that are zero are omitted.
  template <int i, int j, int k>
  GEARSHIFT_INLINE void at_mode(const CartesianElasticTangent<P>& tangent) {
    constexpr int index[3] = {i, j, k}, stride[3] = {1, N, plane}, at = i + N * j + plane * k;
    constexpr bool has[3] = {i + 1 < N, j + 1 < N, k + 1 < N};  // true for axes along which there are slopes
    Tensor<P> G;
    each<3>([&]<int a>() __attribute__((always_inline)) {
      if constexpr (has[a]) {
        const P scale(2.0 * index[a] + 1);
        for (int c = 0; c < 3; ++c) G(c, a) = index[a] > 0 ? scale * m_[c][at + stride[a]] : m_[c][at + stride[a]];
      }
    });
    each<3>([&]<int a>() __attribute__((always_inline)) {
      if constexpr (has[a]) {
        const P scale(2.0 * index[a] + 3);
        each<3>([&]<int c>() __attribute__((always_inline)) {
          P R = (a == c ? tangent.bulk(c, c) : tangent.shear(a, a)) * G(c, a);
          each<3>([&]<int d>() __attribute__((always_inline)) {
            if constexpr (a == c && d != c && has[d]) R += tangent.bulk(c, d) * G(d, d);
            if constexpr (a != c && d == c && has[d]) R += tangent.shear(a, c) * G(a, c);
          });
          r_[c][at + stride[a]] += scale * R;
        });
      }
    });
  }

  // Above N = 3 the work is done line by line and plane by plane.
  /// Computes the coefficients of the derivative.
  GEARSHIFT_INLINE static void slopes(const P* m, int stride, P* to, int to_stride) {
    P sum[N];
    sum[N - 1] = P(0.0);
    sum[N - 2] = m[(N - 1) * stride];
    unrolled<2, N>([&](int i)
                       __attribute__((always_inline)) { sum[N - 1 - i] = m[(N - i) * stride] + sum[N + 1 - i]; });
    unrolled<0, N>([&](int i) __attribute__((always_inline)) { to[i * to_stride] = P(2.0 * i + 1) * sum[i]; });
  }
  /// Applies the transpose, between the norms: P_j' and P_i have the product 2 for i = j - 1, j - 3, ...
  GEARSHIFT_INLINE static void add_slopes(const P* flux, int flux_stride, P* r, int stride) {
    P sum[N];
    sum[1] = flux[0];
    sum[2] = flux[flux_stride];
    unrolled<3, N>([&](int j) __attribute__((always_inline)) { sum[j] = flux[(j - 1) * flux_stride] + sum[j - 2]; });
    unrolled<1, N>([&](int j) __attribute__((always_inline)) { r[j * stride] += P(2.0 * j + 1) * sum[j]; });
  }
  GEARSHIFT_INLINE void by_lines(const CartesianElasticTangent<P>& tangent) {
    P dx[3][plane], dy[3][plane];
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < plane; ++i) slopes(m_[c] + i, plane, dz_[c] + i, plane);
    for (int k = 0; k < N; ++k) {
      for (int c = 0; c < 3; ++c) {
        const P* m = m_[c] + k * plane;
        for (int j = 0; j < N; ++j) slopes(m + j * N, 1, dx[c] + j * N, 1);
        for (int i = 0; i < N; ++i) slopes(m + i, N, dy[c] + i, N);
      }
      for (int q = 0; q < plane; ++q) {
        P* const at[3][3] = {{&dx[0][q], &dy[0][q], &dz_[0][k * plane + q]},
                             {&dx[1][q], &dy[1][q], &dz_[1][k * plane + q]},
                             {&dx[2][q], &dy[2][q], &dz_[2][k * plane + q]}};
        Tensor<P> G, R;
        for (int c = 0; c < 3; ++c)
          for (int a = 0; a < 3; ++a) G(c, a) = *at[c][a];
        tangent.apply(G, R);
        for (int c = 0; c < 3; ++c)
          for (int a = 0; a < 3; ++a) *at[c][a] = R(c, a);
      }
      for (int c = 0; c < 3; ++c) {
        P* r = r_[c] + k * plane;
        for (int j = 0; j < N; ++j) add_slopes(dx[c] + j * N, 1, r + j * N, 1);
        for (int i = 0; i < N; ++i) add_slopes(dy[c] + i, N, r + i, N);
      }
    }
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < plane; ++i) add_slopes(dz_[c] + i, plane, r_[c] + i, plane);
  }

  const ModeLine<N, P> first_, modes_, back_;
  P m_[3][size], r_[3][size], dz_[3][small ? 1 : size];
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
