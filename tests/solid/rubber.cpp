/// Bodies with laws that have a separate volumetric energy: kernels compared with a plain sum, branches, fibre
/// directions, and solutions near incompressibility.

#include <gearshift/dynamics/stepper.hpp>

#include "solid/material/law_description.hpp"
#include "solid/material/laws/arruda_boyce.hpp"
#include "solid/material/laws/holzapfel.hpp"
#include "solid/material/laws/isochoric_mooney_rivlin.hpp"
#include "solid/material/laws/isochoric_neo_hookean.hpp"
#include "solid/material/laws/ogden.hpp"
#include "solid/material/laws/yeoh.hpp"
#include "solid/plain_sum.hpp"

using namespace gearshift;
using namespace gearshift::solid;
using namespace gearshift::solid::test;

namespace {

Material rubber(Law law) {
  Material m{.law = law, .E = 2.6, .nu = 0.3, .rho = 1.7, .mu1 = 0.7, .mu2 = 0.3, .bulk = 3.0};
  m.volumetric = Volumetric::simo;
  if (law == Law::yeoh) m.c1 = 0.4, m.c2 = -0.05, m.c3 = 0.02;
  if (law == Law::arruda_boyce) m.parameters = {1.8};
  if (law == Law::ogden) m.alpha1 = 1.3, m.alpha2 = 5, m.mu3 = -0.1, m.alpha3 = -2;
  if (law == Law::holzapfel)
    m.k1 = 0.6, m.k2 = 0.9, m.dispersion = 0.1, m.fibre_1 = {"1+x,0.5-y,z"}, m.fibre_2 = {"0,0,2"};
  return m;
}

constexpr Law rubbers[] = {
    Law::isochoric_neo_hookean, Law::isochoric_mooney_rivlin, Law::yeoh, Law::ogden, Law::holzapfel, Law::arruda_boyce};

/// use(law, p of a cell)
template <class Use>
void with_law(const Body& body, Law law, Use&& use) {
  const auto all = [](std::vector<double> p, double bulk) {
    p.insert(p.end(), {0.0, bulk, 0.0});
    return [p](PetscInt) { return p; };
  };
  switch (law) {
    case Law::isochoric_neo_hookean:
      return use(IsochoricNeoHookeanLaw{}, all({1.0}, 2.6 / (3 * 0.4)));
    case Law::isochoric_mooney_rivlin:
      return use(IsochoricMooneyRivlinLaw{}, all({0.7, 0.3}, 3));
    case Law::yeoh:
      return use(YeohLaw{}, all({0.4, -0.05, 0.02}, 3));
    case Law::arruda_boyce: {
      std::vector<double> own = law_parameters(rubber(law));
      own.resize(5);
      return use(ArrudaBoyceLaw{}, all(own, 3));
    }
    case Law::ogden:
      return use(OgdenLaw{}, all({0.7, 1.3, 0.3, 5, -0.1, -2}, 3));
    default:
      return use(HolzapfelLaw{}, [&](PetscInt cell) {
        Vec3 centre{};
        const auto& points = body.space().element(cell).points();
        for (const Vec3& xi : points) {
          const Vec3 X = body.space().mesh_cells().position(cell, xi);
          for (std::size_t i = 0; i < 3; ++i) centre[i] += X[i] / static_cast<double>(points.size());
        }
        // The mean of the points is the centre only in straight cells.
        const Vec3 a{1 + centre[0], 0.5 - centre[1], centre[2]};
        const double length = std::hypot(a[0], a[1], a[2]);
        return std::vector<double>{0.7, 0.9, 0.1, 0.6, a[0] / length, a[1] / length, a[2] / length, 0.6, 0, 0,
                                   1,   0,   3,   0};
      });
  }
}

}  // namespace

TEST(Rubber, AgreesWithAPlainSum) {
  for (const auto& simd : widths())
    for (const Law law : rubbers)
      for (const Cells cells : {Cells::cartesian, Cells::general, Cells::tetrahedra}) {
        if (law == Law::holzapfel && cells == Cells::general) continue;  // see with_law()
        SCOPED_TRACE(simd + ", cells " + std::to_string(static_cast<int>(cells)) + ", " + name_of(law));
        const Options options(std::vector<std::pair<std::string, std::string>>{{"-solid_simd", simd}});
        Body body(mesh_of(cells), 2);
        body.set_material(rubber(law));
        body.set_up();
        const auto u = vector(body, wavy), x = vector(body, ripple);
        auto y = vector(body), expected = vector(body), z = vector(body);
        with_law(body, law, [&](auto kind, auto&& p) {
          using L = decltype(kind);
          reference(body, u.get(), nullptr, x.get(), 1.7, expected.get(),
                    [&](const Tensor<double>& H, const Tensor<double>&, Tensor<double>& P, PetscInt cell, std::size_t) {
                      L::stress(p(cell).data(), H, P);
                    });
          body.residual({0, u.get(), nullptr, x.get()}, y.get());
          EXPECT_LT(relative_gap(y.get(), expected.get()), 1e-13) << "residual";
          const auto tangent = body.make_linearization();
          tangent->update({0, u.get(), nullptr, nullptr});
          reference(
              body, u.get(), x.get(), x.get(), 2.5 * 1.7, expected.get(),
              [&](const Tensor<double>& H, const Tensor<double>& dH, Tensor<double>& dP, PetscInt cell, std::size_t) {
                const auto own = p(cell);
                double T[prepared_size<L>];
                L::prepare(own.data(), H, T);
                L::dstress(own.data(), T, dH, dP);
                for (double& entry : dP.e) entry *= 0.7;
              });
          tangent->apply({0.7, 0, 2.5}, x.get(), y.get());
          EXPECT_LT(relative_gap(y.get(), expected.get()), 1e-13) << "tangent";
          tangent->apply({1, 0, 0}, x.get(), y.get());
          tangent->apply({1, 0, 0}, u.get(), z.get());
          EXPECT_NEAR(inner(u.get(), y.get()), inner(x.get(), z.get()), 1e-13 * norm(u.get()) * norm(y.get()));
        });
      }
}

/// The residual's directional derivative along x, with the internal variables of Maxwell branches at a rate, and dK/du
/// if available, compared with differences.
TEST(Rubber, HasConsistentDerivatives) {
  for (const Law law : rubbers)
    for (const bool branches : {false, true}) {
      SCOPED_TRACE(std::string(name_of(law)) + (branches ? " with branches" : ""));
      Body body(mesh_of(Cells::general), 1);
      Material m = rubber(law);
      if (branches) {
        m.prony_g = {0.3, 0.2};
        m.prony_tau = {0.5, 2};
      }
      body.set_material(m);
      body.set_up();
      const auto u = vector(body, wavy), x = vector(body, ripple);
      auto y = vector(body), plus = vector(body), minus = vector(body), at = vector(body), r = vector(body);
      Handle<Vec> z;
      if (branches) {
        check(VecDuplicate(body.internal_layout(), z.out()));
        check(VecZeroEntries(z.get()));
      }
      const auto state = [&](Vec q) {
        State s{0, q, nullptr, nullptr};
        if (branches) s.internal = {z.get(), 1, 3.7};
        return s;
      };
      const auto tangent = body.make_linearization();
      const double eps = 1e-5;
      for (const double sign : {1.0, -1.0}) {
        check(VecWAXPY(at.get(), sign * eps, x.get(), u.get()));
        body.residual(state(at.get()), sign > 0 ? plus.get() : minus.get());
      }
      check(VecWAXPY(r.get(), -1, minus.get(), plus.get()));
      check(VecScale(r.get(), 1 / (2 * eps)));
      tangent->update(state(u.get()));
      tangent->apply({1, 0, 0}, x.get(), y.get());
      EXPECT_LT(relative_gap(r.get(), y.get()), 1e-7);
      const bool has = tangent->apply_stiffness_derivative(x.get(), u.get(), y.get());
      EXPECT_EQ(has, law != Law::ogden);
      if (!has) continue;
      for (const double sign : {1.0, -1.0}) {
        check(VecWAXPY(at.get(), sign * eps, x.get(), u.get()));
        tangent->update(state(at.get()));
        tangent->apply({1, 0, 0}, u.get(), sign > 0 ? plus.get() : minus.get());
      }
      check(VecWAXPY(r.get(), -1, minus.get(), plus.get()));
      check(VecScale(r.get(), 1 / (2 * eps)));
      EXPECT_LT(relative_gap(r.get(), y.get()), 1e-6);
    }
}

/// A block of nearly incompressible rubber is stretched in three load steps.
TEST(Rubber, IsSolvedNearIncompressibility) {
  for (const Law law : rubbers) {
    SCOPED_TRACE(name_of(law));
    Material m = rubber(law);
    m.nu = 0.49;
    m.bulk = 50;
    if (law == Law::holzapfel) m.fibre_1 = {"1,0.3,0"}, m.fibre_2 = {"1,-0.3,0"};
    Body body(box("4,3,3", "2,1,1"), 2);
    body.set_material(m);
    body.clamp("xmin");
    body.add_traction("xmax", VectorExpression("0.05*t,0.01*t,0"));
    body.set_up();
    const auto q = vector(body);
    Stepper stepper(body, body.layout());
    stepper.set_initial_state(0, q.get(), q.get());
    for (const double t : {1, 2, 3}) {
      const Report report = stepper.solve_static(t);
      EXPECT_LT(report.krylov_iterations, 40 * report.newton_iterations) << t;
      EXPECT_LE(report.newton_iterations, t == 1 ? 20 : 8) << t;
    }
  }
}

TEST(Rubber, RefusesFibresWithoutADirection) {
  Material m = rubber(Law::holzapfel);
  m.fibre_1 = {"step(x-0.7),0,0"};
  Body body(mesh_of(Cells::cartesian), 1);
  body.set_material(m);
  try {
    body.set_up();
    ADD_FAILURE();
  } catch (const OptionError& error) {
    EXPECT_NE(std::string(error.what()).find("has no direction at the centre"), std::string::npos) << error.what();
  }
  EXPECT_THROW(Direction("1,0"), OptionError);
  EXPECT_THROW(Direction("t,0,0"), OptionError);
}
