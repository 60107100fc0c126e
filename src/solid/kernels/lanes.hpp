#pragma once

/// @file
/// Several cells side by side in one vector register. Every kernel translation unit includes this with its own
/// GEARSHIFT_KERNELS namespace, so that the linker never mixes code of different instruction sets.

#include <math.h>

#ifndef GEARSHIFT_KERNELS
#define GEARSHIFT_KERNELS portable
#endif
#define GEARSHIFT_INLINE __attribute__((always_inline)) inline

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

constexpr int lanes = 4;

/// One number for each of `lanes` cells.
struct Lanes {
  typedef double Register __attribute__((vector_size(8 * lanes)));
  Register v;

  GEARSHIFT_INLINE Lanes() : v{} {}
  GEARSHIFT_INLINE Lanes(double x) : v(Register{} + x) {}
  GEARSHIFT_INLINE explicit Lanes(Register x) : v(x) {}
  GEARSHIFT_INLINE static Lanes load(const double* x) {
    Lanes result;
    __builtin_memcpy(&result.v, x, sizeof(Register));
    return result;
  }
  GEARSHIFT_INLINE void store(double* x) const { __builtin_memcpy(x, &v, sizeof(Register)); }
  GEARSHIFT_INLINE Lanes& operator+=(const Lanes& o) {
    v += o.v;
    return *this;
  }
};

GEARSHIFT_INLINE Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.v + b.v); }
GEARSHIFT_INLINE Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.v - b.v); }
GEARSHIFT_INLINE Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.v * b.v); }
GEARSHIFT_INLINE Lanes operator/(const Lanes& a, const Lanes& b) { return Lanes(a.v / b.v); }
GEARSHIFT_INLINE Lanes operator-(const Lanes& a) { return Lanes(-a.v); }

/// ln(1 + x)
inline double log_one_plus(double x) { return ::log1p(x); }

/// x - ln(1 + x) without cancellation: with z = x/(2+x), ln(1+x) = 2 artanh z and x - 2 z = x z.
inline double log_remainder(double x) {
  if (!(x > -0.3 && x < 0.4)) return x - ::log1p(x);
  const double z = x / (2 + x), s = z * z;
  const double series =
      1.0 / 3 +
      s * (1.0 / 5 +
           s * (1.0 / 7 + s * (1.0 / 9 + s * (1.0 / 11 + s * (1.0 / 13 + s * (1.0 / 15 + s * (1.0 / 17 + s / 19)))))));
  return x * z - 2 * z * s * series;
}

inline Lanes log_one_plus(const Lanes& x) {
  Lanes result;
  for (int l = 0; l < lanes; ++l) result.v[l] = log_one_plus(x.v[l]);
  return result;
}
inline Lanes log_remainder(const Lanes& x) {
  Lanes result;
  for (int l = 0; l < lanes; ++l) result.v[l] = log_remainder(x.v[l]);
  return result;
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
