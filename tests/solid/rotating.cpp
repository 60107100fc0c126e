/// Bodies in a frame whose angular velocity varies with time.

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/solid/expression.hpp>
#include <gearshift/solid/material_point.hpp>

#include "boxes.hpp"

#include <cmath>

namespace gearshift::solid::test {
namespace {

Vec3 times(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Handle<Vec> sum(Vec x, PetscReal factor, Vec y) {
  Handle<Vec> result;
  check(VecDuplicate(x, result.out()));
  check(VecWAXPY(result.get(), factor, y, x));
  return result;
}

/// Returns the position of a material point of the body. Collective.
Vec3 position(const Body& body, Vec q, const Vec3& X) {
  const Space& space = body.space();
  const MaterialPoint point(space, "p", X);
  std::vector<PetscReal> local(3 * static_cast<std::size_t>(space.local_nodes()));
  space.node_exchange().global_to_local_begin(q, local.data());
  space.node_exchange().global_to_local_end(q, local.data());
  Vec3 x{};
  if (point.mine()) {
    x = X;
    const auto nodes = space.cell_nodes(point.cell());
    for (std::size_t n = 0; n < nodes.size(); ++n)
      for (std::size_t c = 0; c < 3; ++c) x[c] += point.shape()[n] * local[3 * static_cast<std::size_t>(nodes[n]) + c];
  }
  check(MPI_Allreduce(MPI_IN_PLACE, x.data(), 3, MPIU_REAL, MPI_SUM, space.comm()));
  return x;
}

std::unique_ptr<Body> free_body() {
  auto body = std::make_unique<Body>(box("2,1,1", "2,1,1"), 1);
  body->set_material({.law = Law::neo_hookean, .E = 100, .nu = 0.3, .rho = 1});
  return body;
}

}  // namespace

/// Along any motion the power of R is the rate of the body's energy in the frame minus the power of the frame: any
/// imbalance would appear as dissipation.
TEST(Rotating, TheFrameDoesWorkWhereItsSpinVaries) {
  for (const PetscReal factor : {1.0, 0.6}) {
    Body body(box("2,2,2", "1,2,1"), 2);
    body.set_material(material(Law::neo_hookean));
    body.add_point_mass("p", {0.5, 1, 0.25}, 3);
    body.set_rotating_frame(VectorExpression("1+t,sin(3*t),0-t^2"), {0.5, 1, -2});
    body.set_load_factor(factor);
    body.set_up();
    const auto q = vector(body, wavy), v = vector(body, ripple),
               a = vector(body, [](const Vec3&X) {
                 return Vec3{std::cos(X[1]), X[0] * X[2], std::sin(X[0])};
               });
    const PetscReal t = 0.7, e = 1e-5;
    const auto energy = [&](PetscReal dt) {
      const auto position = sum(q.get(), dt, v.get()), velocity = sum(v.get(), dt, a.get());
      const Energy at = *body.energy({t + dt, position.get(), velocity.get(), a.get()});
      return at.kinetic + at.stored;
    };
    const PetscReal rate = (energy(e) - energy(-e)) / (2 * e);
    auto r = vector(body);
    body.residual({t, q.get(), v.get(), a.get()}, r.get());
    const PetscReal frame = body.energy({t, q.get(), v.get(), a.get()})->power_loads;
    EXPECT_GT(std::abs(frame), 0.5);
    EXPECT_NEAR(inner(r.get(), v.get()), rate - frame, 1e-7 * std::abs(frame));
  }
}

/// A free body that rotates, vibrates and flies, in the inertial frame and in a frame that spins up by w = (0, 0, 2
/// min(t, 1/2)): rotated back by the frame's angle both are the same motion, and its angular momentum in the inertial
/// frame is constant.
TEST(Rotating, AMotionSeenFromAFrameThatSpinsUp) {
  const PetscReal end = 1.25, angle = 0.25 + 0.75;
  const auto velocity = [](const Vec3& X) {
    return Vec3{0.5 * (X[0] - 1) - 0.8 * X[1] + 0.1, 0.8 * X[0] - 0.3 * X[2], 0.3 * X[1] + 0.2};
  };
  StepperOptions options;
  options.adapt = Adapt::order;
  options.rtol = 1e-6;
  const auto still = free_body(), seen = free_body();
  seen->set_rotating_frame(VectorExpression("0,0,2*min(t,0.5)"));
  std::vector<std::unique_ptr<Stepper>> runs;
  for (Body* body : {still.get(), seen.get()}) {
    body->set_up();
    runs.push_back(std::make_unique<Stepper>(*body, body->layout(), options));
    const auto q = vector(*body), v = vector(*body, velocity);
    runs.back()->set_initial_state(0, q.get(), v.get());
  }
  bool kink = false;
  runs[1]->add_monitor([&](const Stepper&, const StepReport& step) { kink = kink || std::abs(step.t - 0.5) < 1e-14; });
  for (const auto& run : runs) run->advance_to(end);
  EXPECT_TRUE(kink);
  const Vec3 spin{0, 0, 1};
  const PetscReal c = std::cos(angle), s = std::sin(angle);
  for (const Vec3& X : {Vec3{0, 0, 0}, Vec3{1, 1, 1}, Vec3{2, 0.5, 0}, Vec3{2, 1, 1}}) {
    const Vec3 x = position(*still, runs[0]->state().q, X), y = position(*seen, runs[1]->state().q, X);
    EXPECT_NEAR(y[0], c * x[0] + s * x[1], 1e-4);
    EXPECT_NEAR(y[1], c * x[1] - s * x[0], 1e-4);
    EXPECT_NEAR(y[2], x[2], 1e-4);
  }
  const State relative = runs[1]->state();
  auto absolute = vector(*seen);
  {
    const petsc::ReadView q(relative.q), v(relative.v);
    const petsc::WriteView sums(absolute.get());
    for (std::size_t i = 0; i + 2 < q.size(); i += 3) {
      const Vec3& X = seen->space().coordinates()[i / 3];
      const Vec3 carried = times(spin, {X[0] + q[i], X[1] + q[i + 1], X[2] + q[i + 2]});
      for (std::size_t k = 0; k < 3; ++k) sums[i + k] = v[i + k] + carried[k];
    }
  }
  const auto start = vector(*still, velocity), rest = vector(*still);
  const Vec3 before = still->momentum({0, rest.get(), start.get(), nullptr}).moment;
  const Vec3 after = seen->momentum({end, relative.q, absolute.get(), nullptr}).moment;
  EXPECT_NEAR(after[2], before[2], 1e-4);
  // The frame extracts energy from the motion; the energy balance accounts for it completely.
  const EnergyLedger ledger = runs[1]->ledger();
  EXPECT_LT(ledger.work_loads, -0.5);
  EXPECT_NEAR(ledger.numerical(), 0, 5e-4);
}

TEST(Rotating, ASpinDoesNotJump) {
  const auto body = free_body();
  body->set_rotating_frame(VectorExpression("0,0,3*step(t-0.5)"));
  body->set_up();
  EXPECT_FALSE(body->next_break(0, 0.4));
  EXPECT_THROW(body->next_break(0.4, 1), OptionError);
  EXPECT_THROW(body->set_rotating_frame(VectorExpression("0,x,0")), OptionError);
}

/// A formula without t is equivalent to the constant.
TEST(Rotating, ConstantFormulas) {
  Handle<Vec> r[2];
  PetscReal moments[2];
  for (const bool formula : {false, true}) {
    const auto body = free_body();
    if (formula)
      body->set_rotating_frame(VectorExpression("0.4,0-0.7,1.1"), {1, 2, 3});
    else
      body->set_rotating_frame({0.4, -0.7, 1.1}, {1, 2, 3});
    body->set_up();
    const auto q = vector(*body, wavy), v = vector(*body, ripple);
    r[formula] = vector(*body);
    body->residual({0, q.get(), v.get(), v.get()}, r[formula].get());
    check(VecDot(r[formula].get(), q.get(), &moments[formula]));
  }
  EXPECT_NEAR(norm(r[0].get()), norm(r[1].get()), 1e-13 * norm(r[0].get()));  // distributions may differ
  EXPECT_NEAR(moments[0], moments[1], 1e-12 * norm(r[0].get()));              // odd in the spin
}

}  // namespace gearshift::solid::test
