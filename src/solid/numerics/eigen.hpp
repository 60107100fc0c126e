#pragma once

/// @file
/// Eigenvalues and eigenvectors of symmetric 3 x 3 tensors, for single numbers and, without branches, for packs.

#include "solid/numerics/tensor.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// Returns a if x > 0, otherwise (also for NaN) b.
GEARSHIFT_INLINE double where_positive(double x, double a, double b) { return x > 0 ? a : b; }
template <class T, int W>
GEARSHIFT_INLINE Pack<T, W> where_positive(const Pack<T, W>& x, const Pack<T, W>& a, const Pack<T, W>& b) {
  return Pack<T, W>(x.v > Pack<T, W>(0.0).v ? a.v : b.v);
}
/// Chooses by the value only: the derivative is that of the chosen argument.
template <class S>
GEARSHIFT_INLINE Dual<S> where_positive(const Dual<S>& x, const Dual<S>& a, const Dual<S>& b) {
  return {where_positive(x.v, a.v, b.v), where_positive(x.v, a.d, b.d)};
}
/// Returns true if x > 0 in any lane.
GEARSHIFT_INLINE bool any_positive(double x) { return x > 0; }
template <class T, int W>
GEARSHIFT_INLINE bool any_positive(const Pack<T, W>& x) {
  bool any = false;
  for (int l = 0; l < W; ++l) any |= x.v[l] > 0;
  return any;
}
/// The relative rounding error of a few operations.
template <class S>
constexpr double rounding = 1e-14;
template <int W>
constexpr double rounding<Pack<float, W>> = 1e-5;
template <class S>
GEARSHIFT_INLINE S absolute(const S& x) {
  return where_positive(x, x, -x);
}

/// Computes A = N diag(values) N', the eigenvectors in the columns of N, by cyclic Jacobi rotations. The off-diagonal
/// entries decrease quadratically, so that five sweeps are enough for any A. Equal eigenvalues need no special
/// treatment. (G. Golub, C. Van Loan, Matrix Computations, 8.5)
template <class S>
void symmetric_eigen(Tensor<S> A, S* values, Tensor<S>& N) {
  for (int i = 0; i < 9; ++i) N.e[i] = S(i % 4 == 0 ? 1.0 : 0.0);
  for (int sweep = 0; sweep < 5; ++sweep)
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        const int r = 3 - p - q;
        const S twice = A(p, q) + A(p, q), gap = A(q, q) - A(p, p);
        const S length = absolute(gap) + square_root(gap * gap + twice * twice);
        const S t = where_positive(gap, twice, -twice) / where_positive(length, length, S(1.0));
        const S c = S(1.0) / square_root(S(1.0) + t * t), s = t * c;
        A(p, p) = A(p, p) - t * A(p, q);
        A(q, q) += t * A(p, q);
        A(p, q) = A(q, p) = S(0.0);
        const S a = A(r, p), b = A(r, q);
        A(r, p) = A(p, r) = c * a - s * b;
        A(r, q) = A(q, r) = s * a + c * b;
        for (int i = 0; i < 3; ++i) {
          const S x = N(i, p), y = N(i, q);
          N(i, p) = c * x - s * y;
          N(i, q) = s * x + c * y;
        }
      }
  for (int i = 0; i < 3; ++i) values[i] = A(i, i);
}

/// Returns N' A N.
template <class S>
GEARSHIFT_INLINE Tensor<S> in_basis(const Tensor<S>& N, const Tensor<S>& A) {
  return transposed_product(N, product(A, N));
}
/// Returns N A N'.
template <class S>
GEARSHIFT_INLINE Tensor<S> out_of_basis(const Tensor<S>& N, const Tensor<S>& A) {
  const Tensor<S> NA = product(N, A);
  Tensor<S> B;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) B(i, j) = NA(i, 0) * N(j, 0) + NA(i, 1) * N(j, 1) + NA(i, 2) * N(j, 2);
  return B;
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
