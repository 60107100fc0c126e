#pragma once

/// @file
/// exp(x) - 1 to round-off, and square roots, for single numbers and, without branches, for packs.

#include "solid/numerics/lanes.hpp"

#include <math.h>

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// Returns exp(x) - 1.
inline double exp_minus_one(double x) { return ::expm1(x); }

/// Returns exp(x) - 1 with an error below 2 ulp; -1 far below 0, infinite above 709.78, NaN for NaN. With k = x / ln 2
/// rounded and r = x - k ln 2, |r| < 0.35:
///     exp(x) - 1 = 2^k (exp(r) - 1) + (2^k - 1)
/// where the first factor is its Taylor polynomial (Abramowitz & Stegun 4.2.1). ln 2 is split in two parts so that k
/// times the first is exact.
template <int W>
GEARSHIFT_INLINE Pack<double, W> exp_minus_one(const Pack<double, W>& x) {
  typedef unsigned long long Bits __attribute__((vector_size(8 * W)));
  using P = Pack<double, W>;
  const P lowest(-50.0), highest(710.0);
  P y(x.v < lowest.v ? lowest.v : x.v);
  y = P(y.v > highest.v ? highest.v : y.v);
  constexpr double magic = 6755399441055744.0;  // 1.5 2^52: adding it rounds to an integer, found in the last bits
  const P shifted = y * P(1.44269504088896338700) + P(magic), k = shifted - P(magic);
  const P r = (y - k * P(6.93147180369123816490e-01)) - k * P(1.90821492927058770002e-10);
  P sum(1.0 / 6227020800.0);
  constexpr double inverse_factorials[] = {
      1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
      1.0 / 720,       1.0 / 120,      1.0 / 24,      1.0 / 6,      0.5};
  for (const double term : inverse_factorials) sum = sum * r + P(term);
  const P power = r + r * r * sum;
  // 2^(k - 1): a finite number up to k = 1024.
  Bits bits;
  __builtin_memcpy(&bits, &shifted.v, sizeof bits);
  bits = (bits + 1022) << 52;
  P half;
  __builtin_memcpy(&half.v, &bits, sizeof half);
  return P(2.0) * (half * power + (half - P(0.5)));
}

template <int W>
GEARSHIFT_INLINE Pack<float, W> exp_minus_one(const Pack<float, W>& x) {
  return in_double(
      x, [](const Pack<double, W / 2>& half) __attribute__((always_inline)) { return exp_minus_one(half); });
}

inline double square_root(double x) { return ::sqrt(x); }

template <class T, int W>
GEARSHIFT_INLINE Pack<T, W> square_root(const Pack<T, W>& x) {
  Pack<T, W> result;
  for (int l = 0; l < W; ++l) result.v[l] = static_cast<T>(__builtin_sqrt(x.v[l]));
  return result;
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
