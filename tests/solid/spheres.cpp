/// Hollow spheres under pressure and filled with gas, compared with the radial equilibrium.

#include "solid/spheres.hpp"

#include <gearshift/dynamics/stepper.hpp>

#include "solid/turns.hpp"

#include <algorithm>

namespace gearshift::solid::test {
namespace {

Material neo_hookean(PetscReal mu, PetscReal lambda) {
  const PetscReal nu = lambda / (2 * (lambda + mu));
  return {.law = Law::neo_hookean, .E = 2 * mu * (1 + nu), .nu = nu, .rho = 1};
}

/// Creates an eighth, on rollers in the planes of symmetry.
std::unique_ptr<Body> eighth(Hollow size, int along, int across, int degree, const Material& law) {
  auto body = std::make_unique<Body>(hollow_sphere_mesh(size, along, across, false), degree);
  body->set_material(law);
  for (int axis = 0; axis < 3; ++axis) body->fix(std::string(1, "xyz"[axis]) + "0", axis);
  return body;
}

PetscReal length(const Vec3& x) { return std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

/// Returns the deformed radii of the nodes on the inner surface, minimum and maximum, on all ranks.
std::pair<PetscReal, PetscReal> inner_radii(const Body& body, PetscReal inside, Vec q) {
  const petsc::ReadView u(q);
  PetscReal range[2] = {-1e300, -1e300};  // maximum of the negative radius, and of the radius
  for (std::size_t i = 0; i + 2 < u.size(); i += 3) {
    const Vec3& X = body.space().coordinates()[i / 3];
    if (length(X) > 1.02 * inside) continue;
    const Vec3 x = {X[0] + u[i], X[1] + u[i + 1], X[2] + u[i + 2]};
    const PetscReal radius = length(x);
    range[0] = std::max(range[0], -radius);
    range[1] = std::max(range[1], radius);
  }
  check(MPI_Allreduce(MPI_IN_PLACE, range, 2, MPIU_REAL, MPI_MAX, PETSC_COMM_WORLD));
  return {-range[0], range[1]};
}

}  // namespace

TEST(Spheres, ReferenceIsExact) {
  const Hollow size{1, 2};
  const PetscReal coarse = SphereEquilibrium(size, 1, 1.5, 200).pressure(1.4);
  EXPECT_NEAR(SphereEquilibrium(size, 1, 1.5, 400).pressure(1.4), coarse, 1e-10);
  // Small strains: Lame's u(A) = p A / (4 mu (m - 1)) (m + 4 mu / (3 kappa)), m = (B/A)^3, kappa the bulk modulus.
  const PetscReal u = 1e-6, m = 8, mu = 1, kappa = 1.5 + 2.0 / 3;
  const PetscReal small = 4 * mu * (m - 1) * u / (m + 4 * mu / (3 * kappa));
  EXPECT_NEAR(SphereEquilibrium(size, mu, 1.5).pressure(1 + u), small, 1e-5 * small);
  // Thin and nearly incompressible: p = 2 mu H/R (1/x - 1/x^7), maximum at x = 7^(1/6), with x at the middle of the
  // wall.
  const Hollow thin{1, 1.002};
  const SphereEquilibrium balloon(thin, 1, 1e4, 50);
  for (const PetscReal x : {1.2, 1.383, 2.0})
    EXPECT_NEAR(balloon.pressure(x), 2 * 0.002 * (1 / x - std::pow(x, -7)), 0.004 * 0.002);
}

TEST(Spheres, ThickShellUnderPressure) {
  const Hollow size{1, 2};
  const PetscReal mu = 1, lambda = 1.5, radius = 1.3;
  const PetscReal p = SphereEquilibrium(size, mu, lambda).pressure(radius);
  const auto solve = [&](int degree, int cells) {
    const auto body = eighth(size, cells, cells, degree, neo_hookean(mu, lambda));
    body->add_pressure(
        "inner", [p](PetscReal, const Vec3&) { return p; }, true);
    body->set_up();
    Stepper stepper(*body, body->layout());
    const auto rest = vector(*body);
    stepper.set_initial_state(0, rest.get(), rest.get());
    KSP ksp = nullptr;
    check(SNESSetTolerances(stepper.snes(), 1e-50, 1e-13, 0, 50, PETSC_DEFAULT));
    check(SNESGetKSP(stepper.snes(), &ksp));
    check(KSPSetTolerances(ksp, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, 500));
    const auto residuals = stepper.solve_static(0).last.residual_norms;
    // Close to the solution Newton's method converges quadratically.
    int squared = 0;
    const PetscReal first = residuals.front();
    for (std::size_t k = 0; k + 1 < residuals.size(); ++k) {
      const PetscReal before = residuals[k] / first, after = residuals[k + 1] / first;
      if (before > 0.02) continue;
      EXPECT_LE(after, 10 * before * before + 2e-13) << "iteration " << k + 1;
      ++squared;
    }
    EXPECT_GE(squared, 2);
    const auto [least, greatest] = inner_radii(*body, size.inside, stepper.state().q);
    return std::max(std::abs(least - radius), std::abs(greatest - radius));
  };
  // Cells of degree 2 approximate the surface with the order of their displacement: 3. Cells of degree 3 reach the same
  // order, although their displacement has a higher one.
  for (const auto& [degree, best] : {std::pair{2, 8e-6}, std::pair{3, 1.1e-4}}) {
    const int coarse = degree == 2 ? 4 : 2;
    const PetscReal before = solve(degree, coarse), after = solve(degree, 2 * coarse);
    EXPECT_LT(after, best) << "degree " << degree;
    EXPECT_GT(std::log2(before / after), 2.5) << "degree " << degree;
  }
}

TEST(Spheres, PressureOnAClosedSurfaceDoesNoNetForce) {
  Body body(hollow_sphere_mesh({1, 1.5}, 1, 1, true), 2);
  body.set_material(neo_hookean(1, 1.5));
  body.add_pressure(
      "inner", [](PetscReal, const Vec3&) { return 0.7; }, true);
  body.set_up();
  const auto zero = vector(body);
  for (const PetscReal amount : {0.0, 1.0}) {
    const auto deformed = [amount](const Vec3& X) {
      const Vec3 u = wavy(X);
      return Vec3{amount * u[0], amount * u[1], amount * u[2]};
    };
    const auto q = vector(body, deformed);
    auto r = vector(body);
    body.residual({0, q.get(), zero.get(), zero.get()}, r.get());
    for (std::size_t mode = 0; mode < 6; ++mode) {
      const auto rigid = rigid_motion(body, deformed, mode);
      // 1e-14 of the pressure's force on one side.
      EXPECT_NEAR(inner(r.get(), rigid.get()), 0, 1e-13) << (mode < 3 ? "force " : "moment ") << mode % 3;
    }
  }
}

/// Energy and forces of the gas do not depend on position and orientation of the body if the cavity is closed by the
/// face, by one plane, or by planes with a given common point; otherwise it is refused.
TEST(Spheres, GasDoesNotKnowTheOrigin) {
  enum class Closed { by_itself, by_planes };
  const auto stored = [](Closed closed, const Turn& turn, const Vec3& shift, bool told) {
    const Mesh mesh = hollow_sphere_mesh({1, 1.5}, 2, 1, closed == Closed::by_itself);
    apply(turn, mesh, shift);
    Body body(Mesh::adopt(mesh.dm()), 2);
    body.set_material(neo_hookean(1, 1.5));
    body.add_gas("inner", 0.7, 1.4, told ? std::optional<Vec3>(shift) : std::nullopt);
    body.set_up();
    const auto q = vector(body, [&](const Vec3& x) {
      return turn(wavy(turn.back({x[0] - shift[0], x[1] - shift[1], x[2] - shift[2]})));
    });
    const auto zero = vector(body), r = vector(body);
    body.residual({0, q.get(), zero.get(), zero.get()}, r.get());
    return std::pair{body.energy({0, q.get(), zero.get(), zero.get()})->stored, norm(r.get())};
  };
  const Turn turn = random_turns(1).front();
  const Vec3 far{2000, -1000, 500};
  for (const Closed closed : {Closed::by_itself, Closed::by_planes}) {
    const auto [energy, force] = stored(closed, {}, {}, false);
    for (const auto& [other, shift] : {std::pair{turn, Vec3{}}, {Turn{}, far}, {turn, far}}) {
      const auto [moved_energy, moved_force] = stored(closed, other, shift, closed == Closed::by_planes);
      EXPECT_NEAR(moved_energy, energy, 1e-9 * std::abs(energy));
      EXPECT_NEAR(moved_force, force, 1e-9 * force);
    }
  }
  EXPECT_THROW(stored(Closed::by_planes, {}, far, false), OptionError);
  EXPECT_THROW(stored(Closed::by_planes, turn, {0.01, 0, 0}, false), OptionError);
}

/// A warning reports the number of nodes at the edge of the face that no support keeps in the closing planes.
TEST(Spheres, GasReportsNodesThatMayLeaveTheClosingPlanes) {
  const auto said = [](bool whole, auto&& hold) {
    Body body(hollow_sphere_mesh({1, 1.5}, 2, 1, whole), 2);
    body.set_material(neo_hookean(1, 1.5));
    body.add_gas("inner", 0.7, 1.4);
    hold(body);
    testing::internal::CaptureStderr();
    body.set_up();
    const std::string text = testing::internal::GetCapturedStderr();
    int rank = 0;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    return rank > 0 ? std::string("first rank only") : text.substr(0, text.find(" at the edge"));
  };
  const auto expected = [](const std::string& text) {
    int rank = 0;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    return rank > 0 ? std::string("first rank only") : text;
  };
  const auto planes = [](Body& body) {
    for (int axis = 0; axis < 3; ++axis) body.fix(std::string(1, "xyz"[axis]) + "0", axis);
  };
  const std::string all_nodes = "warning: gas behind 'inner': 24 nodes",
                    of_one_plane = "warning: gas behind 'inner': 9 nodes";
  EXPECT_EQ(said(true, [](Body&) {}), expected(""));
  EXPECT_EQ(said(false, planes), expected(""));
  EXPECT_EQ(said(false, [](Body&) {}), expected(all_nodes));
  EXPECT_EQ(said(false, [](Body& body) { body.clamp("outer"); }), expected(all_nodes));
  EXPECT_EQ(said(false,
                 [](Body& body) {
                   for (const char* face : {"x0", "y0", "z0"}) body.clamp(face);
                 }),
            expected(""));
  EXPECT_EQ(said(false,
                 [](Body& body) {
                   body.fix("x0", 0);
                   body.fix("y0", 1);
                 }),
            expected(of_one_plane));
  EXPECT_EQ(said(false,
                 [&](Body& body) {
                   planes(body);
                   body.release("z0", 1);
                 }),
            expected(of_one_plane));
}

TEST(Spheres, BalloonPassesItsLimitPointOnGas) {
  const Hollow size{1, 1.1};
  const PetscReal mu = 1, lambda = 20;
  const SphereEquilibrium exact(size, mu, lambda, 10);
  PetscReal limit = 1.3;  // the radius at maximum pressure
  while (exact.pressure(limit + 0.01) > exact.pressure(limit)) limit += 0.01;
  EXPECT_NEAR(limit, std::pow(7, 1.0 / 6), 0.08);  // the radius for a thin incompressible sphere
  const auto put_to_rest = [&](Stepper& stepper, Body& body) {
    const auto rest = vector(body);
    stepper.set_initial_state(0, rest.get(), rest.get());
  };

  // Gas at constant temperature, p = p0 (A/a)^3: its pressure falls faster than that of any balloon, so that the
  // balloon has one stable equilibrium.
  const auto filled = eighth(size, 3, 1, 2, neo_hookean(mu, lambda));
  filled->add_gas("inner", 1, 1);
  filled->set_up();
  Stepper by_gas(*filled, filled->layout());
  put_to_rest(by_gas, *filled);
  std::vector<PetscReal> radii, pressures;
  for (const PetscReal p0 : {0.1, 0.2, 0.3, 0.4, 0.6, 0.8}) {
    filled->set_load_factor(p0);
    by_gas.solve_static(0);
    const auto [least, greatest] = inner_radii(*filled, size.inside, by_gas.state().q);
    EXPECT_LT(greatest - least, 3e-4);
    radii.push_back((least + greatest) / 2);
    pressures.push_back(p0 * std::pow(radii.back(), -3));
    EXPECT_NEAR(pressures.back(), exact.pressure(radii.back()), 3e-4 * pressures.back()) << "radius " << radii.back();
  }
  EXPECT_LT(radii[2], limit);
  EXPECT_GT(radii[3], limit);
  EXPECT_GT(radii[5], 2);
  EXPECT_LT(pressures[0], 0.8 * pressures[2]);
  EXPECT_LT(pressures[5], 0.85 * pressures[3]);

  // A given pressure above the maximum has no equilibrium, one below it has.
  for (const PetscReal share : {0.97, 1.03}) {
    const auto pushed = eighth(size, 3, 1, 2, neo_hookean(mu, lambda));
    const PetscReal p = share * exact.pressure(limit);
    pushed->add_pressure(
        "inner", [p](PetscReal, const Vec3&) { return p; }, true);
    pushed->set_up();
    Stepper by_pressure(*pushed, pushed->layout());
    put_to_rest(by_pressure, *pushed);
    // Twice the iterations needed below the limit: above it, more only cost time.
    KSP ksp = nullptr;
    check(SNESSetTolerances(by_pressure.snes(), PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, 40, PETSC_DEFAULT));
    check(SNESGetKSP(by_pressure.snes(), &ksp));
    check(KSPSetTolerances(ksp, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, 60));
    const auto load = [&] {
      for (const PetscReal step : {0.4, 0.7, 0.9, 1.0}) {
        pushed->set_load_factor(step);
        by_pressure.solve_static(0);
      }
    };
    if (share > 1) {
      EXPECT_THROW(load(), StepFailed);
    } else {
      load();
      const auto [least, greatest] = inner_radii(*pushed, size.inside, by_pressure.state().q);
      EXPECT_LT(greatest, limit);
      EXPECT_NEAR(exact.pressure(least), p, 1e-3 * p);
    }
  }
}

}  // namespace gearshift::solid::test
