#pragma once

#include <gearshift/gearshift.hpp>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

/// A damped chain of three masses between a wall and a driven end, with hardening springs: the problem on which
/// orders are measured. Optionally mass 1 has a prescribed motion. The entries are distributed over the ranks,
/// some of which may own none.
namespace chain {

using gearshift::Shifts;
using gearshift::State;

constexpr int size = 3;
using Triple = std::array<double, size>;

inline constexpr Triple mass{1.0, 0.5, 2.0};
inline constexpr Triple spring{30.0, 40.0, 25.0};  // spring i connects mass i to mass i-1, or to the wall
inline constexpr Triple cubic{5.0, 4.0, 6.0};
inline constexpr Triple damper{1.2, 0.9, 1.5};
inline constexpr Triple q0{0.3, -0.2, 0.4};
inline constexpr Triple v0{1.0, 2.0, -3.0};

/// The prescribed motion of mass 1 and its derivatives; consistent with q0 and v0 at t = 0.
inline std::array<double, 3> motion(double t) {
  const double w = 5;
  return {q0[1] * std::cos(w * t) + v0[1] / w * std::sin(w * t), -q0[1] * w * std::sin(w * t) + v0[1] * std::cos(w * t),
          -q0[1] * w * w * std::cos(w * t) - v0[1] * w * std::sin(w * t)};
}

inline double load(double t) { return 20 * std::sin(7 * t); }

/// Returns M a - F(t, q, v).
inline Triple residual(double t, const Triple& q, const Triple& v, const Triple& a) {
  Triple r{};
  for (int i = 0; i < size; ++i) r[i] += mass[i] * a[i];
  for (int i = 0; i < size; ++i) {
    const double d = q[i] - (i > 0 ? q[i - 1] : 0), rate = v[i] - (i > 0 ? v[i - 1] : 0);
    const double f = spring[i] * d + cubic[i] * d * d * d + damper[i] * rate;
    r[i] += f;
    if (i > 0) r[i - 1] -= f;
  }
  r[size - 1] -= load(t);
  return r;
}

/// Returns (s.q R_q + s.v R_v + s.a R_a) w.
inline Triple tangent(const Triple& q, Shifts s, const Triple& w) {
  Triple y{};
  for (int i = 0; i < size; ++i) y[i] += s.a * mass[i] * w[i];
  for (int i = 0; i < size; ++i) {
    const double d = q[i] - (i > 0 ? q[i - 1] : 0), dw = w[i] - (i > 0 ? w[i - 1] : 0);
    const double f = (s.q * (spring[i] + 3 * cubic[i] * d * d) + s.v * damper[i]) * dw;
    y[i] += f;
    if (i > 0) y[i - 1] -= f;
  }
  return y;
}

/// Returns R_qq[u, w], the derivative of the stiffness along u applied to w.
inline Triple stiffness_derivative(const Triple& q, const Triple& u, const Triple& w) {
  Triple y{};
  for (int i = 0; i < size; ++i) {
    const double d = q[i] - (i > 0 ? q[i - 1] : 0), du = u[i] - (i > 0 ? u[i - 1] : 0),
                 dw = w[i] - (i > 0 ? w[i - 1] : 0);
    const double f = 6 * cubic[i] * d * du * dw;
    y[i] += f;
    if (i > 0) y[i - 1] -= f;
  }
  return y;
}

/// Returns a copy of the three entries on every rank.
inline Triple gather(Vec x) {
  PetscInt first = 0;
  gearshift::petsc::check(VecGetOwnershipRange(x, &first, nullptr));
  const gearshift::petsc::ReadView view(x);
  Triple all{};
  for (std::size_t i = 0; i < view.size(); ++i) all[first + i] = view[i];
  MPI_Allreduce(MPI_IN_PLACE, all.data(), size, MPI_DOUBLE, MPI_SUM, PetscObjectComm(reinterpret_cast<PetscObject>(x)));
  return all;
}

inline void scatter(const Triple& all, Vec x) {
  PetscInt first = 0;
  gearshift::petsc::check(VecGetOwnershipRange(x, &first, nullptr));
  const gearshift::petsc::WriteView view(x);
  for (std::size_t i = 0; i < view.size(); ++i) view[i] = all[first + i];
}

inline gearshift::petsc::Handle<Vec> vector(const Triple& values = {}) {
  gearshift::petsc::Handle<Vec> x;
  gearshift::petsc::check(VecCreateMPI(PETSC_COMM_WORLD, PETSC_DECIDE, size, x.out()));
  scatter(values, x.get());
  return x;
}

/// The tangent with a cached position and the exact derivative of the stiffness.
class ChainLinearization : public gearshift::Linearization {
 public:
  void update(const State& x) override { q_ = gather(x.q); }
  void apply(Shifts s, Vec in, Vec out) override { scatter(tangent(q_, s, gather(in)), out); }
  bool diagonal(Shifts s, Vec d) override {
    Triple diagonal{};
    for (int i = 0; i < size; ++i) {
      Triple e{};
      e[i] = 1;
      diagonal[i] = tangent(q_, s, e)[i];
    }
    scatter(diagonal, d);
    return true;
  }
  bool apply_stiffness_derivative(Vec direction, Vec in, Vec out) override {
    scatter(stiffness_derivative(q_, gather(direction), gather(in)), out);
    return true;
  }

 private:
  Triple q_{};
};

/// The parts of the tangent that the chain provides itself.
enum class Own { nothing, product, linearization };

/// The chain; functions that it does not provide are left to the defaults.
class Chain : public gearshift::System {
 public:
  explicit Chain(bool prescribed = false, Own own = Own::product) : own_(own) {
    if (!prescribed) return;
    const auto layout = vector();
    PetscInt first = 0, last = 0;
    gearshift::petsc::check(VecGetOwnershipRange(layout.get(), &first, &last));
    const PetscInt entry = 1;
    gearshift::petsc::check(
        ISCreateGeneral(PETSC_COMM_WORLD, first <= 1 && 1 < last ? 1 : 0, &entry, PETSC_COPY_VALUES, fixed_.out()));
  }
  void residual(const State& x, Vec r) override {
    scatter(chain::residual(x.t, gather(x.q), gather(x.v), gather(x.a)), r);
  }
  void tangent(const State& x, Shifts s, Vec in, Vec out) override {
    if (own_ != Own::nothing)
      scatter(chain::tangent(gather(x.q), s, gather(in)), out);
    else
      System::tangent(x, s, in, out);
  }
  std::unique_ptr<gearshift::Linearization> make_linearization() override {
    if (own_ == Own::linearization) return std::make_unique<ChainLinearization>();
    return System::make_linearization();
  }
  bool symmetric() const override { return true; }
  IS constrained() const override { return fixed_.get(); }
  void prescribe(PetscReal t, Vec q, Vec v, Vec a) override {
    PetscInt first = 0, last = 0;
    gearshift::petsc::check(VecGetOwnershipRange(q, &first, &last));
    if (!(first <= 1 && 1 < last)) return;
    const std::array<double, 3> g = motion(t);
    const std::array<Vec, 3> to{q, v, a};
    for (std::size_t i = 0; i < 3; ++i) {
      const gearshift::petsc::WriteView view(to[i]);
      view[1 - first] = g[i];
    }
  }
  std::optional<gearshift::Energy> energy(const State& x) override {
    const Triple q = gather(x.q), v = gather(x.v);
    gearshift::Energy e;
    for (int i = 0; i < size; ++i) {
      const double d = q[i] - (i > 0 ? q[i - 1] : 0), rate = v[i] - (i > 0 ? v[i - 1] : 0);
      e.kinetic += mass[i] * v[i] * v[i] / 2;
      e.stored += spring[i] * d * d / 2 + cubic[i] * d * d * d * d / 4;
      e.power_dissipated += damper[i] * rate * rate;
    }
    e.power_loads = load(x.t) * v[size - 1];
    return e;
  }

 private:
  Own own_;
  gearshift::petsc::Handle<IS> fixed_;
};

/// Returns q and v at t_end i/samples, i = 0 .. samples, nearly to rounding, by an independent method: the classical
/// Runge-Kutta method with 160000 steps.
inline std::vector<std::array<Triple, 2>> reference(double t_end, int samples, bool prescribed) {
  using Point = std::array<Triple, 2>;
  const auto rate = [&](double t, const Point& y) {
    Point z{};
    z[0] = y[1];
    Point x = y;
    if (prescribed) {
      x[0][1] = motion(t)[0];
      x[1][1] = motion(t)[1];
      z[0][1] = x[1][1];
    }
    const Triple r = residual(t, x[0], x[1], {});
    for (int i = 0; i < size; ++i) z[1][i] = -r[i] / mass[i];
    if (prescribed) z[1][1] = motion(t)[2];
    return z;
  };
  const auto add = [](const Point& y, double h, const Point& z) {
    Point out = y;
    for (int l = 0; l < 2; ++l)
      for (int i = 0; i < size; ++i) out[l][i] += h * z[l][i];
    return out;
  };
  const int n = 160000;
  const double h = t_end / n;
  Point y{q0, v0};
  std::vector<Point> path{y};
  for (int k = 0; k < n; ++k) {
    const double t = k * h;
    const Point k1 = rate(t, y), k2 = rate(t + h / 2, add(y, h / 2, k1)), k3 = rate(t + h / 2, add(y, h / 2, k2)),
                k4 = rate(t + h, add(y, h, k3));
    for (int l = 0; l < 2; ++l)
      for (int i = 0; i < size; ++i) y[l][i] += h / 6 * (k1[l][i] + 2 * k2[l][i] + 2 * k3[l][i] + k4[l][i]);
    if ((k + 1) % (n / samples) != 0) continue;
    if (prescribed)
      for (int l = 0; l < 2; ++l) y[l][1] = motion((k + 1) * h)[l];
    path.push_back(y);
  }
  return path;
}

}  // namespace chain
