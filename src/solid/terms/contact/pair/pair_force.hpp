#pragma once

/// @file
/// The forces between a point and the facet that it touches.

#include "solid/numerics/dual.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace gearshift::solid {

template <class S>
using Vector = std::array<S, 3>;

inline double value_of(double x) { return x; }
inline double value_of(const Dual<double>& x) { return x.v; }

/// The state at a point x in contact and at its closest point S(xi), where |x - S| is stationary along some directions
/// a on the facet, with coordinates xi_a.
template <class S>
struct PairState {
  Vector<S> apart{};                   ///< d = x - S
  std::array<Vector<S>, 2> along{};    ///< S_a
  std::array<Vector<S>, 3> bends{};    ///< S_ab: 00 01 11
  Vector<S> velocity{};                ///< d/dt (x - S) at fixed xi
  std::array<Vector<S>, 2> turning{};  ///< d/dt S_a at fixed xi
  S weight{};                          ///< W: stiffness times the part that counts [force/length^3]
  std::array<S, 2> slopes{};           ///< W_a
  S impedance{};                       ///< beta Z times the part that counts [force time/length^3]
};

/// The generalised forces: the residual is F . delta(x - S) + sum_a F_a . delta S_a, both at fixed xi.
template <class S>
struct PairForces {
  Vector<S> apart{};
  std::array<Vector<S>, 2> along{};
};

/// The energy W d.d / 2 with its exact gradient, a viscosity, and friction with the pressure -W g:
///
///     F   = W n g + F_w + beta Z g' n + mu p h w,   F_a = (A^-1 W')_a d.d / 2 d + tau_a d,
///     F_w = d.d / 2 (A^-1 W')_a S_a,   A_ab = S_a . S_b - d . S_ab,
///
/// with w the velocity of sliding on the facet, tau_a its contravariant components times mu p h, and h = f(|w|/w_0) /
/// |w| as in Contact. The closest point moves by A^-1 c, c_a = S_a . delta(x - S) + d . delta S_a, so that energy is
/// conserved also where W varies; all forces of a point are in equilibrium. At edges and corners, which are closest
/// only to points that penetrate a hollow, there is no friction.
/// (For closest points: P. Wriggers, Computational Contact Mechanics, 2006, chapter 4.)
class PairLaw {
 public:
  int directions = 2;
  double friction = 0, slip_speed = 0;
  bool moves = false;
  double least = 0;  ///< pressures down to this value, below 0 by rounding, count as contact

  /// What it does besides.
  struct Rates {
    double pressure = 0, traction = 0, rate = 0;
    bool presses = false;
    double drag = 0;  ///< mu p h
    std::array<double, 3> normal{}, slip{};
  };

  template <class S>
  PairForces<S> forces(const PairState<S>& x, Rates* rates = nullptr) const {
    PairForces<S> sum;
    const Vector<S>& d = x.apart;
    const Vector<S> n = normal(x);
    const S pressure = -(x.weight * dot(d, n));
    const S rate = moves ? dot(n, x.velocity) : S(0.0);
    const S traction = pressure - x.impedance * rate;
    const bool presses = value_of(traction) >= least;
    if (presses) {
      add(sum.apart, x.weight, d);
      add(sum.apart, x.impedance * rate, n);
      const std::array<S, 2> moved = motion(x, x.slopes);
      for (std::size_t a = 0; a < count(); ++a) {
        const S factor = S(0.5) * dot(d, d) * moved[a];
        add(sum.apart, factor, x.along[a]);
        add(sum.along[a], factor, d);
      }
    }
    Vector<S> slip{};
    S drag(0.0);
    if (moves && friction > 0 && directions == 2 && value_of(pressure) > 0) add_friction(x, pressure, sum, slip, drag);
    if (rates) {
      rates->pressure = value_of(pressure);
      rates->rate = value_of(rate);
      rates->presses = presses;
      rates->traction = presses ? std::fmax(value_of(traction), 0) : 0;
      rates->drag = value_of(drag);
      for (std::size_t c = 0; c < 3; ++c) {
        rates->normal[c] = value_of(n[c]);
        rates->slip[c] = value_of(slip[c]);
      }
    }
    return sum;
  }

  /// Returns A^-1 c.
  template <class S>
  std::array<S, 2> motion(const PairState<S>& x, const std::array<S, 2>& c) const {
    if (directions == 0) return {};
    std::array<S, 3> A;
    for (std::size_t a = 0; a < 2; ++a)
      for (std::size_t b = a; b < 2; ++b) A[a + b] = dot(x.along[a], x.along[b]) - dot(x.apart, x.bends[a + b]);
    if (directions == 1) return {c[0] / A[0], S(0.0)};
    const S under = A[0] * A[2] - A[1] * A[1];
    return {(A[2] * c[0] - A[1] * c[1]) / under, (A[0] * c[1] - A[1] * c[0]) / under};
  }

 private:
  std::size_t count() const { return static_cast<std::size_t>(directions); }

  template <class S>
  static S dot(const Vector<S>& a, const Vector<S>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }
  template <class S>
  static void add(Vector<S>& sum, const S& factor, const Vector<S>& a) {
    for (std::size_t c = 0; c < 3; ++c) sum[c] = sum[c] + factor * a[c];
  }
  static double root(double x) { return std::sqrt(x); }
  static Dual<double> root(const Dual<double>& x) {
    const double value = std::sqrt(x.v);
    return {value, x.d / (2 * value)};
  }
  template <class S>
  static Vector<S> unit(const Vector<S>& a, double sign) {
    Vector<S> result{};
    if (value_of(dot(a, a)) > 0) add(result, S(sign) / root(dot(a, a)), a);
    return result;
  }

  /// Returns the normal of the facet; at edges and corners that of the gap.
  template <class S>
  Vector<S> normal(const PairState<S>& x) const {
    if (directions < 2) return unit(x.apart, -1);
    const auto& [a, b] = x.along;
    return unit(Vector<S>{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}, 1);
  }

  template <class S>
  void add_friction(const PairState<S>& x, const S& pressure, PairForces<S>& sum, Vector<S>& slip, S& drag) const {
    std::array<S, 2> c{}, up{};  // covariant and contravariant components of the slip
    for (std::size_t a = 0; a < 2; ++a) c[a] = dot(x.velocity, x.along[a]) + dot(x.apart, x.turning[a]);
    const S m00 = dot(x.along[0], x.along[0]), m01 = dot(x.along[0], x.along[1]), m11 = dot(x.along[1], x.along[1]);
    const S under = m00 * m11 - m01 * m01;
    up = {(m11 * c[0] - m01 * c[1]) / under, (m00 * c[1] - m01 * c[0]) / under};
    for (std::size_t a = 0; a < 2; ++a) add(slip, up[a], x.along[a]);
    const S squared = dot(slip, slip);
    const double creep = 1 / slip_speed;
    const S h = value_of(squared) >= slip_speed * slip_speed ? S(1.0) / root(squared)
                                                             : S(creep / 2) * (S(3.0) - S(creep * creep) * squared);
    drag = S(friction) * pressure * h;
    add(sum.apart, drag, slip);
    for (std::size_t a = 0; a < 2; ++a) add(sum.along[a], drag * up[a], x.apart);
  }
};

}  // namespace gearshift::solid
