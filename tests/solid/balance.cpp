/// Forces and moments of supports and loads in equilibrium, and dead pressures that do not follow the face.

#include <gearshift/dynamics/stepper.hpp>

#include "terms.hpp"

namespace gearshift::solid {
namespace {

using namespace test;

/// Computes the static equilibrium of a body.
void solve(Body& body, Stepper& stepper) {
  stepper.set_from_options();
  stepper.set_initial_state(0, vector(body).get(), vector(body).get());
  stepper.solve_static(0);
}

/// Supports meet in edges; loads also act on supported faces. Only regions have a material here; the rest of the body,
/// which has no cells, has another one.
TEST(Balance, ForcesAndMomentsOfAllFacesAddUpToZero) {
  const char *zmin = "1", *zmax = "2", *ymin = "3", *ymax = "4", *xmax = "5", *xmin = "6";  // faces of PETSc's boxes
  for (const Law law : {Law::linear_elastic, Law::st_venant_kirchhoff, Law::neo_hookean, Law::mooney_rivlin})
    for (const Law rest : {Law::linear_elastic, Law::neo_hookean}) {
      SCOPED_TRACE(std::string(name_of(law)) + " in the regions, " + name_of(rest) + " elsewhere");
      const Mesh mesh = box("3,2,2", "3,2,1", "1,1,0.5");
      mark(mesh, "left", [](const Vec3& X) { return X[0] < 1.7; });
      mark(mesh, "right", [](const Vec3& X) { return X[0] > 1.7; });
      Body body(Mesh::adopt(mesh.dm()), 2);
      body.set_material(material(rest));
      body.set_material("left", material(law));
      Material stiff = material(law);
      for (PetscReal* modulus : {&stiff.E, &stiff.mu1, &stiff.mu2, &stiff.bulk}) *modulus *= 3;
      body.set_material("right", stiff);
      body.clamp(xmin);
      body.fix(ymin, 1);
      body.move(zmin, VectorExpression("0,0,0.02*(x-1)"));
      body.add_traction(xmax, VectorExpression("0.02,0.1*y,0.03"));
      body.add_traction(ymin, VectorExpression("0,0,0.05"));
      body.add_pressure(ymax, Expression("0.1+0.05*z"));
      body.add_dead_pressure(zmax, Expression("0.1+0.05*x"));
      body.set_up();
      const Options tight({{"-snes_rtol", "1e-13"}, {"-ksp_rtol", "1e-10"}});
      Stepper stepper(body, body.layout());
      solve(body, stepper);
      EXPECT_GT(biggest(stepper.state().q), 0.02);
      Resultant sum, size;
      const auto add_all = [&](const std::vector<Resultant>& all) {
        for (const Resultant& one : all)
          for (std::size_t c = 0; c < 3; ++c) {
            sum.sum[c] += one.sum[c];
            sum.moment[c] += one.moment[c];
            size.sum[0] += std::abs(one.sum[c]);
            size.moment[0] += std::abs(one.moment[c]);
          }
      };
      add_all(body.reactions(stepper.reactions(), stepper.state().q));
      add_all(body.loads(stepper.state()));
      for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(sum.sum[c], 0, 1e-9 * size.sum[0]) << "force " << c;
        EXPECT_NEAR(sum.moment[c], 0, 1e-9 * size.moment[0]) << "moment " << c;
      }
    }
}

/// On a flat face a dead pressure is the traction -p N; on a closed surface its resultant is zero.
TEST(Balance, DeadPressureIsATraction) {
  for (const Filling cells : {Filling::hexahedra, Filling::tetrahedra, Filling::wedges})
    for (int degree = 1; degree <= 2; ++degree)
      for (std::size_t face = 0; face < all_faces.size(); ++face) {
        const auto forces = [&](auto&& load) {
          Body body(box_of(cells, "2,3,2", {1, 2, 1}), degree);
          body.set_material(material(Law::neo_hookean));
          load(body);
          body.set_up();
          EXPECT_TRUE(body.symmetric());
          auto r = vector(body);
          const auto q = vector(body, wavy), zero = vector(body);
          body.external_forces({0, q.get(), zero.get(), zero.get()}, r.get());
          return r;
        };
        const auto value = [&](bool outwards) {  // p N or -p N
          const std::string p = (face % 2 == 1) == outwards ? "1+x*y-0.3*z" : "0-(1+x*y-0.3*z)";
          return VectorExpression(face / 2 == 0 ? p + ",0,0" : face / 2 == 1 ? "0," + p + ",0" : "0,0," + p);
        };
        const auto traction = forces([&](Body& body) { body.add_traction(all_faces[face], value(false)); });
        const auto nothing = forces([&](Body& body) {
          body.add_dead_pressure(all_faces[face], Expression("1+x*y-0.3*z"));
          body.add_traction(all_faces[face], value(true));
        });
        EXPECT_GT(biggest(traction.get()), 0.01);
        EXPECT_LT(biggest(nothing.get()), 1e-14 * biggest(traction.get())) << all_faces[face];
      }
}

TEST(Balance, DeadPressureOfALinearBodyIsLinear) {
  const auto displacement = [](double p, bool follows) {
    Body body(box("3,2,2", "3,1,1"), 2);
    body.set_material(material(Law::linear_elastic));
    body.clamp("xmin");
    const auto value = [p](PetscReal, const Vec3&) { return p; };
    follows ? body.add_pressure("zmax", value, true) : body.add_dead_pressure("zmax", value, true);
    body.set_up();
    const Options tight({{"-snes_rtol", "1e-13"}, {"-ksp_rtol", "1e-13"}});
    Stepper stepper(body, body.layout());
    solve(body, stepper);
    return std::pair{norm(stepper.state().q), inner(stepper.state().q, vector(body, ripple).get())};
  };
  for (const bool follows : {false, true}) {
    const auto once = displacement(0.01, follows), twice = displacement(0.02, follows);
    EXPECT_GT(once.first, 0.05);
    const double change = std::max(std::abs(twice.first - 2 * once.first), std::abs(twice.second - 2 * once.second));
    if (follows)
      EXPECT_GT(change, 1e-4 * once.first);
    else
      EXPECT_LT(change, 1e-10 * once.first);
  }
}

/// Implicit Euler steps change the momentum by dt times the forces at their ends; at a jump of a load, by those before
/// the jump.
TEST(Balance, ForcesOfAStepChangeTheMomentumWhereLoadsJump) {
  Body body(box("3,2,2", "3,1,1"), 2);
  body.set_material(material(Law::neo_hookean));
  body.clamp("xmin");
  body.add_traction("xmax", VectorExpression("0,0.01-0.03*step(t-0.05),0.02*step(t-0.1)"));
  body.add_pressure("zmax", Expression("0.02*t+0.01*step(t-0.05)"));
  body.set_up();
  const Options options({{"-gear_order", "1"},
                         {"-gear_adapt", "none"},
                         {"-gear_dt", "0.02"},
                         {"-snes_rtol", "1e-12"},
                         {"-ksp_rtol", "1e-10"}});
  Stepper stepper(body, body.layout());
  stepper.set_from_options();
  stepper.set_initial_state(0, vector(body).get(), vector(body).get());
  PetscReal before = 0;
  Vec3 momentum{};
  int at_jumps = 0;
  stepper.add_monitor([&](const Stepper& s, const StepReport&) {
    const State at = s.end_of_step();
    Vec3 force{};
    for (const auto& sums : {body.reactions(s.reactions(), at.q), body.loads(at)})
      for (const Resultant& one : sums)
        for (std::size_t c = 0; c < 3; ++c) force[c] += one.sum[c];
    const Vec3 now = body.momentum(at).sum;
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(now[c] - momentum[c], (at.t - before) * force[c], 1e-11) << at.t;
    if (at.t != s.state().t) ++at_jumps;
    before = at.t;
    momentum = now;
  });
  stepper.advance_to(0.12);
  EXPECT_EQ(at_jumps, 2);
}

}  // namespace
}  // namespace gearshift::solid
