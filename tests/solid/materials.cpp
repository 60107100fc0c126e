/// The laws compared with closed forms (evaluated in high precision), their derivatives, and small strains.

#include <gearshift/solid/material.hpp>

#include "solid/material/laws/linear_elastic.hpp"
#include "solid/material/laws/mooney_rivlin.hpp"
#include "solid/material/laws/neo_hookean.hpp"
#include "solid/material/laws/st_venant_kirchhoff.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace gearshift;
using namespace gearshift::solid;

namespace {

struct Case {
  Law law;
  double F[9], W, P[9], dP[9], quadratic;
};

// mu = 1, lambda = 1.5; Mooney-Rivlin with mu1 = 0.7, mu2 = 0.3.
const Case cases[] = {
    {Law::st_venant_kirchhoff,
     {1.2, 0.0, 0.0, 0.0, 0.95, 0.0, 0.0, 0.0, 0.95},
     0.0644078125,
     {0.7485, 0.0, 0.0, 0.0, 0.0819375, 0.0, 0.0, 0.0, 0.0819375},
     {1.784625, 0.26475, -0.018375, 0.535125, -0.1758125, 0.5630625, -0.1149375, 0.5716875, 1.43175},
     1.820871875},
    {Law::st_venant_kirchhoff,
     {1.0, 0.4, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0},
     0.0912,
     {0.28, 0.512, 0.0, 0.4, 0.28, 0.0, 0.0, 0.0, 0.12},
     {1.129, 0.262, 0.218, 0.32, -0.467, 0.67, 0.072, 0.678, 1.359},
     1.66045},
    {Law::st_venant_kirchhoff,
     {1.1, 0.0, 0.0, 0.0, 1.1, 0.0, 0.0, 0.0, 1.1},
     0.10749375,
     {0.75075, 0.0, 0.0, 0.0, 0.75075, 0.0, 0.0, 0.0, 0.75075},
     {1.566, 0.2265, 0.00775, 0.70425, -0.60575, 0.896625, -0.162875, 0.964875, 2.031375},
     2.5201125},
    {Law::neo_hookean,
     {1.2, 0.0, 0.0, 0.0, 0.95, 0.0, 0.0, 0.0, 0.95},
     0.04753328082487214,
     {0.4663353766902336, 0.0, 0.0, 0.0, 0.0232657389771372, 0.0, 0.0, 0.0, 0.0232657389771372},
     {0.8617056295116521, 0.1861392754261928, -0.01584178262785785, 0.3455442898295229, -0.3123645641979921,
      0.5914284119557916, -0.07277214491476143, 0.5938774371112797, 1.366818721980359},
     1.499116078705701},
    {Law::neo_hookean,
     {1.0, 0.4, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0},
     0.08,
     {0.0, 0.4, 0.0, 0.4, 0.0, 0.0, 0.0, 0.0, 0.0},
     {0.625, 0.3, -0.05, 0.33, -0.775, 0.66, -0.15, 0.6, 1.125},
     1.50125},
    {Law::neo_hookean,
     {1.1, 0.0, 0.0, 0.0, 1.1, 0.0, 0.0, 0.0, 1.1},
     0.09038666561377138,
     {0.5808143719267835, 0.0, 0.0, 0.0, 0.5808143719267835, 0.0, 0.0, 0.0, 0.5808143719267835},
     {0.8754803779042657, 0.03599346730600749, 0.02920195980819775, 0.405602613077597, -0.1549104763241448,
      0.4151954271142052, -0.1028013065387985, 0.4679967336530037, 1.096278418096068},
     1.299474310640507},
    {Law::mooney_rivlin,
     {1.2, 0.0, 0.0, 0.0, 0.95, 0.0, 0.0, 0.0, 0.95},
     0.04891872791921607,
     {0.5061353766902336, 0.0, 0.0, 0.0, 0.09008876529292667, 0.0, 0.0, 0.0, 0.09008876529292667},
     {1.030855629511652, 0.1525682227946139, -0.006940466838384166, 0.3466877108821544, -0.1575535531176597,
      0.6460094022605007, -0.07626885544107722, 0.6554924301860719, 1.686240709514985},
     1.675587623027031},
    {Law::mooney_rivlin,
     {1.0, 0.4, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0},
     0.08,
     {0.0, 0.4, 0.0, 0.4, 0.0, 0.0, 0.0, 0.0, 0.048},
     {0.715, 0.408, -0.122, 0.402, -0.685, 0.678, -0.2292, 0.606, 1.3086},
     1.60055},
    {Law::mooney_rivlin,
     {1.1, 0.0, 0.0, 0.0, 1.1, 0.0, 0.0, 0.0, 1.1},
     0.118952503789879,
     {0.7766870991995108, 0.0, 0.0, 0.0, 0.7766870991995108, 0.0, 0.0, 0.0, 0.7766870991995108},
     {1.113960543193522, -0.03413959054523218, 0.05276187716356965, 0.4601158362180929, 0.1200159699568469,
      0.3906722866183375, -0.1237579181090464, 0.4612802047273839, 1.326948666029952},
     1.403150529648772},
};
const Tensor<double> direction{{0.3, -0.2, 0.1, 0.5, -0.4, 0.25, -0.15, 0.35, 0.45}};

template <class Use>
void with_law(Law law, Use&& use) {
  const double isotropic[] = {1.0, 1.5, 0.0}, mooney[] = {0.7, 1.5, 0.3};
  switch (law) {
    case Law::linear_elastic:
      return use(LinearElasticLaw{}, isotropic);
    case Law::st_venant_kirchhoff:
      return use(StVenantKirchhoffLaw{}, isotropic);
    case Law::neo_hookean:
      return use(NeoHookeanLaw{}, isotropic);
    default:
      return use(MooneyRivlinLaw{}, mooney);
  }
}

template <class Law>
Tensor<double> tangent(const double* p, const Tensor<double>& H, const Tensor<double>& dH) {
  double T[tangent_size];
  Tensor<double> dP;
  Law::prepare(p, H, T);
  Law::dstress(p, T, dH, dP);
  return dP;
}

const Tensor<double> sample{{0.21, -0.13, 0.08, 0.05, -0.11, 0.17, -0.09, 0.14, 0.12}};
const Tensor<double> other{{-0.4, 0.3, 0.2, 0.15, 0.6, -0.25, 0.35, -0.1, 0.45}};

}  // namespace

TEST(Materials, AgreeWithClosedForms) {
  for (const auto& c : cases)
    with_law(c.law, [&](auto law, const double* p) {
      using L = decltype(law);
      Tensor<double> H, P;
      for (int i = 0; i < 9; ++i) H.e[i] = c.F[i] - (i % 4 == 0 ? 1 : 0);
      L::stress(p, H, P);
      const auto dP = tangent<L>(p, H, direction);
      EXPECT_NEAR(L::energy(p, H), c.W, 1e-12) << name_of(c.law);
      for (int i = 0; i < 9; ++i) {
        EXPECT_NEAR(P.e[i], c.P[i], 1e-12) << name_of(c.law) << i;
        EXPECT_NEAR(dP.e[i], c.dP[i], 1e-12) << name_of(c.law) << i;
      }
      EXPECT_NEAR(dot(direction, dP), c.quadratic, 1e-12);
    });
}

TEST(Materials, DerivativesAreConsistent) {
  for (const Law kind : {Law::linear_elastic, Law::st_venant_kirchhoff, Law::neo_hookean, Law::mooney_rivlin})
    with_law(kind, [&](auto law, const double* p) {
      using L = decltype(law);
      const double eps = 1e-5;
      Tensor<double> plus = sample, minus = sample, P, P_plus, P_minus;
      for (int i = 0; i < 9; ++i) {
        plus.e[i] += eps * direction.e[i];
        minus.e[i] -= eps * direction.e[i];
      }
      L::stress(p, sample, P);
      L::stress(p, plus, P_plus);
      L::stress(p, minus, P_minus);
      EXPECT_NEAR((L::energy(p, plus) - L::energy(p, minus)) / (2 * eps), dot(P, direction), 1e-9) << name_of(kind);
      const auto dP = tangent<L>(p, sample, direction);
      for (int i = 0; i < 9; ++i) EXPECT_NEAR((P_plus.e[i] - P_minus.e[i]) / (2 * eps), dP.e[i], 1e-8) << name_of(kind);
      EXPECT_NEAR(dot(tangent<L>(p, sample, direction), other), dot(tangent<L>(p, sample, other), direction), 1e-14);
      // The second derivative by dual numbers.
      Tensor<Dual<double>> H, X, second;
      for (int i = 0; i < 9; ++i) {
        H.e[i] = {sample.e[i], direction.e[i]};
        X.e[i] = {other.e[i], 0};
      }
      Dual<double> dual_p[3], T[tangent_size];
      for (int i = 0; i < 3; ++i) dual_p[i] = p[i];
      L::prepare(dual_p, H, T);
      L::dstress(dual_p, T, X, second);
      const auto forward = tangent<L>(p, plus, other), backward = tangent<L>(p, minus, other);
      for (int i = 0; i < 9; ++i)
        EXPECT_NEAR((forward.e[i] - backward.e[i]) / (2 * eps), second.e[i].d, 1e-7) << name_of(kind);
    });
}

TEST(Materials, KeepTheirAccuracyAtSmallStrains) {
  for (const Law kind : {Law::st_venant_kirchhoff, Law::neo_hookean, Law::mooney_rivlin})
    with_law(kind, [&](auto law, const double* p) {
      using L = decltype(law);
      // P and W to second order: P = dP(0) H + (1/2) d2P(0)[H, H], so the relative error of this form is O(|H|^2).
      const double size = 1e-10;
      Tensor<double> H, zero{}, P;
      for (int i = 0; i < 9; ++i) H.e[i] = size * sample.e[i];
      L::stress(p, H, P);
      const auto linear = tangent<L>(p, zero, H);
      Tensor<Dual<double>> at, X, second;
      for (int i = 0; i < 9; ++i) {
        at.e[i] = {0, H.e[i]};
        X.e[i] = {H.e[i], 0};
      }
      Dual<double> dual_p[3], T[tangent_size];
      for (int i = 0; i < 3; ++i) dual_p[i] = p[i];
      L::prepare(dual_p, at, T);
      L::dstress(dual_p, T, X, second);
      double biggest = 0;
      for (int i = 0; i < 9; ++i) biggest = std::max(biggest, std::abs(linear.e[i]));
      for (int i = 0; i < 9; ++i)
        EXPECT_NEAR(P.e[i], linear.e[i] + second.e[i].d / 2, 1e-12 * biggest) << name_of(kind) << i;
      EXPECT_NEAR(L::energy(p, H) / (0.5 * dot(linear, H)), 1, 1e-9) << name_of(kind);
    });
}

TEST(Materials, RefuseParametersThatCannotBe) {
  const Material good{.law = Law::neo_hookean, .E = 1, .nu = 0.3, .rho = 1};
  EXPECT_NO_THROW(check_material(good));
  const auto refused = [&](auto change, const char* name) {
    Material m = good;
    change(m);
    try {
      check_material(m, "body");
      ADD_FAILURE() << name;
    } catch (const OptionError& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("body"), std::string::npos) << error.what();
    }
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refused([&](Material& m) { m.E = 0; }, "E");
  refused([&](Material& m) { m.E = nan; }, "E");
  refused([&](Material& m) { m.nu = 0.5; }, "nu");
  refused([&](Material& m) { m.nu = -1; }, "nu");
  refused([&](Material& m) { m.nu = nan; }, "nu");
  refused([&](Material& m) { m.rho = -1; }, "rho");
  refused([&](Material& m) { m.law = Law::mooney_rivlin; }, "mu1");
  refused([&](Material& m) { m.yield = 1; }, "only the law j2 flows");
  const auto plastic = [&](auto change, const char* name) {
    refused(
        [&](Material& m) {
          m.law = Law::j2;
          m.yield = 2;
          change(m);
        },
        name);
  };
  plastic([&](Material& m) { m.yield = 0; }, "yield");
  plastic([&](Material& m) { m.yield = nan; }, "yield");
  plastic([&](Material& m) { m.hardening = -1; }, "hardening");
  plastic([&](Material& m) { m.voce_saturation = 1; }, "voce_saturation");
  plastic([&](Material& m) { m.voce_saturation = 3; }, "voce_rate");
  plastic([&](Material& m) { m.voce_rate = 3; }, "give voce_saturation with it");
  plastic(
      [&](Material& m) {
        m.prony_g = {0.5};
        m.prony_tau = {1};
      },
      "prony_g");
  EXPECT_THROW(law_of("rubber"), OptionError);
  EXPECT_EQ(law_of("mooney_rivlin"), Law::mooney_rivlin);
}
