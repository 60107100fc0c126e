// The rate of convergence that Newton's iteration carries from solve to solve, in a motion that grows from nothing.

#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

namespace {

using Eigen::VectorXd;
using gearshift::Adapt;
using gearshift::Family;
using gearshift::Shifts;
using gearshift::Stepper;
using gearshift::StepReport;
using small::Point;
using small::SmallSystem;
using small::Values;

constexpr int masses = 4, entries = 2 * masses;
constexpr double stiffness = 1e7, rtol = 2e-3, t_end = 12;

/// One link of a chain of unit masses and unit links, stiff undamped springs that hang along x under unit loads.
struct Link {
  Link(const Values& q, int i) : d{q[2 * i] + 1, q[2 * i + 1]} {
    for (int p = 0; p < 2 && i > 0; ++p) d[p] -= q[2 * (i - 1) + p];
    length = std::hypot(d[0], d[1]);
  }
  std::array<double, 2> d;
  double length;
};

/// Adds a force of link i to the masses at its ends.
void add(Values& r, int i, std::array<double, 2> force) {
  for (int p = 0; p < 2; ++p) {
    r[2 * i + p] += force[p];
    if (i > 0) r[2 * (i - 1) + p] -= force[p];
  }
}

/// The loads along y grow smoothly from 0 to 0.3.
Values residual(const Point& x) {
  const double s = std::min(x.t / 3, 1.0), load = 0.3 * s * s * (3 - 2 * s);
  Values r = x.a;
  for (int i = 0; i < masses; ++i) {
    const Link link(x.q, i);
    const double tension = stiffness * (link.length - 1) / link.length;
    add(r, i, {tension * link.d[0], tension * link.d[1]});
    r[2 * i] -= 1;
    r[2 * i + 1] -= load;
  }
  return r;
}

Values tangent(const Point& x, Shifts s, const Values& in) {
  Values r(entries);
  for (int i = 0; i < entries; ++i) r[i] = s.a * in[i];
  for (int i = 0; i < masses; ++i) {
    const Link link(x.q, i);
    std::array<double, 2> change{in[2 * i], in[2 * i + 1]};
    for (int p = 0; p < 2 && i > 0; ++p) change[p] -= in[2 * (i - 1) + p];
    const std::array n{link.d[0] / link.length, link.d[1] / link.length};
    const double along = n[0] * change[0] + n[1] * change[1], tension = stiffness * (link.length - 1) / link.length;
    std::array<double, 2> force{};
    for (int p = 0; p < 2; ++p) force[p] = s.q * (stiffness * along * n[p] + tension * (change[p] - along * n[p]));
    add(r, i, force);
  }
  return r;
}

/// Returns the error of the velocities that Newton's iteration has left in x, the end of a step of ESDIRK.
double error_left(const Point& x, double dt) {
  const double alpha = 125 / (23 * dt);
  Eigen::MatrixXd J(entries, entries);
  for (int j = 0; j < entries; ++j) {
    Values unit(entries);
    unit[j] = 1;
    const Values column = tangent(x, {1 / alpha, 1, alpha}, unit);
    J.col(j) = Eigen::Map<const VectorXd>(column.data(), entries);
  }
  const Values r = residual(x);
  return J.partialPivLu().solve(Eigen::Map<const VectorXd>(r.data(), entries)).norm();
}

/// Newton's error is allowed a two-hundredth of the tolerance. With the rate of the first, small and nearly straight
/// motion it would exceed a hundredth in four of five steps, by up to five tolerances.
TEST(NewtonRate, FollowsTheMotion) {
  SmallSystem system(residual, tangent, true);
  Values hanging(entries);
  for (int i = 0; i < masses; ++i) hanging[2 * i] = (i > 0 ? hanging[2 * (i - 1)] : 0) + (masses - i) / stiffness;
  const auto q = small::vector(hanging), zero = small::vector(Values(entries));
  Stepper stepper(system, q.get(), {.adapt = Adapt::order, .family = Family::esdirk, .rtol = rtol});
  stepper.set_initial_state(0, q.get(), zero.get());
  stepper.set_dt(1e-3);
  double fastest = 0;
  int steps = 0, inaccurate = 0;
  for (double t = 0; t < t_end; ++steps) {
    const StepReport report = stepper.step();
    t = report.t;
    const Point x = SmallSystem::point(stepper.state());
    fastest = std::max(fastest, Eigen::Map<const VectorXd>(x.v.data(), entries).norm());
    const bool by_esdirk = report.step > 1;
    if (by_esdirk && error_left(x, report.dt) > 0.01 * rtol * fastest) ++inaccurate;
  }
  RecordProperty("steps", steps);
  RecordProperty("inaccurate", inaccurate);
  EXPECT_LT(inaccurate, 0.4 * steps) << steps;
}

}  // namespace
