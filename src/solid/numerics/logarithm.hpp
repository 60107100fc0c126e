#pragma once

/// @file
/// ln(1 + x) to round-off, for single numbers and, without branches, for packs.

#include "solid/numerics/lanes.hpp"

#include <math.h>

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// Returns ln(1 + x).
inline double log_one_plus(double x) { return ::log1p(x); }

/// Returns x - ln(1 + x) without cancellation: with z = x/(2+x), ln(1+x) = 2 artanh z and x - 2 z = x z.
inline double log_remainder(double x) {
  if (!(x > -0.3 && x < 0.4)) return x - ::log1p(x);
  const double z = x / (2 + x), s = z * z;
  const double series =
      1.0 / 3 +
      s * (1.0 / 5 +
           s * (1.0 / 7 + s * (1.0 / 9 + s * (1.0 / 11 + s * (1.0 / 13 + s * (1.0 / 15 + s * (1.0 / 17 + s / 19)))))));
  return x * z - 2 * z * s * series;
}

/// Returns ln(1 + x) for x > -1, otherwise NaN; the error is below 2 ulp. With u = 1 + x = 2^k (1 + f) rounded, e its
/// rounding error (Knuth's two-sum) and s = f / (2 + f):
///     ln(1 + x) = k ln 2 + f - s (f - R) + e / u,   R = 2 s^2 (1/3 + s^2/5 + s^4/7 + ...),   |s| < 0.172
/// since ln(1 + f) = 2 artanh s (Abramowitz & Stegun 4.1.27) and 2 s = f - s f. ln 2 is split in two parts so that
/// k times the first is exact.
template <int W>
GEARSHIFT_INLINE Pack<double, W> log_one_plus(const Pack<double, W>& x) {
  typedef unsigned long long Bits __attribute__((vector_size(8 * W)));
  using P = Pack<double, W>;
  const P one(1.0), u = one + x, b = u - one, e = (one - (u - b)) + (x - b);
  constexpr unsigned long long root_half = 0x3fe6a09e00000000, unit = 0x3ff0000000000000, magic = 0x4330000000000000;
  Bits raw;
  __builtin_memcpy(&raw, &u.v, sizeof raw);
  raw += unit - root_half;
  const Bits exponent = (raw >> 52) | magic, mantissa = (raw & 0x000fffffffffffff) + root_half;
  P k, m;
  __builtin_memcpy(&k.v, &exponent, sizeof k);
  __builtin_memcpy(&m.v, &mantissa, sizeof m);
  k = k - P(4503599627370496.0 + 1023);
  const P f = m - one, s = f / (P(2.0) + f), z = s * s;
  P R(2.0 / 21);
  for (int n = 19; n >= 3; n -= 2) R = R * z + P(2.0 / n);
  const P low = k * P(1.90821492927058770002e-10) + e * (one / u);
  const P result = k * P(6.93147180369123816490e-01) + (f - (s * (f - R * z) - low));
  const P nan(__builtin_nan(""));
  return P(u.v > P(0.0).v ? result.v : nan.v);
}

template <int W>
GEARSHIFT_INLINE Pack<float, W> log_one_plus(const Pack<float, W>& x) {
  return in_double(
      x, [](const Pack<double, W / 2>& half) __attribute__((always_inline)) { return log_one_plus(half); });
}

/// Evaluates both formulas of log_remainder(double); each lane then selects one of them.
template <int W>
GEARSHIFT_INLINE Pack<double, W> log_remainder(const Pack<double, W>& x) {
  using P = Pack<double, W>;
  const P z = x / (P(2.0) + x), s = z * z;
  P series(1.0 / 19);
  for (int n = 17; n >= 3; n -= 2) series = series * s + P(1.0 / n);
  const P near = x * z - P(2.0) * z * s * series, far = x - log_one_plus(x);
  const P close(x.v < P(0.4).v ? near.v : far.v);
  return P(x.v > P(-0.3).v ? close.v : far.v);
}

template <int W>
GEARSHIFT_INLINE Pack<float, W> log_remainder(const Pack<float, W>& x) {
  return in_double(
      x, [](const Pack<double, W / 2>& half) __attribute__((always_inline)) { return log_remainder(half); });
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
