#pragma once

/// @file
/// Divided differences of the logarithm, used by the derivatives of ln of a tensor.

#include "solid/numerics/eigen.hpp"
#include "solid/numerics/symmetric.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// The divided differences f_ij = ln[c_i, c_j] and g_ijk = ln[c_i, c_j, c_k] at three eigenvalues c = 1 + a, to
/// round-off however close they are. With m = (c_i + c_j) / 2 and z = (c_j - c_i) / (2 m)
///     f_ij = artanh(z) / (m z) = (1 + z^2 / 3 + z^4 / 5 + ..) / m,
///     g_iij, g_ijj = -1 / (2 c_i c_j) -+ z (2/3 + 4/5 z^2 + 6/7 z^4 + ..) / (2 m^2);
/// the series serve |z| < 0.2, and the definitions any other z. (Abramowitz & Stegun 4.6.22; C. de Boor, Divided
/// differences, Surveys in Approximation Theory 1, 2005)
template <class S>
class LogDifferences {
 public:
  /// Computes f from a and ln c.
  GEARSHIFT_INLINE LogDifferences(const S* a, const S* ln) : a_(a) {
    for (int i = 0; i < 3; ++i) f(i, i) = S(1.0) / (S(1.0) + a[i]);
    for (int k = 0; k < 3; ++k) {
      const int i = first[k], j = second[k];
      const S once = S(1.0) / (S(2.0) + (a[i] + a[j])), z = (a[j] - a[i]) * once, square = z * z;
      S series(1.0 / (2 * terms + 1));
      for (int n = terms - 1; n >= 0; --n) series = series * square + S(1.0 / (2 * n + 1));
      const S far = square - S(limit);
      if (any_positive(far)) series = where_positive(far, S(0.5) * (ln[j] - ln[i]) / z, series);
      once_[k] = once;
      z_[k] = z;
      f(i, j) = (once + once) * series;
    }
  }
  Symmetric<S> f;

  /// Computes g_iij and g_ijj for the pairs ij = 01 02 12.
  GEARSHIFT_INLINE void second_of_pairs(S* iij, S* ijj) const {
    for (int k = 0; k < 3; ++k) {
      const int i = first[k], j = second[k];
      const S &z = z_[k], &once = once_[k], square = z * z, both = f(i, i) * f(j, j);
      S series(2.0 * (terms + 1) / (2 * terms + 3));
      for (int n = terms; n > 0; --n) series = series * square + S(2.0 * n / (2 * n + 1));
      const S change = (z + z) * once * once * series, far = square - S(limit);
      iij[k] = S(-0.5) * both - change;
      ijj[k] = S(-0.5) * both + change;
      if (!any_positive(far)) continue;
      const S apart = S(1.0) / where_positive(far, a_[j] - a_[i], S(1.0));
      iij[k] = where_positive(far, apart * (f(i, j) - f(i, i)), iij[k]);
      ijj[k] = where_positive(far, apart * (f(j, j) - f(i, j)), ijj[k]);
    }
  }
  /// Returns g_012: from its definition if two of the arguments are far enough apart, otherwise from the series around
  /// their mean m. With d = (arguments - m) / m and h_n the complete homogeneous symmetric polynomials,
  ///     m^2 ln[m + m d] = sum over k >= 2 of (-1)^(k+1) / k h_(k-2)(d)
  GEARSHIFT_INLINE S second_of_all() const {
    const S mean = S(1.0) + S(1.0 / 3) * (a_[0] + a_[1] + a_[2]), once = S(1.0) / mean;
    const S x = once * (S(1.0) + a_[0]) - S(1.0), y = once * (S(1.0) + a_[1]) - S(1.0),
            z = once * (S(1.0) + a_[2]) - S(1.0);
    // h_n = e_1 h_(n-1) - e_2 h_(n-2) + e_3 h_(n-3), with e_1 = 0 here.
    const S e2 = x * y + y * z + z * x, e3 = x * y * z;
    S h[8] = {S(1.0), S(0.0), -e2};
    S series = S(-0.5) - S(0.25) * h[2];
    for (int n = 3; n < 8; ++n) {
      h[n] = e3 * h[n - 3] - e2 * h[n - 2];
      series += S((n % 2 == 0 ? -1.0 : 1.0) / (n + 2)) * h[n];
    }
    series = once * once * series;
    // The eigenvalue that is farther from the first of symmetric_eigen() is the other extreme.
    const S one = a_[1] - a_[0], two = a_[2] - a_[0], farther = absolute(two) - absolute(one);
    const S gap = where_positive(farther, two, one), far = absolute(gap) * once - S(0.05);
    if (!any_positive(far)) return series;
    const S rise = f(1, 2) - where_positive(farther, f(0, 1), f(0, 2));
    return where_positive(far, rise / gap, series);
  }

 private:
  static constexpr int first[3] = {0, 0, 1}, second[3] = {1, 2, 2}, terms = 11;
  static constexpr double limit = 0.04;
  const S* a_;
  S once_[3], z_[3];
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
