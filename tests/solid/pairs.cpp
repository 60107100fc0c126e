/// Contact between faces of the mesh: forces, tangents, energies, equilibria.

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/solid/contact.hpp>

#include "petsc/queries.hpp"
#include "solid/two_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace gearshift::solid::test {
namespace {

Vec3 small_flow(const Vec3& X) {
  return {0.1 * std::cos(2 * X[1]) - 0.05 * X[2], 0.07 * std::sin(3 * X[2]), 0.1 * X[0] * X[1] - 0.03};
}

struct Moving {
  explicit Moving(const Body& body, PetscReal e = 0)
      : q(vector(body, small_wave)), v(vector(body, small_flow)), a(vector(body)) {
    if (e != 0) check(VecAXPY(q.get(), e, v.get()));
  }
  State at(PetscReal t) const { return {t, q.get(), v.get(), a.get()}; }
  Handle<Vec> q, v, a;
};

}  // namespace

TEST(Pairs, TangentsAreDerivatives) {
  for (const Given& given : kinds) {
    SCOPED_TRACE(testing::Message() << name_of(given.below) << " " << name_of(given.above) << " " << given.degree);
    const auto body = two_blocks(given);
    EXPECT_EQ(body->symmetric(), given.friction == 0 && given.viscosity == 0);
    const Moving x(*body);
    ASSERT_GT(body->contact_reports(x.at(0))[0].area, 0.2);
    const auto along = vector(*body, [](const Vec3& X) {
      return Vec3{std::sin(3 * X[1]), std::cos(2 * X[2] + X[0]), 0.5 - X[0] * X[1]};
    });
    const auto tangent = body->make_linearization();
    tangent->update(x.at(0));
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
        body->residual(moved.at(0), r.get());
        check(VecAXPY(difference.get(), sign / (2 * e), r.get()));
      }
      check(VecAXPY(difference.get(), -1, product.get()));
      // Third derivatives of facets are left out; they count with the square of the gap.
      const PetscReal part = given.degree < 3 ? 3e-6 : 5e-3;
      EXPECT_LE(biggest(difference.get()), part * biggest(product.get()) + 1e-9) << s.q << " " << s.v;
    }
  }
}

/// Internal forces and those of a contact are in equilibrium, and their power is the dissipation and the growth of the
/// stored energy.
TEST(Pairs, ForcesBalanceAndEnergiesToo) {
  for (const Given& given : kinds) {
    SCOPED_TRACE(testing::Message() << name_of(given.below) << " " << name_of(given.above) << " " << given.degree);
    const auto body = two_blocks(given);
    const Moving x(*body);
    auto r = vector(*body);
    body->residual(x.at(0), r.get());
    const PetscReal size = norm(r.get());
    auto places = vector(*body, [](const Vec3& X) { return X; });
    check(VecAXPY(places.get(), 1, x.q.get()));
    for (std::size_t c = 0; c < 3; ++c) {
      const auto shift = vector(*body, [c](const Vec3&) {
        Vec3 e{};
        e[c] = 1;
        return e;
      });
      EXPECT_LE(std::abs(inner(r.get(), shift.get())), 1e-13 * size * norm(shift.get()));
      auto turn = vector(*body);
      {
        const petsc::ReadView at(places.get());
        petsc::WriteView to(turn.get());
        for (std::size_t i = 0; i < at.size(); i += 3) {
          to[i + (c + 1) % 3] = -at[i + (c + 2) % 3];
          to[i + (c + 2) % 3] = at[i + (c + 1) % 3];
        }
      }
      EXPECT_LE(std::abs(inner(r.get(), turn.get())), 1e-12 * size * norm(turn.get()));
    }
    constexpr PetscReal e = 1e-5;
    const Moving later(*body, e), before(*body, -e);
    const Energy now = *body->energy(x.at(0));
    const PetscReal growth = (body->energy(later.at(e))->stored - body->energy(before.at(-e))->stored) / (2 * e);
    const PetscReal power = inner(r.get(), x.v.get());
    EXPECT_EQ(now.power_friction > 0, given.friction > 0);
    EXPECT_NEAR(power, growth + now.power_dissipated, 1e-6 * std::abs(power));
  }
}

/// Blocks of equal stiffness under a pressure, with meshes that do not match: the stress is uniform up to the error of
/// integrating the shape functions of one side over the facets of the other; with matching meshes it is exact.
TEST(Pairs, APressureIsUniform) {
  for (const bool match : {true, false})
    for (const int degree : {1, 2}) {
      const bool itself = match && degree == 1;  // both faces as one, whose facets face each other at a distance of 0
      SCOPED_TRACE(testing::Message() << match << " " << degree);
      Body body(assembly({{"low", Filling::hexahedra, {3, 3, 2}, between({0, 0, 0}, {1, 1, 1})},
                          {"up", match ? Filling::hexahedra : Filling::wedges_and_tetrahedra,
                           match ? std::array{3, 3, 2} : std::array{2, 2, 2}, between({0, 0, 1}, {1, 1, 2})}}),
                degree);
      body.set_material({.law = Law::linear_elastic, .E = 1000, .nu = 0.3, .rho = 2});
      for (const char* part : {"low", "up"}) {
        body.fix(std::string(part) + "_xmin", 0);
        body.fix(std::string(part) + "_ymin", 1);
      }
      body.fix("low_zmin", 2);
      body.add_traction("up_zmax", [](PetscReal, const Vec3&) { return Vec3{0, 0, -1}; });
      Contact contact{.name = "touch", .faces = {"low_zmax"}, .stiffness = 10};
      (itself ? contact.faces : contact.with).push_back("up_zmin");
      contact.with_itself = itself;
      body.add_contact(contact);
      body.set_up();
      Stepper stepper(body, body.layout());
      const auto zero = vector(body);
      stepper.set_initial_state(0, zero.get(), zero.get());
      stepper.solve_static(0);
      const ContactReport report = body.contact_reports(stepper.state())[0];
      const PetscReal error = match ? 1e-7 : 0.01;
      EXPECT_NEAR(report.pressure, 1, error);
      EXPECT_NEAR(report.area, itself ? 2 : 1, 1e-12);
      // Springs in series: 1/k = h / (c M) + h / (c M), with cells of 1/2 of length.
      EXPECT_NEAR(report.penetration, 2 * 0.5 / degree / (10 * 1000 * 0.7 / (1.3 * 0.4)), error * report.penetration);
      const auto exact = vector(body, [&](const Vec3& X) { return Vec3{3e-4 * X[0], 3e-4 * X[1], -1e-3 * X[2]}; });
      check(VecAXPY(exact.get(), -1, stepper.state().q));
      EXPECT_LE(biggest(exact.get()), (1 + 5 * error) * report.penetration);
    }
}

/// Two free blocks of unlike stiffness fly against each other: momentum is kept to Newton's tolerance, energy to that
/// of the steps, and the soft block flies off again.
TEST(Pairs, FreeBlocksBounce) {
  Body body(assembly({{"soft", Filling::hexahedra, {2, 2, 2}, between({0, 0, 0}, {1, 1, 1})},
                      {"stiff", Filling::hexahedra, {1, 2, 1}, between({1.01, -0.1, 0.2}, {2, 1.3, 0.9})}}),
            2);
  body.set_material({.law = Law::neo_hookean, .E = 100, .nu = 0.3, .rho = 1});
  body.set_material("stiff", {.law = Law::neo_hookean, .E = 1e8, .nu = 0.3, .rho = 1});
  body.add_contact({.name = "touch", .faces = {"soft_xmax"}, .with = {"stiff_xmin"}});
  body.set_up();
  Stepper stepper(body, body.layout(), {.adapt = Adapt::order, .rtol = 1e-3, .t_end = 0.5});
  const auto zero = vector(body), v = vector(body, [](const Vec3&X) { return Vec3{X[0] < 1.005 ? 1.0 : -0.5, 0, 0}; });
  stepper.set_initial_state(0, zero.get(), v.get());
  const auto before = body.momentum(stepper.state());
  const Energy start = *body.energy(stepper.state());
  stepper.advance_to(0.5);
  const auto after = body.momentum(stepper.state());
  const Energy end = *body.energy(stepper.state());
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(after.sum[c], before.sum[c], 1e-5) << c;
    EXPECT_NEAR(after.moment[c], before.moment[c], 2e-4) << c;
  }
  EXPECT_NEAR(end.kinetic + end.stored, start.kinetic, 0.03 * start.kinetic);
  EXPECT_EQ(end.contact, 0);
  EXPECT_GT(body.contact_reports(stepper.state())[0].penetration, 1e-3);
}

/// A block slides on another one as on a rigid plane, where its upper nodes stop after 0.528: v^2 / (2 mu g) = 0.5, the
/// way before it first touches, and its tilt.
TEST(Pairs, FrictionStopsABlock) {
  Body body(assembly({{"floor", Filling::hexahedra, {5, 2, 1}, between({0, 0, 0}, {5, 2, 1})},
                      {"block", Filling::tetrahedra, {2, 1, 1}, between({0.5, 0.6, 1.0001}, {1.5, 1.4, 1.5})}}),
            1);
  body.set_material({.law = Law::neo_hookean, .E = 1e4, .nu = 0.3, .rho = 1});
  body.clamp("floor_zmin");
  body.set_gravity([](PetscReal, const Vec3&) { return Vec3{0, 0, -10}; }, true);
  body.add_contact(
      {.name = "slide", .faces = {"block_zmin"}, .with = {"floor_zmax"}, .friction = 0.4, .slip_speed = 0.02});
  body.set_up();
  EXPECT_FALSE(body.symmetric());
  Stepper stepper(body, body.layout(), {.adapt = Adapt::order, .rtol = 1e-3, .t_end = 0.8});
  const auto v = vector(body, [](const Vec3& X) { return Vec3{X[2] > 1.00005 ? 2.0 : 0.0, 0, 0}; });
  stepper.set_initial_state(0, vector(body).get(), v.get());
  stepper.advance_to(0.8);
  PetscReal way = 0, count = 0;
  const auto places = vector(body, [](const Vec3& X) { return X; });
  {
    const petsc::ReadView X(places.get()), q(stepper.state().q);
    for (std::size_t i = 0; i < X.size(); i += 3)
      if (X[i + 2] > 1.2) {
        way += q[i];
        count += 1;
      }
  }
  PetscReal sums[2] = {way, count};
  check(MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPIU_REAL, MPI_SUM, PETSC_COMM_WORLD));
  EXPECT_NEAR(sums[0] / sums[1], 0.528, 0.01);
}

/// A body whose whole surface may touch itself has no contact forces unless it is folded.
TEST(Pairs, ABodyThatIsNotFoldedDoesNotTouchItself) {
  for (const int cells : {0, 1, 3}) {
    std::vector<Handle<Vec>> residuals;
    for (const bool contact : {false, true}) {
      Body body(slanted(cells), 2);
      body.set_material(material(Law::neo_hookean));
      if (contact) body.add_contact({.name = "self", .faces = body.mesh().face_names(), .with_itself = true});
      body.set_up();
      const auto q = vector(body, wavy), zero = vector(body);
      residuals.push_back(vector(body));
      body.residual({0, q.get(), zero.get(), zero.get()}, residuals.back().get());
    }
    const PetscReal size = norm(residuals[0].get());
    EXPECT_NEAR(norm(residuals[1].get()), size, 1e-13 * size) << cells;  // other sums on several ranks
  }
}

/// Blocks that overlap press on each other also if their faces touch themselves: they are two bodies.
TEST(Pairs, OverlappingBodiesTouchThemselves) {
  PetscReal sizes[2] = {};
  for (const bool itself : {false, true}) {
    Body body(assembly({{"low", Filling::hexahedra, {3, 3, 2}, between({0, 0, 0}, {1, 1, 1})},
                        {"up", Filling::tetrahedra, {2, 2, 2}, between({0, 0, 0.97}, {1, 1, 2})}}),
              1);
    body.set_material(material(Law::neo_hookean));
    Contact contact{.name = "touch", .faces = {"low_zmax"}};
    (itself ? contact.faces : contact.with).push_back("up_zmin");
    contact.with_itself = itself;
    body.add_contact(contact);
    body.set_up();
    const auto zero = vector(body);
    auto r = vector(body);
    body.residual({0, zero.get(), zero.get(), zero.get()}, r.get());
    sizes[itself ? 1 : 0] = norm(r.get());
  }
  EXPECT_GT(sizes[0], 0);
  EXPECT_NEAR(sizes[1], sizes[0], 1e-12 * sizes[0]);
}

/// Under an inclined face the gap at a node is smaller than at its place, also if the facet on its left belongs to
/// another rank.
TEST(Pairs, GapsAtNodesAreThoseOfAllFacetsAround) {
  Body body(assembly({{"low", Filling::hexahedra, {8, 2, 1}, between({0, 0, 0}, {2, 0.5, 0.5})},
                      {"up",
                       Filling::hexahedra,
                       {8, 2, 1},
                       [](const Vec3& X) {
                         return Vec3{2 * X[0], 0.5 * X[1], 0.51 + 0.2 * X[0] * (1 - X[2]) + X[2]};
                       }}}),
            1);
  body.set_material(material(Law::neo_hookean));
  body.add_contact({.name = "touch", .faces = {"low_zmax"}, .with = {"up_zmin"}});
  body.set_up();
  const auto zero = vector(body);
  std::vector<Vec3> fields;
  body.contact_fields({0, zero.get(), zero.get(), zero.get()}, fields);
  PetscInt seen = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Vec3& X = body.space().coordinates()[i];
    if (std::abs(X[2] - 0.5) > 1e-12 || X[0] == 0) continue;
    ++seen;
    EXPECT_LT(fields[i][1], 0.01 + 0.1 * (X[0] - 0.15)) << X[0];
    EXPECT_GT(fields[i][1], 0.99 * (0.01 + 0.1 * (X[0] - 0.25))) << X[0];
  }
  EXPECT_GT(petsc::reduced(PETSC_COMM_WORLD, MPI_SUM, static_cast<PetscReal>(seen)), 20);
}

/// The same bits whatever state was evaluated before, with another search.
TEST(Pairs, ForcesDoNotDependOnTheLastSearch) {
  for (const Given& given : kinds) {
    const auto body = two_blocks(given);
    const Moving x(*body);
    auto first = vector(*body), other = vector(*body), again = vector(*body),
         far = vector(*body, [](const Vec3&X) {
           return Vec3{0.5 * X[0], -0.2 * X[1], 0.4 * X[2]};
         });
    body->residual(x.at(0), first.get());
    body->residual({0, far.get(), x.v.get(), x.a.get()}, other.get());
    body->residual(x.at(0), again.get());
    check(VecAXPY(again.get(), -1, first.get()));
    EXPECT_EQ(norm(again.get()), 0);
  }
}

}  // namespace gearshift::solid::test
