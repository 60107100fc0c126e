/// Contributions of pressures, followers, masses, damping and frames to a body: sums, balances and refused input.

#include "solid/terms.hpp"

namespace gearshift::solid::test {

/// Internal forces are in balance, so that the sum of R is the load on the faces.
TEST(Terms, LoadsOfFacesAreWhatTheBodyGets) {
  for (const Kind kind : {Kind::pressure, Kind::gas, Kind::force, Kind::torque, Kind::motor_torque, Kind::foundation,
                          Kind::dashpots, Kind::absorbing})
    for (const int cells : {0, 1, 2, 3}) {
      if (kind == Kind::gas && cells == 1) continue;  // faces of that box enclose no volume
      SCOPED_TRACE("kind " + std::to_string(static_cast<int>(kind)) + ", cells " + std::to_string(cells));
      Body body(slanted(cells), 2);
      body.set_material(material(Law::neo_hookean));
      body.add_traction("ymin", VectorExpression("1,x,t*z"));
      add(body, kind, "xmax");
      const Vec3 F{0.25, -1, 3};
      body.add_force("zmax", VectorExpression("t,0-4*t,12*t"));
      body.add_pressure("ymin", Expression("2-x"));
      body.set_load_factor(1.5);
      body.set_up();
      EXPECT_EQ(body.loaded_faces(), (std::vector<std::string>{"ymin", "zmax", "xmax"}));
      const Motion2 x(body);
      const auto r = residual(body, x.at(0.25));
      Resultant all;
      for (const Resultant& load : body.loads(x.at(0.25)))
        for (std::size_t c = 0; c < 3; ++c) {
          all.sum[c] += load.sum[c];
          all.moment[c] += load.moment[c];
        }
      for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(body.loads(x.at(0.25))[1].sum[c], 1.5 * F[c], 1e-12);
      for (const bool moments : {false, true})
        for (int axis = 0; axis < 3; ++axis) {
          // A rigid motion of the deformed body, used as the velocity with which R gives the power.
          auto rigid = vector(body, [&](const Vec3& X) {
            const Vec3 u = wavy(X);
            const Vec3 p{X[0] + u[0], X[1] + u[1], X[2] + u[2]};
            const auto a = static_cast<std::size_t>(axis), b = (a + 1) % 3, c = (a + 2) % 3;
            Vec3 way{};
            if (!moments) {
              way[a] = 1;
            } else {
              way[b] = -p[c];
              way[c] = p[b];
            }
            return way;
          });
          PetscScalar power = 0;
          check(VecDot(r.get(), rigid.get(), &power));
          EXPECT_NEAR(-power, (moments ? all.moment : all.sum)[static_cast<std::size_t>(axis)], 1e-10)
              << moments << axis;
        }
    }
}

/// An accelerated base acts like gravity in the opposite direction: both together cancel.
TEST(Terms, AShakenBaseIsFeltAsGravity) {
  for (const int cells : {0, 2, 3}) {
    PetscReal alone = 0, power = 0;
    for (const bool both : {false, true}) {
      const Mesh mesh = slanted(cells);
      mark(mesh, "half", [](const Vec3& X) { return X[0] < -1.5; });
      Body body(Mesh::adopt(mesh.dm()), 2);
      body.set_material(material(Law::neo_hookean));
      Material heavy = material(Law::neo_hookean);
      heavy.rho *= 4;
      body.set_material("half", heavy);
      body.set_base_acceleration(VectorExpression("t,2,0-sin(t)"));
      if (both) body.set_gravity(VectorExpression("t,2,0-sin(t)"));
      body.set_up();
      const Motion2 x(body);
      const auto loaded = residual(body, x.at(0.3));
      const PetscReal own = body.energy(x.at(0.3))->power_loads;
      EXPECT_NEAR((*body.base_acceleration(0.3))[0], 0.3, 1e-15);
      body.set_load_factor(0);
      const auto free = residual(body, x.at(0.3));
      PetscReal size = 0;
      check(VecAXPY(free.get(), -1, loaded.get()));
      check(VecNorm(free.get(), NORM_INFINITY, &size));
      EXPECT_TRUE(both ? size < 1e-12 * alone : size > 0) << size;
      EXPECT_TRUE(both ? std::abs(own) < 1e-12 * std::abs(power) : own != 0) << own;
      alone = size;
      power = own;
    }
  }
  Body body(box("1,1,1"), 1);
  EXPECT_THROW(body.set_base_acceleration(VectorExpression("x,0,0")), OptionError);
}

/// A couple: zero force, equal moments about all points; combined with a force on the same face each keeps its moment.
TEST(Terms, ATorqueHasNoResultant) {
  for (const int cells : {0, 1, 2, 3}) {
    Body body(slanted(cells), 2);
    body.set_material(material(Law::linear_elastic));
    body.add_torque("xmax", VectorExpression("2,3*t,0-1"));
    body.add_force("ymin", VectorExpression("0,0,t"));
    body.add_torque("ymin", [](PetscReal) { return Vec3{0, 5, 0}; });
    body.set_load_factor(1.5);
    body.set_up();
    const Motion2 x(body);
    const auto loads = body.loads(x.at(0.5));
    ASSERT_EQ(body.loaded_faces(), (std::vector<std::string>{"ymin", "xmax"}));
    const Vec3 M{3, 2.25, -1.5};
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(loads[1].sum[c], 0, 1e-12) << cells;
      EXPECT_NEAR(loads[1].moment[c], M[c], 1e-12) << cells;
    }
    EXPECT_NEAR(loads[0].sum[2], 0.75, 1e-12);
    EXPECT_NEAR(loads[0].moment[1], 7.5 - 0.75 * (cells == 0 ? -1.5 : cells == 1 ? 0.5 : -1.5), 1e-12) << cells;
  }
  Body body(box("1,1,1"), 1);
  EXPECT_THROW(body.add_torque("xmax", VectorExpression("x,0,0")), OptionError);
  EXPECT_THROW(body.add_torque("nose", VectorExpression("1,0,0")), MeshError);
}

TEST(Terms, AForceHasNoPlace) {
  Body body(box("1,1,1"), 1);
  EXPECT_THROW(body.add_force("xmax", VectorExpression("x,0,0")), OptionError);
  EXPECT_THROW(body.add_force("nose", VectorExpression("1,0,0")), MeshError);
}

/// Forces and masses at points and on faces: momenta, energies, weight, and mass matrix M.
TEST(Terms, MassesAndForcesAtPoints) {
  for (const int cells : {0, 1, 2, 3}) {
    const Vec3 P{cells == 1 ? 0.6 : -1.6, 0.7, 0.4};
    const auto make = [&](bool loaded) {
      auto body = std::make_unique<Body>(slanted(cells), 2);
      body->set_material(material(Law::neo_hookean));
      body->set_gravity(VectorExpression("0,t,0-2"));
      body->set_base_acceleration(VectorExpression("t,0,0"));
      if (loaded) {
        body->add_mass("xmax", 3);
        body->add_point_mass("p", P, 5);
        body->add_point_force("p", P, VectorExpression("1,t,4"));
      }
      body->set_up();
      return body;
    };
    const auto body = make(true), plain = make(false);
    EXPECT_EQ(body->loaded_faces(), std::vector<std::string>{"p"});
    // Uniform fields, since the bodies are distributed differently.
    const auto at = [](const Body& of, const Vec3& value) {
      return vector(of, [value](const Vec3&) { return value; });
    };
    const Vec3 velocity{1, -1, 2};
    const auto q = at(*body, {0.1, 0.2, 0.3}), v = at(*body, velocity), a = at(*body, {2, 0, 1});
    const auto plain_q = at(*plain, {0.1, 0.2, 0.3}), plain_v = at(*plain, velocity), plain_a = at(*plain, {2, 0, 1});
    const State x{0.5, q.get(), v.get(), a.get()}, y{0.5, plain_q.get(), plain_v.get(), plain_a.get()};
    const auto with = residual(*body, x), without = residual(*plain, y);
    // 8 (a - g + a_base) - F
    const Vec3 expected{8 * (2 + 0.5) - 1, 8 * -0.5 - 0.5, 8 * 3 - 4};
    for (std::size_t c = 0; c < 3; ++c) {
      Vec3 e{};
      e[c] = 1;
      EXPECT_NEAR(inner(with.get(), at(*body, e).get()) - inner(without.get(), at(*plain, e).get()), expected[c], 1e-11)
          << cells << c;
    }
    EXPECT_NEAR(body->energy(x)->kinetic - plain->energy(y)->kinetic, 8 * 6 / 2, 1e-11);
    EXPECT_NEAR(body->region_energies(x).back().kinetic - plain->region_energies(y).back().kinetic, 8 * 6 / 2, 1e-11);
    const Resultant whole = body->momentum(x), part = plain->momentum(y);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(whole.sum[c] - part.sum[c], 8 * velocity[c], 1e-11);
    // The force acts at p + q.
    const Resultant load = body->loads(x)[0];
    EXPECT_NEAR(load.sum[1], 0.5, 1e-13);
    EXPECT_NEAR(load.moment[0], (P[1] + 0.2) * 4 - (P[2] + 0.3) * 0.5, 1e-12);
    // M multiplies a, and is symmetric.
    const auto tangent = body->make_linearization();
    tangent->update(x);
    const auto wave = vector(*body, ripple), other = vector(*body, wavy), none = vector(*body);
    auto product = vector(*body), back = vector(*body);
    tangent->apply({0, 0, 1}, wave.get(), product.get());
    tangent->apply({0, 0, 1}, other.get(), back.get());
    EXPECT_NEAR(inner(product.get(), other.get()), inner(back.get(), wave.get()), 1e-11);
    const auto moving = residual(*body, {0.5, q.get(), v.get(), wave.get()});
    const auto still = residual(*body, {0.5, q.get(), v.get(), none.get()});
    check(VecAXPY(moving.get(), -1, still.get()));
    check(VecAXPY(moving.get(), -1, product.get()));
    EXPECT_LT(biggest(moving.get()), 1e-12);
  }
  Body body(box("1,1,1"), 1);
  body.set_material(material(Law::neo_hookean));
  EXPECT_THROW(body.add_point_force("p", {}, VectorExpression("x,0,0")), OptionError);
  EXPECT_THROW(body.add_mass("xmax", -1), OptionError);
  body.add_point_mass("p", {2, 0, 0}, 1);
  EXPECT_THROW(body.set_up(), OptionError);
}

/// Damping given for all regions equals that of the whole body; otherwise it acts on its own cells only. Its
/// derivatives are exact.
TEST(Terms, DampingOfRegions) {
  const auto make = [](PetscReal left, PetscReal right, Law law) {
    Mesh mesh = file("two_regions.msh");
    auto body = std::make_unique<Body>(std::move(mesh), 2);
    Material m = material(law);
    if (law == Law::yeoh) m.c1 = 0.4, m.c2 = 0.05, m.c3 = 0.01;
    if (law == Law::arruda_boyce) m.parameters = {1.8};
    if (law == Law::ogden) m.mu3 = 0.1, m.alpha1 = 1.3, m.alpha2 = 5, m.alpha3 = 2;
    if (law == Law::holzapfel) m.k1 = 0.3, m.k2 = 0.5, m.fibre_1 = Direction("1,0.2,0");
    m.rayleigh_mass = left;
    m.rayleigh_stiffness = 2 * left;
    body->set_material("soft", m);
    m.rayleigh_mass = right;
    m.rayleigh_stiffness = 2 * right;
    m.E = 4;
    body->set_material("stiff", m);
    body->set_up();
    return body;
  };
  for (const Law law : {Law::linear_elastic, Law::neo_hookean, Law::mooney_rivlin, Law::yeoh, Law::ogden,
                        Law::holzapfel, Law::arruda_boyce}) {
    const auto power = [&](PetscReal left, PetscReal right) {
      const auto body = make(left, right, law);
      const Motion2 x(*body);
      return body->energy(x.at(0))->power_dissipated;
    };
    const auto body = make(0.3, 0.3, law);
    const Motion2 x(*body);
    const auto tangent = body->make_linearization();
    tangent->update({0, x.q.get(), x.zero.get(), x.zero.get()});
    auto Cv = vector(*body), product = vector(*body);
    tangent->apply({0.6, 0, 0.3}, x.v.get(), Cv.get());
    const PetscReal whole = inner(x.v.get(), Cv.get());
    EXPECT_NEAR(power(0.3, 0.3), whole, 1e-12 * whole);
    EXPECT_NEAR(power(0.3, 0) + power(0, 0.3), whole, 1e-12 * whole);
    EXPECT_GT(power(0.3, 0), 0.01 * whole);
    EXPECT_GT(power(0, 0.3), 0.01 * whole);
    // R and its derivatives with respect to q and v.
    const auto with = residual(*body, x.at(0)), without = residual(*body, {0, x.q.get(), x.zero.get(), x.zero.get()});
    check(VecAXPY(with.get(), -1, without.get()));
    check(VecAXPY(with.get(), -1, Cv.get()));
    EXPECT_LT(biggest(with.get()), 1e-12 * biggest(Cv.get()));
    tangent->update(x.at(0));
    const PetscReal e = 1e-5;
    const auto along = vector(*body, [](const Vec3& X) { return Vec3{std::cos(X[1]), X[0] * X[2], std::sin(X[0])}; });
    const auto ahead = moved(*body, x.q.get(), e, along.get()), behind = moved(*body, x.q.get(), -e, along.get());
    const auto up = residual(*body, {0, ahead.get(), x.v.get(), x.zero.get()});
    const auto down = residual(*body, {0, behind.get(), x.v.get(), x.zero.get()});
    check(VecAXPY(up.get(), -1, down.get()));
    check(VecScale(up.get(), 1 / (2 * e)));
    tangent->apply({1, 0, 0}, along.get(), product.get());
    check(VecAXPY(up.get(), -1, product.get()));
    EXPECT_LE(biggest(up.get()), 2e-8 * (1 + biggest(product.get())));
  }
  Body body(box("1,1,1"), 1);
  Material m = material(Law::neo_hookean);
  m.rayleigh_mass = -1;
  EXPECT_THROW(body.set_material(m), OptionError);
  m = material(Law::j2);
  m.yield = 1;
  m.rayleigh_stiffness = 1;
  EXPECT_THROW(body.set_material(m), OptionError);
}

/// The multigrid includes the damping: if all regions are damped alike, it takes the iterations of a damped whole body;
/// if only one is, hardly more.
TEST(Terms, DampingOfRegionsKnownToMultigrid) {
  const auto iterations = [](PetscReal soft, PetscReal stiff, PetscReal whole) {
    const Options options(std::vector<std::pair<std::string, std::string>>{{"-dm_refine", "1"}});
    Body body(file("two_regions.msh"), 2);
    Material m = material(Law::neo_hookean);
    m.rayleigh_stiffness = soft;
    body.set_material("soft", m);
    m.rayleigh_stiffness = stiff;
    body.set_material("stiff", m);
    body.set_up();
    LinearProblem problem(body);
    const auto q = vector(body, wavy), load = vector(body, ripple);
    auto x = vector(body);
    const Shifts s{0.1 + whole, 1, 10};
    problem.update(q.get(), s);
    return problem.solve(load.get(), x.get(), 1e-8);
  };
  const PetscInt plain = iterations(0, 0, 0);
  EXPECT_GT(plain, 2);
  EXPECT_LE(std::abs(iterations(2, 2, 0) - iterations(0, 0, 2)), 3);
  EXPECT_LT(iterations(2, 0, 0), 2 * plain);
  EXPECT_LT(iterations(0, 2, 0), 2 * plain);
}

/// Coriolis forces do no work, centrifugal ones have a potential; both agree with those of single masses.
TEST(Terms, RotatingFrame) {
  const Vec3 spin{0.4, -0.7, 1.1}, centre{0.5, 1, -2};
  const auto times = [](const Vec3& a, const Vec3& b) {
    return Vec3{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  Body body(slanted(2), 2);
  body.set_material(material(Law::neo_hookean));
  body.add_point_mass("p", {-1.5, 1, 0.5}, 3);
  body.set_rotating_frame(spin, centre);
  body.set_up();
  EXPECT_FALSE(body.symmetric());
  const Motion2 x(body);
  const auto still = residual(body, {0, x.q.get(), x.zero.get(), x.zero.get()}), moving = residual(body, x.at(0));
  EXPECT_NEAR(inner(x.v.get(), moving.get()), inner(x.v.get(), still.get()), 1e-11);
  const PetscReal e = 1e-5;
  const auto ahead = moved(body, x.q.get(), e, x.v.get()), behind = moved(body, x.q.get(), -e, x.v.get());
  const auto stored = [&](Vec q) { return body.energy({0, q, x.v.get(), x.zero.get()})->stored; };
  EXPECT_NEAR((stored(ahead.get()) - stored(behind.get())) / (2 * e), inner(x.v.get(), still.get()), 1e-7);
  // The whole body, displaced by U and moving with V: m (2 W x V + W x (W x (X_s + U - c))).
  const Vec3 U{0.3, -0.2, 0.1}, V{1, 2, -0.5};
  const auto q = vector(body, [&](const Vec3&) { return U; }), v = vector(body, [&](const Vec3&) { return V; });
  const auto r = residual(body, {0, q.get(), v.get(), x.zero.get()});
  PetscReal mass = 0;
  Vec3 first{};
  const Vec3 plus{1, 1, 1};
  for (std::size_t c = 0; c < 3; ++c) {
    Vec3 axis{};
    axis[c] = 1;
    const auto of = [&](const std::function<Vec3(const Vec3&)>& field) {
      const auto velocity = vector(body, field);
      return body.momentum({0, q.get(), velocity.get(), nullptr}).sum[c];
    };
    mass = of([&](const Vec3&) { return axis; });
    first[c] = of([&](const Vec3& X) {
      return Vec3{X[c] + U[c] - centre[c], X[c] + U[c] - centre[c], X[c] + U[c] - centre[c]};
    });
  }
  const Vec3 coriolis = times(spin, V), centrifugal = times(spin, times(spin, first));
  for (std::size_t c = 0; c < 3; ++c) {
    const auto rigid = vector(body, [&](const Vec3&) {
      Vec3 axis{};
      axis[c] = plus[c];
      return axis;
    });
    EXPECT_NEAR(inner(rigid.get(), r.get()), 2 * mass * coriolis[c] + centrifugal[c], 1e-11);
  }
}

TEST(Terms, SteadyPressureIsExpectedToMoveAsTractionDoes) {
  const auto expected = [](auto&& load) {
    Body body(box("4,2,2", "4,1,1"), 1);
    body.set_material(material(Law::neo_hookean));
    body.clamp("xmin");
    load(body);
    body.set_up();
    const auto rest = vector(body);
    return body.expected_motion({0, rest.get(), rest.get(), rest.get()}, 10);
  };
  const MotionEstimate by_traction =
      expected([](Body& body) { body.add_traction("xmax", VectorExpression("0-0.1,0,0")); });
  const MotionEstimate by_pressure = expected([](Body& body) { body.add_pressure("xmax", Expression("0.1")); });
  EXPECT_GT(by_traction.q, 1e-4);
  EXPECT_NEAR(by_pressure.q, by_traction.q, 1e-10 * by_traction.q);
  EXPECT_NEAR(by_pressure.v, by_traction.v, 1e-10 * by_traction.v);
}

TEST(Terms, BadNumbersAreRefused) {
  Body body(box("2,2,2"), 1);
  body.set_material(material(Law::neo_hookean));
  EXPECT_THROW(body.add_foundation("xmin", -1, 0), OptionError);
  EXPECT_THROW(body.add_dashpots("xmin", 0, std::nan("")), OptionError);
  EXPECT_THROW(body.add_gas("xmin", 1, 0), OptionError);
  EXPECT_THROW(body.add_pressure("nowhere", [](PetscReal, const Vec3&) { return 1.0; }), MeshError);
  body.add_gas("xmax", 1, 1.4);
  EXPECT_THROW(body.set_up(), OptionError);  // it faces away from the origin: no volume is enclosed
  Body other(box("2,2,2"), 1);
  other.set_material(material(Law::neo_hookean));
  other.add_pressure("xmax", [](PetscReal t, const Vec3&) { return 1 / t; });
  other.set_up();
  const auto zero = vector(other), r = vector(other);
  EXPECT_THROW(other.residual({0, zero.get(), zero.get(), zero.get()}, r.get()), Error);
}

}  // namespace gearshift::solid::test
