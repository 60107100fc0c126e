#pragma once

/// @file
/// Dual numbers v + d e, e^2 = 0: d is the derivative of a law, exact to round-off.

#include "solid/numerics/exponential.hpp"
#include "solid/numerics/logarithm.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

template <class S>
struct Dual {
  S v, d;
  GEARSHIFT_INLINE Dual() : v(0.0), d(0.0) {}
  GEARSHIFT_INLINE Dual(double x) : v(x), d(0.0) {}
  GEARSHIFT_INLINE Dual(const S& x, const S& dx) : v(x), d(dx) {}
  GEARSHIFT_INLINE Dual& operator+=(const Dual& o) { return *this = *this + o; }
  friend GEARSHIFT_INLINE Dual operator+(const Dual& a, const Dual& b) { return {a.v + b.v, a.d + b.d}; }
  friend GEARSHIFT_INLINE Dual operator-(const Dual& a, const Dual& b) { return {a.v - b.v, a.d - b.d}; }
  friend GEARSHIFT_INLINE Dual operator-(const Dual& a) { return {-a.v, -a.d}; }
  friend GEARSHIFT_INLINE Dual operator*(const Dual& a, const Dual& b) { return {a.v * b.v, a.d * b.v + a.v * b.d}; }
  friend GEARSHIFT_INLINE Dual operator/(const Dual& a, const Dual& b) {
    const S q = a.v / b.v;
    return {q, (a.d - q * b.d) / b.v};
  }
};

template <class S>
GEARSHIFT_INLINE Dual<S> log_one_plus(const Dual<S>& x) {
  return {log_one_plus(x.v), x.d / (S(1.0) + x.v)};
}
template <class S>
GEARSHIFT_INLINE Dual<S> log_remainder(const Dual<S>& x) {
  return {log_remainder(x.v), x.d * x.v / (S(1.0) + x.v)};
}
template <class S>
GEARSHIFT_INLINE Dual<S> exp_minus_one(const Dual<S>& x) {
  const S value = exp_minus_one(x.v);
  return {value, x.d * (S(1.0) + value)};
}
template <class S>
GEARSHIFT_INLINE Dual<S> square_root(const Dual<S>& x) {
  const S root = square_root(x.v);
  return {root, x.d / (S(2.0) * root)};
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
