/// Contact with obstacles: distances, forces, tangents, energies.

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/solid/contact.hpp>

#include "solid/terms.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

namespace gearshift::solid::test {
namespace {

/// The text of an STL file with a sphere of triangles about (0.2, -0.1, 0.3), with the radius 0.5.
std::string sphere_of_triangles(int rows) {
  const auto at = [rows](int i, int j) {
    const double a = M_PI * i / rows, b = M_PI * j / rows;
    return std::array{0.2 + 0.5 * std::sin(a) * std::cos(b), -0.1 + 0.5 * std::sin(a) * std::sin(b),
                      0.3 + 0.5 * std::cos(a)};
  };
  std::string text = "solid sphere\n";
  const auto add = [&](std::array<std::array<double, 3>, 3> corners) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (const auto& x : corners) {
      text += "vertex";
      for (const double c : x) text += " " + std::to_string(c);
      text += "\n";
    }
    text += "endloop\nendfacet\n";
  };
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < 2 * rows; ++j) {
      const int k = (j + 1) % (2 * rows);
      const auto pole = [&](int row) { return row == 0 || row == rows; };
      const auto vertex = [&](int row, int column) { return at(row, pole(row) ? 0 : column); };
      if (!pole(i)) add({vertex(i, j), vertex(i + 1, j), vertex(i, k)});
      if (!pole(i + 1)) add({vertex(i, k), vertex(i + 1, j), vertex(i + 1, k)});
    }
  return text + "endsolid sphere\n";
}

std::vector<Obstacle> obstacles() {
  return {plane({0.1, 0.2, -0.3}, {1, -2, 2}),
          sphere({0.2, -0.1, 0.3}, 0.7),
          cylinder({0.2, -0.1, 0.3}, {1, 2, -2}, 0.4),
          solid::box(Vec3{0.2, -0.1, 0.3}, Vec3{0.5, 0.7, 0.4}),
          obstacle(Expression("z-0.2*sin(2*x+y)-0.1*t*x")),
          inside_of(sphere({0.2, -0.1, 0.3}, 2)),
          closed_surface(sphere_of_triangles(40))};
}

Vec3 shifted(Vec3 x, std::size_t c, PetscReal by) {
  x[c] += by;
  return x;
}

/// A state in motion.
struct Moving {
  explicit Moving(const Body& body, PetscReal e = 0) : q(vector(body, wavy)), v(vector(body, ripple)), a(vector(body)) {
    if (e != 0) check(VecAXPY(q.get(), e, v.get()));
  }
  State at(PetscReal t) const { return {t, q.get(), v.get(), a.get()}; }
  Handle<Vec> q, v, a;
};

/// A turning sphere that covers a part of xmax and ymax of a deformed body.
std::unique_ptr<Body> body_on_sphere(PetscReal friction, PetscReal viscosity, int cells, bool turns = true) {
  auto body = std::make_unique<Body>(slanted(cells), 2);
  body->set_material(material(Law::neo_hookean));
  Contact contact{.name = "ball", .faces = {"xmax", "ymax"}, .obstacle = sphere({0.2, 1.2, 0.6}, 1.6)};
  contact.centre = {-0.2, 1, 0.5};
  contact.motion.emplace("0.1*t,0.2*t,0-0.3*t^2");
  if (turns) contact.rotation.emplace("0.5*t,t,0.2+t^2");
  contact.stiffness = 2;
  contact.viscosity = viscosity;
  contact.friction = friction;
  contact.slip_speed = 0.9;  // some points creep, others slide
  body->add_contact(contact);
  body->set_up();
  return body;
}

}  // namespace

TEST(Contact, NormalsAndCurvaturesAreDerivativesOfTheDistance) {
  constexpr PetscReal e = 1e-5;
  const std::vector<Obstacle> all = obstacles();
  for (const Obstacle& any : all) {
    const PetscReal third = &any == &all.back() ? 3e3 : 1;  // the third derivatives of the spline jump
    for (const Vec3& x : {Vec3{0.9, 0.4, 1.1}, Vec3{-0.6, 0.7, 0.2}, Vec3{0.5, -0.12, 0.35}, Vec3{0.3, 0.1, 0.45}}) {
      if (third != 1 && x[0] * x[0] > 0.3) continue;  // far from the triangles there is no spline
      const Distance there = any(0.7, x);
      std::size_t k = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const Distance up = any(0.7, shifted(x, i, e)), down = any(0.7, shifted(x, i, -e));
        EXPECT_NEAR((up.d - down.d) / (2 * e), there.normal[i], 1e-8);
        for (std::size_t j = i; j < 3; ++j, ++k)
          EXPECT_NEAR((up.normal[j] - down.normal[j]) / (2 * e), there.curvature[k], 1e-7 * third);
      }
      EXPECT_NEAR((any(0.7 + e, x).d - any(0.7 - e, x).d) / (2 * e), there.rate, 1e-8);
    }
  }
}

TEST(Contact, ASphereOfTrianglesIsNearlyASphere) {
  const Obstacle exact = sphere({0.2, -0.1, 0.3}, 0.5), triangles = closed_surface(sphere_of_triangles(60));
  for (const Vec3& x : {Vec3{0.9, 0.4, 1.1}, Vec3{0.2, -0.1, 0.81}, Vec3{0.5, 0.2, 0.6}, Vec3{-0.1, -0.3, 0.0}}) {
    EXPECT_NEAR(triangles(0, x).d, exact(0, x).d, 1e-3);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(triangles(0, x).normal[c], exact(0, x).normal[c], 1e-2);
  }
  std::string open = sphere_of_triangles(8);
  open.resize(open.rfind("facet normal"));
  EXPECT_THROW(closed_surface(open), OptionError);
  EXPECT_THROW(closed_surface("solid nothing\nendsolid\n"), OptionError);
  EXPECT_THROW(closed_surface("vertex 1 2"), OptionError);
}

/// The grid of distances resolves the shortest side, too; far away the distance is exact.
TEST(Contact, AThinPlateOfTrianglesHasAnInside) {
  const std::array<Vec3, 8> corners{Vec3{0, 0, 0},    Vec3{1, 0, 0},    Vec3{0, 1, 0},    Vec3{1, 1, 0},
                                    Vec3{0, 0, 0.01}, Vec3{1, 0, 0.01}, Vec3{0, 1, 0.01}, Vec3{1, 1, 0.01}};
  std::string text = "solid plate\n";
  for (const std::array<std::size_t, 4>& side :
       {std::array<std::size_t, 4>{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}})
    for (const std::array<std::size_t, 3>& half : {std::array<std::size_t, 3>{0, 1, 2}, {0, 2, 3}}) {
      text += "facet\nouter loop\n";
      for (const std::size_t i : half) {
        text += "vertex";
        for (const double c : corners[side[i]]) text += " " + std::to_string(c);
        text += "\n";
      }
      text += "endloop\nendfacet\n";
    }
  const Obstacle plate = closed_surface(text);
  EXPECT_NEAR(plate(0, {0.4, 0.6, 0.004}).d, -0.004, 1e-3);
  EXPECT_NEAR(plate(0, {0.4, 0.6, 0.012}).d, 0.002, 1e-4);
  EXPECT_NEAR(plate(0, {0.4, 0.6, 0.012}).normal[2], 1, 1e-3);
  EXPECT_NEAR(plate(0, {0.4, 0.6, 3.01}).d, 3, 1e-12);
  EXPECT_NEAR(plate(0, {-3, -4, 0}).d, 5, 1e-12);
  EXPECT_TRUE(std::isnan(plate(0, {PETSC_INFINITY, 0, 0}).d));
}

TEST(Contact, BinaryFilesAreReadLikeText) {
  const std::string text = sphere_of_triangles(6);
  std::string binary(80, ' ');
  std::vector<float> numbers;
  for (std::size_t at = text.find("vertex"); at != std::string::npos; at = text.find("vertex", at + 1)) {
    std::array<float, 3> x{};
    ASSERT_EQ(std::sscanf(text.c_str() + at, "vertex %f %f %f", &x[0], &x[1], &x[2]), 3);
    numbers.insert(numbers.end(), x.begin(), x.end());
  }
  const auto count = static_cast<std::uint32_t>(numbers.size() / 9);
  binary.append(reinterpret_cast<const char*>(&count), 4);
  for (std::uint32_t i = 0; i < count; ++i) {
    binary.append(12, '\0');
    binary.append(reinterpret_cast<const char*>(&numbers[9 * i]), 36);
    binary.append(2, '\0');
  }
  EXPECT_NEAR(closed_surface(binary)(0, {0.1, 0.2, 0.3}).d, closed_surface(text)(0, {0.1, 0.2, 0.3}).d, 1e-6);
}

TEST(Contact, TangentsAreDerivativesWithFrictionAndMotion) {
  for (const int cells : {0, 1, 3})
    for (const PetscReal friction : {0.0, 0.4})
      for (const PetscReal viscosity : {0.0, 0.7}) {
        SCOPED_TRACE(testing::Message() << cells << " " << friction << " " << viscosity);
        const auto body = body_on_sphere(friction, viscosity, cells);
        EXPECT_EQ(body->symmetric(), friction == 0 && viscosity == 0);
        const Moving x(*body);
        ASSERT_GT(body->contact_reports(x.at(0.3))[0].area, 0.2);
        const auto along = vector(*body, [](const Vec3& X) {
          return Vec3{std::sin(3 * X[1]), std::cos(2 * X[2] + X[0]), 0.5 - X[0] * X[1]};
        });
        const auto tangent = body->make_linearization();
        tangent->update(x.at(0.3));
        for (const Shifts s : {Shifts{1, 0, 0}, Shifts{0, 1, 0}, Shifts{2, -1.5, 0}}) {
          auto product = vector(*body);
          tangent->apply(s, along.get(), product.get());
          constexpr PetscReal e = 1e-6;
          auto difference = vector(*body);
          for (const PetscReal sign : {1.0, -1.0}) {
            const Moving moved(*body);
            check(VecAXPY(moved.q.get(), sign * e * s.q, along.get()));
            check(VecAXPY(moved.v.get(), sign * e * s.v, along.get()));
            auto r = vector(*body);
            body->residual(moved.at(0.3), r.get());
            check(VecAXPY(difference.get(), sign, r.get()));  // exactly 0 if the forces do not depend on v
          }
          check(VecAXPBY(difference.get(), -1, 1 / (2 * e), product.get()));
          EXPECT_LE(biggest(difference.get()), 2e-6 * biggest(product.get()));
        }
      }
}

/// The power of the contact's forces on the body is that of the moved obstacle, less the dissipation and the growth of
/// the stored energy.
TEST(Contact, EnergiesBalance) {
  for (const bool turns : {false, true}) {
    const auto body = body_on_sphere(0.4, 0.7, 0, turns);
    constexpr PetscReal t = 0.3, e = 1e-5, gone = 1000;  // the sphere is far away then
    const Moving x(*body), later(*body, e), before(*body, -e);
    auto r = vector(*body), own = vector(*body);
    body->residual(x.at(t), r.get());
    body->residual(x.at(gone), own.get());
    check(VecAXPY(r.get(), -1, own.get()));
    PetscScalar power = 0;
    check(VecDot(r.get(), x.v.get(), &power));
    const Energy now = *body->energy(x.at(t));
    const PetscReal growth =
        (body->energy(later.at(t + e))->contact - body->energy(before.at(t - e))->contact) / (2 * e);
    EXPECT_GT(now.power_friction, 0);
    EXPECT_GT(now.power_dissipated, 1.01 * now.power_friction);
    EXPECT_NEAR(power, growth + now.power_dissipated - now.power_prescribed, 1e-6 * now.power_dissipated);
    EXPECT_NEAR(now.stored - now.contact, body->energy(x.at(gone))->stored, 1e-12 * now.stored);
  }
}

/// The velocities of a static solution have no meaning, so that there is neither friction nor viscosity.
TEST(Contact, StaticsHasNoVelocities) {
  const auto body = body_on_sphere(0.4, 0.7, 0);
  const Moving x(*body);
  State at_rest = x.at(0.3);
  at_rest.internal.rate = 0;
  EXPECT_GT(body->energy(x.at(0.3))->power_friction, 0);
  const Energy now = *body->energy(at_rest);
  EXPECT_GT(now.contact, 0);
  EXPECT_EQ(now.power_friction, 0);
  EXPECT_EQ(now.power_dissipated, 0);
  EXPECT_EQ(now.power_prescribed, 0);
}

/// A block on a plane carries its weight, wherever the plane is.
TEST(Contact, AnElasticBlockRestsOnAPlane) {
  for (const int degree : {1, 2}) {
    Body body(box("2,2,3"), degree);
    body.set_material({.law = Law::linear_elastic, .E = 1000, .nu = 0, .rho = 2});
    body.set_gravity([](PetscReal, const Vec3&) { return Vec3{0, 0, -10}; }, true);
    body.fix("xmin", 0);
    body.fix("ymin", 1);
    body.add_contact({.name = "floor", .faces = {"zmin"}, .obstacle = plane({0, 0, 0}, {0, 0, 1}), .stiffness = 100});
    body.set_up();
    Stepper stepper(body, body.layout());
    const auto zero = vector(body);
    stepper.set_initial_state(0, zero.get(), zero.get());
    stepper.solve_static(0);
    const ContactReport report = body.contact_reports(stepper.state())[0];
    EXPECT_NEAR(report.pressure, 20, 1e-6) << degree;
    EXPECT_NEAR(report.area, 1, 1e-12) << degree;
    EXPECT_NEAR(report.penetration, 20 / (100 * 1000.0 * 3 * degree), 1e-9) << degree;
    EXPECT_NEAR(body.loads(stepper.state())[0].sum[2], 20, 1e-6) << degree;
  }
}

TEST(Contact, RefusesWhatMakesNoSense) {
  Body body(box("1,1,1"), 1);
  const Contact good{.name = "wall", .faces = {"zmin"}, .obstacle = plane({0, 0, 0}, {0, 0, 1})};
  const auto refused = [&](auto change) {
    Contact contact = good;
    change(contact);
    EXPECT_THROW(body.add_contact(contact), OptionError);
  };
  refused([](Contact& c) { c.name = "zmax"; });
  refused([](Contact& c) { c.name.clear(); });
  refused([](Contact& c) { c.faces.clear(); });
  refused([](Contact& c) { c.obstacle = {}; });
  refused([](Contact& c) { c.with = {"zmax"}; });
  refused([](Contact& c) { c.with_itself = true; });
  refused([](Contact& c) {
    c.obstacle = {};
    c.with = {"zmax"};
    c.motion.emplace("t,0,0");
  });
  refused([](Contact& c) { c.stiffness = 0; });
  refused([](Contact& c) { c.friction = -1; });
  refused([](Contact& c) { c.viscosity = -1; });
  refused([](Contact& c) { c.slip_speed = 0; });
  refused([](Contact& c) { c.motion.emplace("x,0,0"); });
  body.add_contact(good);
  refused([](Contact&) {});
  Contact unknown = good;
  unknown.name = "other";
  unknown.faces = {"nowhere"};
  EXPECT_THROW(body.add_contact(unknown), MeshError);
  EXPECT_THROW(plane({0, 0, 0}, {0, 0, 0}), OptionError);
  EXPECT_THROW(sphere({0, 0, 0}, 0), OptionError);
  EXPECT_THROW(solid::box(Vec3{0, 0, 0}, Vec3{1, 0, 1}), OptionError);
}

}  // namespace gearshift::solid::test
