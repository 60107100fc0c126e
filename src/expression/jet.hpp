#pragma once

/// @file
/// Arithmetic for plain numbers and for jets: values only, or values with their first two time derivatives.

#include <gearshift/expression/expression.hpp>

#include <cmath>

namespace gearshift::expression {

inline PetscReal value(PetscReal a) { return a; }
inline PetscReal value(const Jet& a) { return a.f; }

/// Return true if a < b. Equal jets are compared by their derivatives, as they are just after the time.
inline bool below(PetscReal a, PetscReal b) { return a < b; }
inline bool below(const Jet& a, const Jet& b) {
  return a.f < b.f || (a.f == b.f && (a.f_t < b.f_t || (a.f_t == b.f_t && a.f_tt < b.f_tt)));
}

/// Returns f(a) by the chain rule, from f, f' and f'' at a. A derivative that is not needed may be infinite (sqrt at
/// x = 0).
inline PetscReal chain(PetscReal, PetscReal f, PetscReal, PetscReal) { return f; }
inline Jet chain(const Jet& a, PetscReal f, PetscReal f1, PetscReal f2) {
  Jet r{f, 0, 0};
  if (a.f_t != 0) {
    r.f_t = f1 * a.f_t;
    r.f_tt = f2 * a.f_t * a.f_t;
  }
  if (a.f_tt != 0) r.f_tt += f1 * a.f_tt;
  return r;
}

inline PetscReal negate(PetscReal a) { return -a; }
inline Jet negate(const Jet& a) { return {-a.f, -a.f_t, -a.f_tt}; }
inline PetscReal add(PetscReal a, PetscReal b) { return a + b; }
inline Jet add(const Jet& a, const Jet& b) { return {a.f + b.f, a.f_t + b.f_t, a.f_tt + b.f_tt}; }
inline PetscReal multiply(PetscReal a, PetscReal b) { return a * b; }
inline Jet multiply(const Jet& a, const Jet& b) {
  return {a.f * b.f, a.f_t * b.f + a.f * b.f_t, a.f_tt * b.f + 2 * a.f_t * b.f_t + a.f * b.f_tt};
}
inline PetscReal divide(PetscReal a, PetscReal b) { return a / b; }
inline Jet divide(const Jet& a, const Jet& b) {
  Jet r;
  r.f = a.f / b.f;
  r.f_t = (a.f_t - r.f * b.f_t) / b.f;
  r.f_tt = (a.f_tt - 2 * r.f_t * b.f_t - r.f * b.f_tt) / b.f;
  return r;
}

inline PetscReal power(PetscReal a, PetscReal b) { return std::pow(a, b); }
inline Jet power(const Jet& a, const Jet& b) {
  if (b.f_t == 0 && b.f_tt == 0) {
    const PetscReal n = b.f;
    return chain(a, std::pow(a.f, n), n == 0 ? 0 : n * std::pow(a.f, n - 1),
                 n == 0 || n == 1 ? 0 : n * (n - 1) * std::pow(a.f, n - 2));
  }
  const Jet logarithm = chain(a, std::log(a.f), 1 / a.f, -1 / (a.f * a.f));
  const Jet exponent = multiply(b, logarithm);
  const PetscReal f = std::pow(a.f, b.f);
  return chain(exponent, f, f, f);
}

inline PetscReal arctangent(PetscReal y, PetscReal x) { return std::atan2(y, x); }
inline Jet arctangent(const Jet& y, const Jet& x) {
  const PetscReal r2 = x.f * x.f + y.f * y.f;
  Jet r{std::atan2(y.f, x.f), 0, 0};
  if (y.f_t == 0 && y.f_tt == 0 && x.f_t == 0 && x.f_tt == 0) return r;
  r.f_t = (x.f * y.f_t - y.f * x.f_t) / r2;
  r.f_tt = (x.f * y.f_tt - y.f * x.f_tt - 2 * r.f_t * (x.f * x.f_t + y.f * y.f_t)) / r2;
  return r;
}

}  // namespace gearshift::expression
