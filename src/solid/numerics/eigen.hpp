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
  const auto positive = x.v > Pack<T, W>(0.0).v;
  auto any = positive[0];
  for (int l = 1; l < W; ++l) any |= positive[l];
  return any != 0;
}
/// The relative rounding error of a few operations.
template <class S>
constexpr double rounding = 1e-14;
template <int W>
constexpr double rounding<Pack<float, W>> = 1e-5;
/// Squares that are treated as 0, and their roots: the inverse would not be finite.
template <class S>
constexpr double smallest = 1e-300;
template <class S>
constexpr double smallest_length = 1e-150;
template <int W>
constexpr double smallest<Pack<float, W>> = 1e-37;
template <int W>
constexpr double smallest_length<Pack<float, W>> = 1e-18;
template <class S>
GEARSHIFT_INLINE S absolute(const S& x) {
  return where_positive(x, x, -x);
}

/// Computes unit vectors u and w orthogonal to the unit vector v and to each other. (T. Duff et al., Building an
/// Orthonormal Basis, Revisited, JCGT 6, 2017)
template <class S>
GEARSHIFT_INLINE void orthonormal(const S* v, S* u, S* w) {
  const S sign = where_positive(v[2], S(1.0), S(-1.0)), a = S(-1.0) / (sign + v[2]), b = v[0] * v[1] * a;
  u[0] = S(1.0) + sign * v[0] * v[0] * a;
  u[1] = sign * b;
  u[2] = -sign * v[0];
  w[0] = b;
  w[1] = sign + v[1] * v[1] * a;
  w[2] = -v[1];
}

/// Computes the eigenvector of the eigenvalue that is farthest from the two others; any unit vector if all are equal.
/// With the deviator B of A, p^2 = B:B / 6 and r = |det B| / (2 p^3) it is that of +-2 p x, where
///     4 x^3 - 3 x = r,   x = cos(acos(r) / 3) >= sqrt(3) / 2,
/// which one step of Halley's method finds to round-off from a polynomial with an error below 6e-6. The cofactors of
/// B / p -+ 2 x I are g v v' with g >= 6: the column with the largest diagonal entry is most accurate. Returns 1 / p.
/// (W. Scherzinger, C. Dohrmann, Comput. Methods Appl. Mech. Engrg. 197, 2008)
template <class S>
GEARSHIFT_INLINE S distinct_eigenvector(const Tensor<S>& A, S* v) {
  const S mean = S(1.0 / 3) * trace(A);
  S b[6] = {A(0, 0) - mean, A(1, 1) - mean, A(2, 2) - mean, A(1, 2), A(0, 2), A(0, 1)};
  const S square =
      S(1.0 / 6) * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]) + S(1.0 / 3) * (b[3] * b[3] + b[4] * b[4] + b[5] * b[5]);
  const S scale = S(1.0) / where_positive(square - S(smallest<S>), square_root(square), S(__builtin_inf()));
  for (S& entry : b) entry = scale * entry;
  const S &d = b[3], &e = b[4], &f = b[5];
  const S det = b[0] * (b[1] * b[2] - d * d) + f * (e * d - f * b[2]) + e * (f * d - e * b[1]);
  const S r = S(0.5) * absolute(det);
  S x = S(0.866029) + r * (S(0.166445) + r * (S(-0.046087) + r * (S(0.017773) + r * S(-0.0041646))));
  const S left = x * (S(4.0) * x * x - S(3.0)) - r, slope = S(12.0) * x * x - S(3.0);
  x = x - left * slope / (slope * slope - S(12.0) * x * left);
  const S shift = where_positive(det, x + x, -(x + x));
  for (int i = 0; i < 3; ++i) b[i] = b[i] - shift;
  const S cofactor[3] = {b[1] * b[2] - d * d, b[0] * b[2] - e * e, b[0] * b[1] - f * f};
  const S mixed[3] = {f * e - b[0] * d, f * d - b[1] * e, d * e - b[2] * f};  // 12 02 01
  const S second = cofactor[1] - cofactor[0], third = cofactor[2] - where_positive(second, cofactor[1], cofactor[0]);
  v[0] = where_positive(third, mixed[1], where_positive(second, mixed[2], cofactor[0]));
  v[1] = where_positive(third, mixed[0], where_positive(second, cofactor[1], mixed[2]));
  v[2] = where_positive(third, cofactor[2], where_positive(second, mixed[0], mixed[1]));
  const S once = S(1.0) / square_root(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int i = 0; i < 3; ++i) v[i] = once * v[i];
  return scale;
}

/// Computes A = N diag(values) N', the eigenvectors in the columns of N. The first is that of the eigenvalue that is
/// the farthest from the others, and one Jacobi rotation in the plane orthogonal to it gives the others. Errors are
/// round-off of A, and equal eigenvalues need no special treatment. (G. Golub, C. Van Loan, Matrix Computations, 8.5)
template <class S>
GEARSHIFT_INLINE void symmetric_eigen(const Tensor<S>& A, S* values, Tensor<S>& N) {
  S v[3], u[3], w[3], Au[3], Aw[3];
  const S scale = distinct_eigenvector(A, v);
  orthonormal(v, u, w);
  const auto times = [&](const S* x, S* Ax) __attribute__((always_inline)) {
    for (int i = 0; i < 3; ++i) Ax[i] = A(i, 0) * x[0] + A(i, 1) * x[1] + A(i, 2) * x[2];
  };
  const auto dot = [](const S* x, const S* y) __attribute__((always_inline)) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  };
  times(u, Au);
  times(w, Aw);
  const S off = dot(u, Aw), first = dot(u, Au), second = dot(w, Aw);
  const S twice = scale * (off + off), gap = scale * (second - first);
  const S sum = absolute(gap) + square_root(gap * gap + twice * twice);
  const S length = where_positive(sum - S(smallest_length<S>), sum, S(1.0));
  const S rise = where_positive(gap, twice, -twice), once = S(1.0) / square_root(length * length + rise * rise);
  const S c = once * length, s = once * rise, t = rise / length;
  times(v, Au);
  values[0] = dot(v, Au);
  values[1] = first - t * off;
  values[2] = second + t * off;
  for (int i = 0; i < 3; ++i) {
    N(i, 0) = v[i];
    N(i, 1) = c * u[i] - s * w[i];
    N(i, 2) = s * u[i] + c * w[i];
  }
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
