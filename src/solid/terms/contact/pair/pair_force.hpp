#pragma once

/// @file
/// The forces between a point and the facet that it touches.

#include "solid/numerics/dual.hpp"
#include "solid/terms/contact/constants.hpp"
#include "solid/terms/contact/contact_term.hpp"

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
  Vector<S> way{};                     ///< S_0(xi) - x_0 of the load step's beginning, in statics with friction
  std::array<Vector<S>, 2> grid{};     ///< S_0a
};

/// The generalised forces: the residual is F . delta(x - S) + sum_a F_a . delta S_a, both at fixed xi.
template <class S>
struct PairForces {
  Vector<S> apart{};
  std::array<Vector<S>, 2> along{};
};

/// The energy W g^2 / 2, g = n.d - g_0, with its exact gradient, a viscosity, and friction with the pressure -W g:
///
///     F   = W n g + F_w + beta Z g' n + mu p h w,   F_a = (A^-1 W')_a g^2 / 2 d + tau_a d,
///     F_w = g^2 / 2 (A^-1 W')_a S_a,   A_ab = S_a . S_b - d . S_ab,
///
/// with w the velocity of sliding on the facet, tau_a its contravariant components times mu p h, and h = f(|w|/w_0) /
/// |w| as in Contact. In statics -A takes the place of w, and f(s) mu p / |A| that of mu p h, with the contravariant
/// components of A_0 - W (S_0 - x_0) at the beginning of the load step: the way over the facet, measured on the facet
/// as it was then. The closest point moves by A^-1 c, c_a = S_a . delta(x - S) + d . delta S_a, so that energy is
/// conserved also where W varies; all forces of a point are in equilibrium. At edges and corners, which are closest
/// only to points that penetrate a hollow, there is no friction.
/// (For closest points: P. Wriggers, Computational Contact Mechanics, 2006, chapter 4.)
class PairLaw {
 public:
  int directions = 2;
  double friction = 0, slip_speed = 0;
  bool moves = false;
  double least = 0;               ///< pressures down to this value, below 0 by rounding, count as contact
  double overlap = 0;             ///< g_0
  bool at_rest = false;           ///< friction of statics
  std::array<double, 3> trial{};  ///< A_0
  bool was_open = false;          ///< when the load step began
  bool holds = false;             ///< sticks whatever A is
  /// What it does in addition. The derivative of friction with respect to the slip, in statics to the displacement, is drag
  /// (1 - n n') + steeper slip slip'.
  struct Rates {
    double pressure = 0, traction = 0, rate = 0;
    bool presses = false;
    double drag = 0, steeper = 0;            ///< in a motion drag = mu p h
    std::array<double, 3> normal{}, slip{};  ///< slip: w, or -A in statics
  };

  template <class S>
  PairForces<S> forces(const PairState<S>& x, Rates* rates = nullptr) const {
    PairForces<S> sum;
    const Vector<S>& d = x.apart;
    const Vector<S> n = normal(x);
    const S depth = S(overlap) - dot(d, n), pressure = x.weight * depth;
    const S rate = moves ? dot(n, x.velocity) : S(0.0);
    const S traction = pressure - x.impedance * rate;
    const bool presses = value_of(traction) >= least;
    if (presses) {
      add(sum.apart, x.weight, d);
      add(sum.apart, -(x.weight * S(overlap)), n);
      add(sum.apart, x.impedance * rate, n);
      const std::array<S, 2> moved = motion(x, x.slopes);
      for (std::size_t a = 0; a < count(); ++a) {
        const S factor = S(0.5) * depth * depth * moved[a];
        add(sum.apart, factor, x.along[a]);
        add(sum.along[a], factor, d);
      }
    }
    if (friction > 0 && directions == 2 && (value_of(pressure) > 0 || holds)) {
      if (moves) add_friction(x, pressure, sum, rates);
      if (at_rest) add_sticking(x, n, pressure, sum, rates);
    }
    if (rates) {
      rates->pressure = value_of(pressure);
      rates->rate = value_of(rate);
      rates->presses = presses;
      rates->traction = presses ? std::fmax(value_of(traction), 0) : 0;
      rates->normal = values_of(n);
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

  template <class S>
  static std::array<double, 3> values_of(const Vector<S>& a) {
    return {value_of(a[0]), value_of(a[1]), value_of(a[2])};
  }
  template <class S>
  static Vector<S> cross(const std::array<Vector<S>, 2>& pair) {
    const auto& [a, b] = pair;
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }
  /// Returns the contravariant components for covariant ones.
  template <class S>
  static std::array<S, 2> raised(const std::array<Vector<S>, 2>& along, const std::array<S, 2>& c) {
    const S m00 = dot(along[0], along[0]), m01 = dot(along[0], along[1]), m11 = dot(along[1], along[1]);
    const S under = m00 * m11 - m01 * m01;
    return {(m11 * c[0] - m01 * c[1]) / under, (m00 * c[1] - m01 * c[0]) / under};
  }

  /// Returns the normal of the facet; at edges and corners that of the gap.
  template <class S>
  Vector<S> normal(const PairState<S>& x) const {
    return directions < 2 ? unit(x.apart, -1) : unit(cross(x.along), 1);
  }

  /// Adds drag times the slip with these components.
  template <class S>
  static Vector<S> add_drag(const PairState<S>& x, const S& drag, const std::array<S, 2>& up, PairForces<S>& sum) {
    Vector<S> slip{};
    for (std::size_t a = 0; a < 2; ++a) {
      add(slip, up[a], x.along[a]);
      add(sum.along[a], drag * up[a], x.apart);
    }
    add(sum.apart, drag, slip);
    return slip;
  }

  template <class S>
  static S squared(const PairState<S>& x, const std::array<S, 2>& up) {
    Vector<S> a{};
    for (std::size_t i = 0; i < 2; ++i) add(a, up[i], x.along[i]);
    return dot(a, a);
  }

  template <class S>
  void add_friction(const PairState<S>& x, const S& pressure, PairForces<S>& sum, Rates* rates) const {
    std::array<S, 2> c{};
    for (std::size_t a = 0; a < 2; ++a) c[a] = dot(x.velocity, x.along[a]) + dot(x.apart, x.turning[a]);
    const std::array<S, 2> up = raised(x.along, c);
    const S size2 = squared(x, up);
    const double creep = 1 / slip_speed;
    const bool slides = value_of(size2) >= slip_speed * slip_speed;
    const S h = slides ? S(1.0) / root(size2) : S(creep / 2) * (S(3.0) - S(creep * creep) * size2);
    const S drag = S(friction) * pressure * h;
    const Vector<S> slip = add_drag(x, drag, up, sum);
    if (!rates) return;
    rates->drag = value_of(drag);
    rates->steeper = -friction * value_of(pressure) * std::pow(slides ? 1 / std::sqrt(value_of(size2)) : creep, 3);
    rates->slip = values_of(slip);
  }

  /// With a spring k instead of W, f(s) A/|A| mu p = part A: see Contact. A point that was open slides
  /// only the part -g / (g_s - g) of its way.
  template <class S>
  void add_sticking(const PairState<S>& x, const Vector<S>& n, const S& pressure, PairForces<S>& sum,
                    Rates* rates) const {
    S spring = x.weight;
    if (was_open && value_of(pressure) > 0) {
      const S gap = dot(x.apart, n) - S(overlap), before = -dot(x.way, unit(cross(x.grid), 1)) - S(overlap);
      if (value_of(before) > 0) spring = spring * (gap / (gap - before));
    }
    Vector<S> against{};  // -A before its projection
    add(against, spring, x.way);
    for (std::size_t c = 0; c < 3; ++c) against[c] = against[c] - S(trial[c]);
    std::array<S, 2> c{};
    for (std::size_t a = 0; a < 2; ++a) c[a] = dot(against, x.grid[a]);
    const std::array<S, 2> up = raised(x.grid, c);
    const S size2 = squared(x, up), most = S(contact::most_stick * friction) * pressure;
    const bool slides = !holds && value_of(size2) >= value_of(most * most);
    S part(1.0);
    if (slides)
      part = S(friction) * pressure / root(size2);
    else if (!holds)
      part = S(1.0) - size2 / (S(3.0) * most * most);
    const Vector<S> slip = add_drag(x, part, up, sum);
    if (!rates) return;
    const double k = value_of(spring);  // per length of the way
    rates->drag = k * value_of(part);
    if (!holds) rates->steeper = slides ? -k * value_of(part / size2) : -k * 2 / (3 * value_of(most * most));
    rates->slip = values_of(slip);
  }
};

}  // namespace gearshift::solid
