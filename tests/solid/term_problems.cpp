/// Pressures, gas, followers, foundations and dashpots: derivatives, energies, and problems with known solutions.

#include <gearshift/dynamics/stepper.hpp>

#include "solid/terms.hpp"

#include <algorithm>

namespace gearshift::solid::test {

TEST(Terms, TangentsAreTheDerivatives) {
  for (const Kind kind : {Kind::pressure, Kind::gas, Kind::force, Kind::torque, Kind::motor_torque, Kind::foundation,
                          Kind::dashpots, Kind::absorbing, Kind::mass, Kind::point_mass, Kind::frame})
    for (const int cells : {0, 1, 2, 3})
      for (int degree = 1; degree <= highest_degree(cells); ++degree) {
        if (kind == Kind::gas && cells == 1) continue;  // faces of that box enclose no volume
        if (kind >= Kind::mass && (cells == 1 || cells == 2 || degree == 3)) continue;  // to save time
        SCOPED_TRACE("kind " + std::to_string(static_cast<int>(kind)) + ", cells " + std::to_string(cells) +
                     ", degree " + std::to_string(degree));
        const auto body = body_with(kind, slanted(cells), degree);
        const Motion2 x(*body);
        const auto along = vector(*body, [](const Vec3& X) {
          return Vec3{std::cos(X[1]), X[0] * X[2], std::sin(X[0])};
        });
        const auto tangent = body->make_linearization();
        tangent->update(x.at(0.3));
        auto product = vector(*body);
        const PetscReal e = 1e-5;
        for (const bool of_q : {true, false}) {
          const auto ahead = moved(*body, of_q ? x.q.get() : x.v.get(), e, along.get());
          const auto behind = moved(*body, of_q ? x.q.get() : x.v.get(), -e, along.get());
          const State a{0.3, of_q ? ahead.get() : x.q.get(), of_q ? x.v.get() : ahead.get(), x.zero.get()};
          const State b{0.3, of_q ? behind.get() : x.q.get(), of_q ? x.v.get() : behind.get(), x.zero.get()};
          const auto up = residual(*body, a), down = residual(*body, b);
          check(VecAXPY(up.get(), -1, down.get()));
          check(VecScale(up.get(), 1 / (2 * e)));
          tangent->apply(of_q ? Shifts{1, 0, 0} : Shifts{0, 1, 0}, along.get(), product.get());
          check(VecAXPY(up.get(), -1, product.get()));
          EXPECT_LE(biggest(up.get()), 2e-8 * (1 + biggest(product.get()))) << (of_q ? "q" : "v");
        }
        // The diagonal, entry by entry.
        auto diagonal = vector(*body), unit = vector(*body), column = vector(*body);
        ASSERT_TRUE(tangent->diagonal({1, 0.5, 0.1}, diagonal.get()));
        PetscInt size = 0;
        check(VecGetSize(unit.get(), &size));
        for (PetscInt i = 1; i < size; i += size / 7) {
          check(VecZeroEntries(unit.get()));
          PetscInt first = 0, last = 0;
          check(VecGetOwnershipRange(unit.get(), &first, &last));
          if (first <= i && i < last) check(VecSetValue(unit.get(), i, 1, INSERT_VALUES));
          check(VecAssemblyBegin(unit.get()));
          check(VecAssemblyEnd(unit.get()));
          tangent->apply({1, 0.5, 0.1}, unit.get(), column.get());
          const PetscReal own = inner(unit.get(), column.get()), given = inner(unit.get(), diagonal.get());
          // Low-rank contributions are left out of the diagonal.
          if (kind < Kind::gas || kind > Kind::motor_torque) {
            EXPECT_NEAR(own, given, 1e-11 * (1 + std::abs(own))) << i;
          }
        }
        // The free part is the whole tangent restricted to the free entries.
        auto in = vector(*body, ripple), masked = vector(*body, ripple), free = vector(*body), whole = vector(*body);
        LinearProblem problem(*body);
        problem.mask(masked.get(), 0);
        ASSERT_TRUE(tangent->apply_free({1, 0.5, 0.1}, in.get(), free.get()));
        tangent->apply({1, 0.5, 0.1}, masked.get(), whole.get());
        problem.mask(free.get(), 0);
        problem.mask(whole.get(), 0);
        check(VecAXPY(free.get(), -1, whole.get()));
        EXPECT_LE(biggest(free.get()), 1e-13 * biggest(whole.get()));
      }
}

TEST(Terms, SecondDerivativeOfPressure) {
  const auto body = body_with(Kind::pressure, slanted(0), 2);
  const Motion2 x(*body);
  const auto direction = vector(*body, wavy), in = vector(*body, ripple);
  auto exact = vector(*body), up = vector(*body), down = vector(*body);
  const auto tangent = body->make_linearization(), ahead = body->make_linearization(),
             behind = body->make_linearization();
  tangent->update(x.at(0.3));
  ASSERT_TRUE(tangent->apply_stiffness_derivative(direction.get(), in.get(), exact.get()));
  const PetscReal e = 1e-5;
  const auto q_ahead = moved(*body, x.q.get(), e, direction.get()),
             q_behind = moved(*body, x.q.get(), -e, direction.get());
  ahead->update({0.3, q_ahead.get(), x.v.get(), x.zero.get()});
  behind->update({0.3, q_behind.get(), x.v.get(), x.zero.get()});
  ahead->apply({1, 0, 0}, in.get(), up.get());
  behind->apply({1, 0, 0}, in.get(), down.get());
  check(VecAXPY(up.get(), -1, down.get()));
  check(VecScale(up.get(), 1 / (2 * e)));
  check(VecAXPY(up.get(), -1, exact.get()));
  EXPECT_LE(biggest(up.get()), 1e-7 * biggest(exact.get()));
}

TEST(Terms, EnergiesAreTheirForces) {
  // The energies of gas and foundation give their forces; the powers of the others are forces times velocities.
  struct Balance {
    PetscReal power, rate, kinetic, loads, dissipated;  ///< forces' power, stored energy's rate; energy() values
  };
  for (const Kind kind :
       {Kind::gas, Kind::foundation, Kind::pressure, Kind::dashpots, Kind::force, Kind::torque, Kind::motor_torque}) {
    const bool load = kind == Kind::pressure || (kind >= Kind::force && kind <= Kind::motor_torque);
    const auto balance = [kind](Body& body) {
      Motion2 x(body);
      if (kind == Kind::gas) {
        // The rest of the enclosed volume's boundary does not change: planes through the origin, and fixed edges.
        x.q = vector(body, [](const Vec3& X) { return Vec3{0.1 * (2 - X[1]) * (1 - X[2]), 0, 0}; });
        x.v = vector(body, [](const Vec3& X) { return Vec3{(2 - X[1]) * (1 - X[2]) * (1 + 0.3 * X[1]), 0, 0}; });
      }
      const PetscReal e = 1e-5;
      const auto ahead = moved(body, x.q.get(), e, x.v.get()), behind = moved(body, x.q.get(), -e, x.v.get());
      const auto stored = [&](Vec q) { return body.energy({0.3, q, x.v.get(), x.zero.get()})->stored; };
      const PetscReal rate = (stored(ahead.get()) - stored(behind.get())) / (2 * e);
      const auto force = residual(body, x.at(0.3));
      const Energy energy = *body.energy(x.at(0.3));
      return Balance{inner(force.get(), x.v.get()), rate, energy.kinetic, energy.power_loads, energy.power_dissipated};
    };
    Body without(slanted(0), 2);
    without.set_material(material(Law::neo_hookean));
    without.clamp("xmin");
    without.set_up();
    const Balance with = balance(*body_with(kind, slanted(0), 2)), bare = balance(without);
    const PetscReal power = with.power - bare.power, rate = with.rate - bare.rate;
    const bool stores = kind == Kind::gas || kind == Kind::foundation;
    EXPECT_GT(std::abs(power), 0.01);
    EXPECT_NEAR(rate, stores ? power : 0, 1e-7 * (std::abs(with.rate) + std::abs(power)));
    EXPECT_NEAR(with.loads, load ? -power : 0, 1e-11 * std::abs(with.power));
    EXPECT_NEAR(with.dissipated, kind == Kind::dashpots ? power : 0, 1e-11 * std::abs(with.power));
    EXPECT_NEAR(with.kinetic, bare.kinetic, 1e-13 * bare.kinetic);
  }
}

TEST(Terms, PressureAllAroundDoesNoNetForce) {
  for (const int cells : {0, 1, 2, 3})
    for (int degree = 1; degree <= highest_degree(cells); ++degree) {
      Body body(slanted(cells), degree);
      body.set_material(material(Law::neo_hookean));
      for (const auto& face : all_faces)
        body.add_pressure(
            face, [](PetscReal, const Vec3&) { return 2.0; }, true);
      body.set_up();
      const Motion2 x(body);
      const auto r = residual(body, x.at(0));
      for (std::size_t mode = 0; mode < 6; ++mode) {
        const auto rigid = rigid_motion(body, wavy, mode);
        EXPECT_NEAR(inner(r.get(), rigid.get()), 0, 1e-10 * norm(r.get()) * norm(rigid.get())) << mode;
      }
    }
}

TEST(Terms, LevelsOfABodyOnSpringsAlone) {
  // Only the springs support it: levels without the springs would be singular.
  for (const int degree : {1, 2, 3})
    for (const char* levels : {"float", "double"}) {
      const Options options(std::vector<std::pair<std::string, std::string>>{{"-solid_levels", levels}});
      for (const PetscReal k : {1e-3, 1.0, 1e3, 1e6}) {
        Body body(box("6,4,4", "3,1,1"), degree);
        body.set_material(material(Law::neo_hookean));
        body.add_foundation("xmin", k, 0.1 * k);
        body.set_up();
        LinearProblem problem(body);
        const auto u = vector(body), rhs = vector(body, ripple), x = vector(body);
        problem.update(u.get(), {1, 0, 0});
        const PetscInt taken = problem.solve(rhs.get(), x.get(), 1e-8);
        EXPECT_GT(taken, 0) << levels << " degree " << degree << " k " << k;
        EXPECT_LE(taken, 40) << levels << " degree " << degree << " k " << k;
      }
    }
}

TEST(Terms, UnsymmetricSystemsAreSolvedAsFarAsAsked) {
  for (const int degree : {1, 2, 3})
    for (const char* levels : {"float", "double"}) {
      const Options options(std::vector<std::pair<std::string, std::string>>{{"-solid_levels", levels}});
      const auto body = body_with(Kind::pressure, slanted(0), degree);
      LinearProblem problem(*body);
      const auto u = vector(*body, [](const Vec3& X) { return Vec3{0.1 * std::sin(X[0] + 2), 0.1 * X[0] * X[1], 0}; });
      auto rhs = vector(*body, ripple), x = vector(*body), left = vector(*body);
      problem.mask(rhs.get(), 0);
      problem.update(u.get(), {1, 0, 0});
      EXPECT_GT(problem.solve(rhs.get(), x.get(), 1e-12), 0) << levels << " degree " << degree;
      check(MatMult(problem.shell(), x.get(), left.get()));
      check(VecAYPX(left.get(), -1, rhs.get()));
      EXPECT_LE(norm(left.get()), 1e-11 * norm(rhs.get())) << levels << " degree " << degree;
    }
}

TEST(Terms, WavesLeaveABar) {
  const PetscReal c = 1;  // E = rho = 1, nu = 0
  Body body(box("60,1,1", "6,0.1,0.1"), 2);
  body.set_material({.law = Law::linear_elastic, .E = 1, .nu = 0, .rho = 1});
  body.absorb_waves("xmax");
  body.set_up();
  const auto pulse = [](PetscReal x) { return 1e-3 * std::exp(-std::pow((x - 3) / 0.4, 2)); };
  StepperOptions options;
  options.adapt = Adapt::order;
  options.rtol = 1e-5;
  Stepper stepper(body, body.layout(), options);
  const auto q = vector(body, [&](const Vec3& X) { return Vec3{pulse(X[0]), 0, 0}; });
  const auto v = vector(body, [&](const Vec3& X) { return Vec3{c * 2 * (X[0] - 3) / 0.16 * pulse(X[0]), 0, 0}; });
  stepper.set_initial_state(0, q.get(), v.get());
  const Energy before = *body.energy(stepper.state());
  stepper.advance_to(6);
  const Energy after = *body.energy(stepper.state());
  const PetscReal whole = before.kinetic + before.stored;
  EXPECT_LT(after.kinetic + after.stored, 1e-3 * whole);
  EXPECT_NEAR(stepper.ledger().dissipated, whole, 0.01 * whole);
}

TEST(Terms, TubeUnderPressure) {
  // A quarter of a tube in plane strain, compared with the equilibrium of rings, d(P_r)/dR = (P_t - P_r) / R.
  const PetscReal inside = 1, outside = 2, p = 0.25, mu = 1, lambda = 1.5;
  const PetscReal nu = lambda / (2 * (lambda + mu)), E = 2 * mu * (1 + nu);
  const auto first_stress = [&](PetscReal a, PetscReal b) { return mu * (a - 1 / a) + lambda * std::log(a * b) / a; };
  // r' from P_r(r', r / R), by Newton's method started from the previous value.
  const auto slope_of = [&](PetscReal P, PetscReal hoop, PetscReal guess) {
    for (int i = 0; i < 50; ++i) {
      const PetscReal e = 1e-7, f = first_stress(guess, hoop) - P;
      guess -= f * 2 * e / (first_stress(guess + e, hoop) - first_stress(guess - e, hoop));
    }
    return guess;
  };
  const auto outer_stress = [&](PetscReal r, PetscReal* at_outside) {
    // Nominal stress: pressure p on the deformed radius r per undeformed length.
    PetscReal P = -p * r / inside, R = inside, guess = 1;
    constexpr int steps = 400;
    const PetscReal h = (outside - inside) / steps;
    const auto rates = [&](PetscReal at, PetscReal radius, PetscReal stress) {
      const PetscReal hoop = radius / at;
      guess = slope_of(stress, hoop, guess);
      return std::pair{guess, (first_stress(hoop, guess) - stress) / at};
    };
    for (int i = 0; i < steps; ++i, R += h) runge_kutta(rates, R, h, r, P);
    if (at_outside) *at_outside = r;
    return P;
  };
  PetscReal low = 1, high = 2;
  for (int i = 0; i < 60; ++i) (outer_stress((low + high) / 2, nullptr) > 0 ? high : low) = (low + high) / 2;
  const PetscReal radius = low;
  EXPECT_GT(radius, 1.15);  // a large deformation

  std::array<PetscReal, 2> errors{};
  for (std::size_t level = 0; level < 2; ++level) {
    const int along = level == 0 ? 8 : 16;
    Mesh mesh = box(std::to_string(along / 2) + "," + std::to_string(along) + ",1");
    Vec coordinates = nullptr;
    check(DMGetCoordinatesLocal(mesh.dm(), &coordinates));
    {
      petsc::WriteView x(coordinates);
      for (std::size_t i = 0; i + 2 < x.size(); i += 3) {
        const PetscReal R = inside + (outside - inside) * x[i], angle = PETSC_PI / 2 * x[i + 1];
        x[i] = R * std::cos(angle);
        x[i + 1] = R * std::sin(angle);
        x[i + 2] *= 0.2;
      }
    }
    check(DMSetCoordinatesLocal(mesh.dm(), coordinates));
    Body body(std::move(mesh), 2);
    body.set_material({.law = Law::neo_hookean, .E = E, .nu = nu, .rho = 1});
    body.fix("ymin", 1);
    body.fix("ymax", 0);
    body.fix("zmin", 2);
    body.fix("zmax", 2);
    body.add_pressure(
        "xmin", [&](PetscReal, const Vec3&) { return p; }, true);
    body.set_up();
    Stepper stepper(body, body.layout());
    const auto rest = vector(body);
    stepper.set_initial_state(0, rest.get(), rest.get());
    const Report report = stepper.solve_static(0);
    // Quadratic convergence of the last iterations.
    const auto& norms = report.last.residual_norms;
    ASSERT_GE(norms.size(), 4U);
    EXPECT_LE(report.newton_iterations, 8);
    PetscReal found = 0;
    {
      const petsc::ReadView u(stepper.state().q);
      for (std::size_t i = 0; i + 2 < u.size(); i += 3) {
        const Vec3& X = body.space().coordinates()[i / 3];
        if (std::abs(X[0] - inside) < 1e-12 && std::abs(X[1]) < 1e-12) found = X[0] + u[i];
      }
    }
    check(MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPIU_REAL, MPI_MAX, PETSC_COMM_WORLD));
    errors[level] = std::abs(found - radius);
  }
  EXPECT_LT(errors[1], 2e-3);
  EXPECT_LT(errors[1], errors[0] / 3);  // straight cells: second order
}

TEST(Terms, FacesBetweenCellsHaveNoSide) {
  const Mesh made = box("4,2,2", "4,1,1");
  PetscInt first = 0, last = 0;
  check(DMCreateLabel(made.dm(), "middle"));
  check(DMPlexGetHeightStratum(made.dm(), 1, &first, &last));
  for (PetscInt facet = first; facet < last; ++facet) {
    PetscReal area = 0, centre[3] = {0, 0, 0}, normal[3] = {0, 0, 0};
    check(DMPlexComputeCellGeometryFVM(made.dm(), facet, &area, centre, normal));
    if (std::abs(centre[0] - 2) < 1e-9) check(DMSetLabelValue(made.dm(), "middle", facet, 1));
  }
  const auto refused = [&](auto&& add_to) {
    Body body(Mesh::adopt(made.dm()), 1);
    body.set_material(material(Law::neo_hookean));
    add_to(body);
    EXPECT_THROW(body.set_up(), MeshError);
  };
  refused([](Body& body) {
    body.add_pressure(
        "middle", [](PetscReal, const Vec3&) { return 1.0; }, true);
  });
  refused([](Body& body) { body.absorb_waves("middle"); });
  refused([](Body& body) { body.add_gas("middle", 1, 1); });
}

}  // namespace gearshift::solid::test
