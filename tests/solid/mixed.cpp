/// Bodies with an independent pressure field.

#include <gearshift/dynamics/stepper.hpp>

#include "solid/boxes.hpp"

using namespace gearshift;
using namespace gearshift::solid;
using namespace gearshift::solid::test;

namespace {

Material rubber(Law law, PetscReal nu) {
  Material result = material(law);
  result.nu = nu;
  result.yield = law == Law::j2 ? 0.1 : 0;
  result.hardening = law == Law::j2 ? 0.2 : 0;
  result.bulk = 2.0 / 3 + 0.6 + 2 * nu / (1 - 2 * nu);
  return result;
}

constexpr Law mixed_laws[] = {Law::linear_elastic, Law::neo_hookean, Law::mooney_rivlin, Law::j2};

std::unique_ptr<Body> make(Mesh mesh, int degree, const Material& of, Formulation formulation = Formulation::mixed) {
  auto body = std::make_unique<Body>(std::move(mesh), degree);
  body->set_material(of);
  body->set_formulation(formulation);
  return body;
}

Mesh distorted(Filling kind, const std::string& cells) {
  Mesh mesh = box_of(kind, cells);
  distort(mesh, 0.03);
  return mesh;
}

const std::initializer_list<std::pair<Filling, int>> elements{
    {Filling::hexahedra, 1},  {Filling::hexahedra, 2}, {Filling::hexahedra, 4},           {Filling::tetrahedra, 2},
    {Filling::tetrahedra, 3}, {Filling::wedges, 2},    {Filling::hexahedra_and_wedges, 2}};

}  // namespace

// For a uniform stretch the pressure is constant, and every projection of it equals the pressure itself.
TEST(Mixed, IsTheBodyItselfWhereTheStretchIsTheSameEverywhere) {
  const auto affine = [](const Vec3& X) {
    return Vec3{0.05 * X[0] - 0.02 * X[1] + 0.3, 0.03 * X[0] + 0.04 * X[1], -0.02 * X[1] + 0.06 * X[2]};
  };
  for (const Law law : mixed_laws)
    for (const auto& [kind, degree] : elements) {
      std::array<Vec3, 2> powers{};
      std::array<PetscReal, 2> energies{};
      for (const Formulation formulation : {Formulation::displacement, Formulation::mixed}) {
        const auto i = static_cast<std::size_t>(formulation);
        auto body = make(distorted(kind, "2,2,2"), degree, rubber(law, 0.45), formulation);
        body->set_up();
        auto q = vector(*body, affine);
        auto forces = vector(*body);
        body->residual({0, q.get(), nullptr, nullptr}, forces.get());
        for (std::size_t turn = 0; turn < 3; ++turn) {
          const auto way = vector(*body, [turn](const Vec3& X) { return ripple({X[turn], X[(turn + 1) % 3], X[0]}); });
          powers[i][turn] = inner(forces.get(), way.get());
        }
        energies[i] = body->energy({0, q.get(), nullptr, nullptr})->stored;
        body->visit_points({0, q.get(), nullptr, nullptr}, [&](PetscInt, std::span<const PointState> points) {
          for (const PointState& point : points) EXPECT_GT(point.energy, 0);
        });
      }
      for (std::size_t turn = 0; turn < 3; ++turn)
        EXPECT_NEAR(powers[1][turn], powers[0][turn], 1e-12 * (1 + std::abs(powers[0][turn])))
            << name_of(law) << " " << name_of(kind) << degree;
      EXPECT_NEAR(energies[1], energies[0], 1e-12 * energies[0]);
    }
}

TEST(Mixed, ForcesAreThePotentialsAndTangentsAreTheirs) {
  for (const Law law : mixed_laws)
    for (const auto& [kind, degree] : elements) {
      auto body = make(distorted(kind, "2,1,2"), degree, rubber(law, 0.499));
      body->set_up();
      auto q = vector(*body, wavy), x = vector(*body, ripple), y = vector(*body), r = vector(*body), at = vector(*body),
           Ax = vector(*body), Ay = vector(*body), sum = vector(*body);
      check(VecScale(q.get(), law == Law::j2 ? 0.1 : 1));  // stays elastic
      body->interpolate([](PetscReal, const Vec3& X) { return ripple({X[2], X[0], X[1]}); }, 0, y.get());
      body->residual({0, q.get(), nullptr, nullptr}, r.get());
      auto tangent = body->make_linearization();
      tangent->update({0, q.get(), nullptr, nullptr});
      tangent->apply({1, 0, 0}, x.get(), Ax.get());
      tangent->apply({1, 0, 0}, y.get(), Ay.get());
      EXPECT_LT(std::abs(inner(Ax.get(), y.get()) - inner(Ay.get(), x.get())), 1e-12 * norm(Ax.get()) * norm(y.get()));
      const PetscReal eps = 1e-6;
      PetscReal difference = 0;
      for (const PetscReal sign : {1.0, -1.0}) {
        check(VecWAXPY(at.get(), sign * eps, x.get(), q.get()));
        difference += sign * body->energy({0, at.get(), nullptr, nullptr})->stored / (2 * eps);
        body->residual({0, at.get(), nullptr, nullptr}, Ay.get());
        check(VecAXPY(sum.get(), sign / (2 * eps), Ay.get()));
      }
      EXPECT_NEAR(difference, inner(r.get(), x.get()), 1e-6 * norm(r.get()) * norm(x.get())) << name_of(law);
      check(VecAXPY(sum.get(), -1, Ax.get()));
      EXPECT_LT(norm(sum.get()), 1e-6 * norm(Ax.get())) << name_of(law) << " " << name_of(kind) << degree;
    }
}

// Forces and products of the law, the pressure and inertia are computed in one pass; those of inertia also separately.
TEST(Mixed, AddsInertia) {
  std::vector<std::pair<Filling, int>> all(elements);
  all.insert(all.end(), {{Filling::hexahedra, 6}, {Filling::wedges, 1}});
  for (const char* points : {"double", "float"})
    for (const auto& [kind, degree] : all) {
      SCOPED_TRACE(std::string(name_of(kind)) + std::to_string(degree) + points);
      const Options options(std::vector<std::pair<std::string, std::string>>{{"-solid_points", points}});
      auto body = make(distorted(kind, "2,1,2"), degree, rubber(Law::neo_hookean, 0.499));
      body->set_up();
      const auto q = vector(*body, wavy), x = vector(*body, ripple), at_rest = vector(*body), inertia = vector(*body),
                 forces = vector(*body), stiffness = vector(*body), product = vector(*body);
      body->residual({0, q.get(), nullptr, nullptr}, at_rest.get());
      body->residual({0, q.get(), nullptr, x.get()}, forces.get());
      auto tangent = body->make_linearization();
      tangent->update({0, q.get(), nullptr, nullptr});
      tangent->apply({0, 0, 1}, x.get(), inertia.get());
      tangent->apply({1, 0, 0}, x.get(), stiffness.get());
      tangent->apply({0.7, 0, 0.3}, x.get(), product.get());
      const PetscReal scale = norm(forces.get());
      EXPECT_GT(norm(inertia.get()), 1e-6 * scale);
      check(VecAXPY(forces.get(), -1, at_rest.get()));
      check(VecAXPY(forces.get(), -1, inertia.get()));
      EXPECT_LT(norm(forces.get()), 1e-13 * scale);
      const PetscReal size = norm(product.get());
      check(VecAXPY(product.get(), -0.7, stiffness.get()));
      check(VecAXPY(product.get(), -0.3, inertia.get()));
      EXPECT_LT(norm(product.get()), 1e-13 * size);
    }
}

// u = curl of a smooth field, with the body force of a Stokes flow: the error has the order of the degree and does not
// depend on nu.
TEST(Mixed, ErrorsHaveTheFullOrderAndDoNotGrowWithNu) {
  const auto exact = [](const Vec3& X) {
    return Vec3{0.1 * std::sin(X[0]) * std::cos(X[1]), -0.1 * std::cos(X[0]) * std::sin(X[1]), 0.05 * std::sin(X[0])};
  };
  for (const int degree : {1, 2, 3}) {
    std::array<PetscReal, 2> soft{};
    for (const PetscReal nu : {0.4, 0.4999}) {
      std::array<PetscReal, 2> errors{};
      for (std::size_t level = 0; level < 2; ++level) {
        auto body = make(distorted(Filling::hexahedra, level == 0 ? "3,3,3" : "6,6,6"), degree,
                         {.law = Law::linear_elastic, .E = 2 * (1 + nu), .nu = nu, .rho = 1});
        body->set_gravity(
            [&](PetscReal, const Vec3& X) {
              const Vec3 u = exact(X);
              return Vec3{2 * u[0], 2 * u[1], u[2]};  // -laplace u
            },
            true);
        for (const char* side : {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"})
          body->move(side, [&](PetscReal, const Vec3& X) { return MotionValue{exact(X), {}, {}}; });
        body->set_up();
        auto q = vector(*body), wanted = vector(*body, exact);
        newton(*body, 0, q.get(), 1e-12, 1e-12, 3);
        check(VecAXPY(q.get(), -1, wanted.get()));
        errors[level] = norm(q.get()) / norm(wanted.get());
      }
      if (nu < 0.45) soft = errors;
      EXPECT_GT(std::log2(errors[0] / errors[1]), degree + 0.6) << "degree " << degree << " nu " << nu;
      for (std::size_t level = 0; level < 2; ++level) {
        EXPECT_LT(errors[level], (degree == 1 ? 3 : 1.4) * soft[level]) << "degree " << degree << " level " << level;
      }
    }
  }
}

// Solves to 1e-8 at nu = 0.49, 0.499, 0.4999, for any degree.
TEST(Mixed, SolvesDoNotKnowNu) {
  const std::array<PetscReal, 3> nus{0.49, 0.499, 0.4999};
  const std::array<PetscInt, 3> most{25, 30, 40};
  for (const auto& [kind, degree] : std::initializer_list<std::pair<Filling, int>>{
           {Filling::hexahedra, 2}, {Filling::hexahedra, 3}, {Filling::tetrahedra, 2}})
    for (std::size_t i = 0; i < nus.size(); ++i) {
      const bool simple = kind == Filling::hexahedra;
      auto body = make(simple ? box("12,3,3", "4,1,1") : tetrahedra("8,2,2", "4,1,1"), degree,
                       rubber(Law::linear_elastic, nus[i]));
      body->clamp("xmin");
      body->set_up();
      LinearProblem problem(*body);
      auto rhs = vector(*body,
                        [](const Vec3&X) {
                          return Vec3{0, 0, X[0] > 3.99 ? 1.0 : 0.0};
                        }),
           x = vector(*body), q = vector(*body), left = vector(*body);
      problem.mask(rhs.get(), 0);
      problem.update(q.get(), {1, 0, 0});
      const PetscInt before = body->inner_iterations(), outer = problem.solve(rhs.get(), x.get(), 1e-8);
      EXPECT_TRUE(outer == 1 || outer == 2) << outer;
      const PetscInt taken = body->inner_iterations() - before;
      EXPECT_LE(taken, (simple ? 1 : 2) * most[i] + (outer - 1) * 15) << name_of(kind) << degree << " nu " << nus[i];
      check(MatMult(problem.shell(), x.get(), left.get()));
      check(VecAXPY(left.get(), -1, rhs.get()));
      EXPECT_LT(norm(left.get()), 1.0001e-8 * norm(rhs.get()));
    }
}

// A cantilever that rotates by half a radian in one load step: Newton's method in displacements only does not converge.
TEST(Mixed, BendsFarInOneLoadStep) {
  auto body = make(box("10,2,2", "5,1,1"), 2, {.law = Law::neo_hookean, .E = 1e6, .nu = 0.4999, .rho = 1000});
  body->clamp("xmin");
  body->add_traction(
      "xmax",
      [](PetscReal, const Vec3&) {
        return Vec3{0, 0, -2000};
      },
      true);
  body->set_up();
  Stepper stepper(*body, body->layout());
  auto rest = vector(*body);
  stepper.set_initial_state(0, rest.get(), rest.get());
  const Report report = stepper.solve_static(0);
  EXPECT_LE(report.newton_iterations, 16);  // 10 on some processors, depending on rounding
  EXPECT_LE(report.krylov_iterations, 60 * report.newton_iterations);
  EXPECT_FALSE(report.last.unstable);
  PetscReal lowest = 0;
  check(VecMin(stepper.state().q, nullptr, &lowest));
  EXPECT_NEAR(lowest, -0.97418, 1e-4);
}

// Torsion preserves volume and is in equilibrium in every incompressible body (Rivlin): a body held on all sides
// follows its faces, since it can keep its total volume.
TEST(Mixed, FollowsFacesThatHoldItOnAllSides) {
  for (const PetscReal angle : {0.1, 0.6}) {
    const auto torsion = [angle](const Vec3& X) {
      const PetscReal x = X[0] - 0.5, y = X[1] - 0.5, c = std::cos(angle * X[2]) - 1, s = std::sin(angle * X[2]);
      return Vec3{c * x - s * y, s * x + c * y, 0};
    };
    auto body = make(distorted(Filling::hexahedra, "3,3,3"), 2, rubber(Law::neo_hookean, 0.4999));
    for (const char* side : {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"})
      body->move(side, [&](PetscReal, const Vec3& X) { return MotionValue{torsion(X), {}, {}}; });
    body->set_up();
    body->set_load_factor(0);
    Stepper stepper(*body, body->layout());
    auto rest = vector(*body), exact = vector(*body, torsion);
    stepper.set_initial_state(0, rest.get(), rest.get());
    body->set_load_factor(1);
    const Report report = stepper.solve_static(0);
    EXPECT_LE(report.newton_iterations, 8) << angle;
    EXPECT_LE(report.krylov_iterations, 60 * report.newton_iterations) << angle;
    check(VecAXPY(exact.get(), -1, stepper.state().q));
    EXPECT_LT(norm(exact.get()), 0.004 * norm(stepper.state().q)) << angle;
  }
}

// A column far above its buckling load is in equilibrium, and leaves it under any perturbation.
TEST(Mixed, SeesWhatBuckles) {
  for (const PetscReal load : {10.0, 40.0}) {  // Euler's load: pi^2 E / 48 / 10^2 = 20.6 (E = 1e4)
    auto body = make(box("10,1,1", "10,1,1"), 2, {.law = Law::neo_hookean, .E = 1e4, .nu = 0.4999, .rho = 1});
    body->clamp("xmin");
    body->add_traction(
        "xmax",
        [load](PetscReal, const Vec3&) {
          return Vec3{-load, 0, 0};
        },
        true);
    body->set_up();
    Stepper stepper(*body, body->layout());
    auto rest = vector(*body);
    stepper.set_initial_state(0, rest.get(), rest.get());
    EXPECT_EQ(stepper.solve_static(0).last.unstable, load > 20.6) << load;
  }
}

TEST(Mixed, AssembledTangentsAreTheProducts) {
  for (const int degree : {1, 2}) {
    auto body = make(distorted(Filling::hexahedra, "2,2,1"), degree, rubber(Law::neo_hookean, 0.49));
    body->set_solver(Solver::amg);
    body->clamp("xmin");
    body->set_up();
    LinearProblem problem(*body);
    auto q = vector(*body, wavy), x = vector(*body, ripple), Ax = vector(*body), Px = vector(*body);
    problem.mask(x.get(), 0);
    problem.update(q.get(), {1, 0, 0.5});
    Mat P = nullptr;
    check(KSPGetOperators(problem.ksp(), nullptr, &P));
    check(MatMult(problem.shell(), x.get(), Ax.get()));
    check(MatMult(P, x.get(), Px.get()));
    problem.mask(Px.get(), 0);
    problem.mask(Ax.get(), 0);
    check(VecAXPY(Px.get(), -1, Ax.get()));
    EXPECT_LT(norm(Px.get()), 1e-12 * norm(Ax.get())) << degree;
  }
}

TEST(Mixed, RefusesWhatItCannotHold) {
  const auto refused = [](std::unique_ptr<Body> body) { EXPECT_THROW(body->set_up(), OptionError); };
  refused(make(box("2,1,1"), 2, material(Law::st_venant_kirchhoff)));
  refused(make(tetrahedra("1,1,1"), 1, rubber(Law::neo_hookean, 0.49)));
  refused(make(box("2,1,1"), 2, rubber(Law::neo_hookean, -0.1)));
  auto plain = make(box("2,1,1"), 2, rubber(Law::neo_hookean, 0.49));
  plain->set_solver(Solver::jacobi);
  refused(std::move(plain));
}
