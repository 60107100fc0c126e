#pragma once

/// @file
/// Divided differences of the logarithm, used by the derivatives of ln of a tensor.

#include "solid/numerics/eigen.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// Returns ln[1 + a, 1 + b] = (ln(1 + a) - ln(1 + b)) / (a - b), and 1 / (1 + a) for a = b; to round-off however close
/// a and b are.
template <class S>
GEARSHIFT_INLINE S log_difference(const S& a, const S& b) {
  const S scale = S(1.0) / (S(1.0) + b), x = (a - b) * scale;
  const S far = absolute(x) - S(1e-30);
  return scale * where_positive(far, log_one_plus(x) / where_positive(far, x, S(1.0)), S(1.0));
}

/// Returns ln[1 + a, 1 + b, 1 + c]: from its definition if two of the arguments are far enough apart, otherwise from
/// the series around their mean m. With d = (arguments - m) / m and h_n the complete homogeneous symmetric polynomials,
///     m^2 ln[m + m d] = sum over k >= 2 of (-1)^(k+1) / k h_(k-2)(d)
/// (C. de Boor, Divided differences, Surveys in Approximation Theory 1, 2005)
template <class S>
GEARSHIFT_INLINE S second_log_difference(S a, S b, S c) {
  // Exchanges put b between the other two: a and c are then the farthest apart.
  const auto order = [](S & low, S & high) __attribute__((always_inline)) {
    const S gap = low - high, x = where_positive(gap, high, low), y = where_positive(gap, low, high);
    low = x;
    high = y;
  };
  order(a, b);
  order(b, c);
  order(a, b);
  const S mean = S(1.0) + S(1.0 / 3) * (a + b + c), once = S(1.0) / mean;
  const S x = once * (S(1.0) + a) - S(1.0), y = once * (S(1.0) + b) - S(1.0), z = once * (S(1.0) + c) - S(1.0);
  const S gap = z - x, far = gap - S(0.05);
  const S apart = where_positive(far, c - a, S(1.0));
  const S quotient = (log_difference(c, b) - log_difference(a, b)) / apart;
  // h_n = e_1 h_(n-1) - e_2 h_(n-2) + e_3 h_(n-3), with e_1 = 0 here.
  const S e2 = x * y + y * z + z * x, e3 = x * y * z;
  S h[8] = {S(1.0), S(0.0), -e2};
  S series = S(-0.5) - S(0.25) * h[2];
  for (int n = 3; n < 8; ++n) {
    h[n] = e3 * h[n - 3] - e2 * h[n - 2];
    series += S((n % 2 == 0 ? -1.0 : 1.0) / (n + 2)) * h[n];
  }
  return where_positive(far, quotient, once * once * series);
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
