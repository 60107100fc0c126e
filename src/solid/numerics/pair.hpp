#pragma once

/// @file
/// Two numbers at once, for long chains of operations: one is computed while the other waits for its results.

#include "solid/numerics/eigen.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

template <class S>
struct Pair {
  S a, b;
  GEARSHIFT_INLINE Pair() = default;
  GEARSHIFT_INLINE Pair(double x) : a(x), b(x) {}
  GEARSHIFT_INLINE Pair(const S& x, const S& y) : a(x), b(y) {}
  GEARSHIFT_INLINE Pair& operator+=(const Pair& o) { return *this = *this + o; }
  friend GEARSHIFT_INLINE Pair operator+(const Pair& x, const Pair& y) { return {x.a + y.a, x.b + y.b}; }
  friend GEARSHIFT_INLINE Pair operator-(const Pair& x, const Pair& y) { return {x.a - y.a, x.b - y.b}; }
  friend GEARSHIFT_INLINE Pair operator-(const Pair& x) { return {-x.a, -x.b}; }
  friend GEARSHIFT_INLINE Pair operator*(const Pair& x, const Pair& y) { return {x.a * y.a, x.b * y.b}; }
  friend GEARSHIFT_INLINE Pair operator/(const Pair& x, const Pair& y) { return {x.a / y.a, x.b / y.b}; }
};

template <class S>
GEARSHIFT_INLINE Pair<S> log_one_plus(const Pair<S>& x) {
  return {log_one_plus(x.a), log_one_plus(x.b)};
}
template <class S>
GEARSHIFT_INLINE Pair<S> exp_minus_one(const Pair<S>& x) {
  return {exp_minus_one(x.a), exp_minus_one(x.b)};
}
template <class S>
GEARSHIFT_INLINE Pair<S> square_root(const Pair<S>& x) {
  return {square_root(x.a), square_root(x.b)};
}
template <class S>
GEARSHIFT_INLINE Pair<S> where_positive(const Pair<S>& x, const Pair<S>& a, const Pair<S>& b) {
  return {where_positive(x.a, a.a, b.a), where_positive(x.b, a.b, b.b)};
}
template <class S>
GEARSHIFT_INLINE bool any_positive(const Pair<S>& x) {
  return any_positive(x.a) || any_positive(x.b);
}
template <class S>
constexpr double rounding<Pair<S>> = rounding<S>;
template <class S>
constexpr double smallest<Pair<S>> = smallest<S>;

template <class S>
GEARSHIFT_INLINE Tensor<Pair<S>> both(const Tensor<S>& A, const Tensor<S>& B) {
  Tensor<Pair<S>> C;
  for (int i = 0; i < 9; ++i) C.e[i] = {A.e[i], B.e[i]};
  return C;
}
template <class S>
GEARSHIFT_INLINE Tensor<S> first(const Tensor<Pair<S>>& A) {
  Tensor<S> B;
  for (int i = 0; i < 9; ++i) B.e[i] = A.e[i].a;
  return B;
}
template <class S>
GEARSHIFT_INLINE Tensor<S> second(const Tensor<Pair<S>>& A) {
  Tensor<S> B;
  for (int i = 0; i < 9; ++i) B.e[i] = A.e[i].b;
  return B;
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
