#pragma once

/// @file
/// One-dimensional matrices along a line of points, in even-odd form.

#include "solid/numerics/lanes.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// Runs a loop, unrolled if `Unroll`.
template <bool Unroll, int Count, class F>
GEARSHIFT_INLINE void repeat(F&& f) {
  if constexpr (Unroll) {
    unrolled<0, Count>(f);
  } else {
    for (int i = 0; i < Count; ++i) f(i);
  }
}

/// The action of a matrix between symmetric point sets. Interpolation from Lobatto to Gauss points, and its transpose,
/// restriction, satisfy M[n-1-i][n-1-j] = M[i][j]: even parts are mapped to even parts. Differentiation satisfies
/// M[n-1-i][n-1-j] = -M[i][j]. Either property halves the number of products. (Solomonoff, A fast algorithm for
/// spectral differentiation, J. Comput. Phys. 98, 1992.) For odd n the middle points coincide: interpolation keeps the
/// middle value.
enum class Action { interpolate, restrict, differentiate };

template <int N, Action action, class P>
struct Line {
  static constexpr int pairs = N / 2, half = (N + 1) / 2;
  P on_sum[half][half];          ///< acts on x_j + x_{n-1-j}, and on the middle x
  P on_difference[half][pairs];  ///< acts on x_j - x_{n-1-j}

  /// Creates the line from the N x N matrix `factor` left[i] M[i][j] right[j], or its transpose; a null scale counts as
  /// 1. The scales must be symmetric.
  Line(const double* M, bool transpose, double factor = 1, const double* left = nullptr,
       const double* right = nullptr) {
    const auto at = [&](int i, int j) {
      return factor * (left ? left[i] : 1) * (right ? right[j] : 1) * (transpose ? M[j * N + i] : M[i * N + j]);
    };
    for (int i = 0; i < half; ++i)
      for (int j = 0; j < half; ++j) {
        const bool middle = 2 * j == N - 1;
        on_sum[i][j] = P(middle ? at(i, j) : (at(i, j) + at(i, N - 1 - j)) / 2);
        if (!middle) on_difference[i][j] = P((at(i, j) - at(i, N - 1 - j)) / 2);
      }
  }
};

/// The sums and differences of N numbers; lines act on them.
template <int N, class P>
struct Parts {
  static constexpr int pairs = N / 2;
  P sum[(N + 1) / 2], difference[N / 2];
  GEARSHIFT_INLINE Parts(const P* x, int stride) {
    unrolled<0, pairs>([&](int j) __attribute__((always_inline)) {
      sum[j] = x[j * stride] + x[(N - 1 - j) * stride];
      difference[j] = x[j * stride] - x[(N - 1 - j) * stride];
    });
    if constexpr (N % 2 == 1) sum[pairs] = x[pairs * stride];
  }
};

/// Computes y (+)= M x.
template <bool Add, int N, Action action, class P>
GEARSHIFT_INLINE void multiply(const Line<N, action, P>& M, const Parts<N, P>& x, P* y, int stride) {
  constexpr int pairs = N / 2, half = (N + 1) / 2;
  const auto put = [&](int i, const P& value) __attribute__((always_inline)) {
    if constexpr (Add)
      y[i * stride] += value;
    else
      y[i * stride] = value;
  };
  unrolled<0, pairs>([&](int i) __attribute__((always_inline)) {
    P even = M.on_sum[i][0] * x.sum[0], odd = M.on_difference[i][0] * x.difference[0];
    unrolled<1, action == Action::restrict ? pairs : half>([&](int j) __attribute__((always_inline)) {
      even += M.on_sum[i][j] * x.sum[j];
    });
    unrolled<1, pairs>([&](int j) __attribute__((always_inline)) { odd += M.on_difference[i][j] * x.difference[j]; });
    put(i, even + odd);
    put(N - 1 - i, action == Action::differentiate ? odd - even : even - odd);
  });
  if constexpr (N % 2 == 1) {
    P middle;
    if constexpr (action == Action::interpolate) {
      middle = M.on_sum[pairs][pairs] * x.sum[pairs];
    } else if constexpr (action == Action::restrict) {
      middle = M.on_sum[pairs][0] * x.sum[0];
      unrolled<1, half>([&](int j) __attribute__((always_inline)) { middle += M.on_sum[pairs][j] * x.sum[j]; });
    } else {
      middle = M.on_difference[pairs][0] * x.difference[0];
      unrolled<1, pairs>([&](int j)
                             __attribute__((always_inline)) { middle += M.on_difference[pairs][j] * x.difference[j]; });
    }
    put(pairs, middle);
  }
}

/// Computes y = A x + B z with the transposes of an interpolation and of a differentiation.
template <int N, class P>
GEARSHIFT_INLINE void multiply_two(const Line<N, Action::restrict, P>& A, const Parts<N, P>& x,
                                   const Line<N, Action::differentiate, P>& B, const Parts<N, P>& z, P* y, int stride) {
  constexpr int pairs = N / 2, half = (N + 1) / 2;
  unrolled<0, pairs>([&](int i) __attribute__((always_inline)) {
    // The even part of the result is computed from the sums of x and the differences of z, the odd part from the
    // differences of x and the sums of z.
    P even = A.on_sum[i][0] * x.sum[0], odd = A.on_difference[i][0] * x.difference[0];
    unrolled<1, pairs>([&](int j) __attribute__((always_inline)) { even += A.on_sum[i][j] * x.sum[j]; });
    unrolled<1, pairs>([&](int j) __attribute__((always_inline)) { odd += A.on_difference[i][j] * x.difference[j]; });
    unrolled<0, pairs>([&](int j) __attribute__((always_inline)) { even += B.on_difference[i][j] * z.difference[j]; });
    unrolled<0, half>([&](int j) __attribute__((always_inline)) { odd += B.on_sum[i][j] * z.sum[j]; });
    y[i * stride] = even + odd;
    y[(N - 1 - i) * stride] = even - odd;
  });
  if constexpr (N % 2 == 1) {
    P middle = A.on_sum[pairs][0] * x.sum[0];
    unrolled<1, half>([&](int j) __attribute__((always_inline)) { middle += A.on_sum[pairs][j] * x.sum[j]; });
    unrolled<0, pairs>([&](int j)
                           __attribute__((always_inline)) { middle += B.on_difference[pairs][j] * z.difference[j]; });
    y[pairs * stride] = middle;
  }
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
