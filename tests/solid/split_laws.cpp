/// Laws with a separate volumetric energy: closed forms, published curves, derivatives, objectivity, small strains.

#include <gearshift/solid/material.hpp>

#include "solid/material/law_description.hpp"
#include "solid/material/laws/arruda_boyce.hpp"
#include "solid/material/laws/holzapfel.hpp"
#include "solid/material/laws/isochoric_mooney_rivlin.hpp"
#include "solid/material/laws/isochoric_neo_hookean.hpp"
#include "solid/material/laws/ogden.hpp"
#include "solid/material/laws/yeoh.hpp"
#include "solid/material/maxwell.hpp"
#include "solid/numerics/eigen.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace gearshift;
using namespace gearshift::solid;

namespace {

/// Calls `use` for examples of each law, with their shear and bulk moduli at small strains.
template <class Use>
void with_laws(Use&& use) {
  for (int form = 0; form < 3; ++form) {
    const double bulk = 3.7;
    const auto parameters = [&](std::vector<double> p) {
      for (int other = 0; other < 3; ++other) p.push_back(other == form ? bulk : 0);
      return p;
    };
    const std::string U = form == 0 ? " log2" : form == 1 ? " simo" : " quadratic";
    use(IsochoricNeoHookeanLaw{}, parameters({0.8}), 0.8, bulk, "isochoric_neo_hookean" + U);
    use(IsochoricMooneyRivlinLaw{}, parameters({0.7, 0.3}), 1.0, bulk, "isochoric_mooney_rivlin" + U);
    use(YeohLaw{}, parameters({0.4, -0.05, 0.02}), 0.8, bulk, "yeoh" + U);
    use(ArrudaBoyceLaw{}, parameters({0.4, 0.02, 0.003, 1e-4, 1e-5}), 0.8, bulk, "arruda_boyce" + U);
    use(OgdenLaw{}, parameters({0.63, 1.3, 0.0012, 5, -0.01, -2}), 0.4225, bulk, "ogden" + U);
    // Fibre directions that the samples stretch and directions that they shorten; the latter have no effect at rest.
    use(HolzapfelLaw{}, parameters({0.5, 0.9, 0.1, 0.6, 0.6, 0.8, 0, 0.4, 0, -0.6, 0.8}), 0.5, bulk, "holzapfel" + U);
  }
}

template <class L>
Tensor<double> tangent(const double* p, const Tensor<double>& H, const Tensor<double>& dH) {
  double T[prepared_size<L>];
  Tensor<double> dP;
  L::prepare(p, H, T);
  L::dstress(p, T, dH, dP);
  return dP;
}

Tensor<double> scaled(const Tensor<double>& A, double factor) {
  Tensor<double> result;
  for (int i = 0; i < 9; ++i) result.e[i] = factor * A.e[i];
  return result;
}

Tensor<double> sum(const Tensor<double>& A, const Tensor<double>& B) {
  Tensor<double> result;
  for (int i = 0; i < 9; ++i) result.e[i] = A.e[i] + B.e[i];
  return result;
}

double largest(const Tensor<double>& A) {
  double result = 0;
  for (const double entry : A.e) result = std::max(result, std::abs(entry));
  return result;
}

Tensor<double> diagonal(double a, double b, double c) { return {a - 1, 0, 0, 0, b - 1, 0, 0, 0, c - 1}; }

const Tensor<double> direction{{0.3, -0.2, 0.1, 0.5, -0.4, 0.25, -0.15, 0.35, 0.45}};
const Tensor<double> other{{-0.4, 0.3, 0.2, 0.15, 0.6, -0.25, 0.35, -0.1, 0.45}};
/// All different; two equal stretches; all equal; nearly equal; large.
const Tensor<double> samples[] = {{{0.21, -0.13, 0.08, 0.05, -0.11, 0.17, -0.09, 0.14, 0.12}},
                                  diagonal(0.9, 1.3, 0.9),
                                  diagonal(1.2, 1.2, 1.2),
                                  diagonal(1.1, 1.1 + 1e-9, 1.1 - 3e-7),
                                  {{1.5, 0.9, -0.2, -0.4, 0.8, 0.6, 0.3, -0.7, 0.2}}};

/// Returns the axial nominal stress of uniaxial tension; the transverse stretch follows from zero stress, by bisection.
template <class L>
double uniaxial(const double* p, double stretch, double& across) {
  double low = 0.5 * std::pow(stretch, -0.5), high = 2 * std::pow(stretch, -0.5);
  Tensor<double> P;
  for (int i = 0; i < 100; ++i) {
    across = (low + high) / 2;
    L::stress(p, diagonal(stretch, across, across), P);
    (P(1, 1) > 0 ? high : low) = across;
  }
  return P(0, 0);
}

}  // namespace

TEST(SplitLaws, HaveExactAndSymmetricTangents) {
  with_laws([](auto law, const std::vector<double>& values, double, double, const std::string& name) {
    using L = decltype(law);
    const double* p = values.data();
    for (const auto& H : samples) {
      const bool at_jump = name.starts_with("holzapfel") && (&H == &samples[2] || &H == &samples[3]);
      if (at_jump) continue;  // Fbar = I: fibres are at the point of becoming taut
      const double eps = 1e-5;
      const Tensor<double> plus = sum(H, scaled(direction, eps)), minus = sum(H, scaled(direction, -eps));
      Tensor<double> P, P_plus, P_minus;
      L::stress(p, H, P);
      L::stress(p, plus, P_plus);
      L::stress(p, minus, P_minus);
      const auto dP = tangent<L>(p, H, direction), there = tangent<L>(p, H, other);
      const double size = std::max(1.0, largest(dP));
      EXPECT_NEAR((L::energy(p, plus) - L::energy(p, minus)) / (2 * eps), dot(P, direction), 1e-8 * size) << name;
      for (int i = 0; i < 9; ++i)
        EXPECT_NEAR((P_plus.e[i] - P_minus.e[i]) / (2 * eps), dP.e[i], 1e-7 * size) << name << i;
      EXPECT_NEAR(dot(dP, other), dot(there, direction), 1e-13 * size) << name;
    }
  });
}

TEST(SplitLaws, DoNotDependOnTheFrame) {
  const double a = 0.7, b = -1.1;
  const Tensor<double> Q = product(Tensor<double>{std::cos(a), -std::sin(a), 0, std::sin(a), std::cos(a), 0, 0, 0, 1},
                                   Tensor<double>{1, 0, 0, 0, std::cos(b), -std::sin(b), 0, std::sin(b), std::cos(b)});
  with_laws([&](auto law, const std::vector<double>& values, double, double, const std::string& name) {
    using L = decltype(law);
    const double* p = values.data();
    for (const auto& H : samples) {
      Tensor<double> turned = product(Q, plus_identity(H)), P, P_turned;
      for (int i = 0; i < 9; i += 4) turned.e[i] -= 1;
      L::stress(p, H, P);
      L::stress(p, turned, P_turned);
      EXPECT_LT(largest(sum(P_turned, scaled(product(Q, P), -1))), 1e-13 * std::max(1.0, largest(P))) << name;
      EXPECT_NEAR(L::energy(p, turned), L::energy(p, H), 1e-13 * std::max(1.0, L::energy(p, H))) << name;
      // P F' is symmetric: the moment is zero.
      const Tensor<double> F = plus_identity(H);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < i; ++j) {
          double skew = 0;
          for (int k = 0; k < 3; ++k) skew += P(i, k) * F(j, k) - P(j, k) * F(i, k);
          EXPECT_NEAR(skew, 0, 2e-13 * std::max(1.0, largest(P))) << name;
        }
    }
  });
}

TEST(SplitLaws, AreLinearElasticAtSmallStrains) {
  with_laws([](auto law, const std::vector<double>& values, double mu, double bulk, const std::string& name) {
    using L = decltype(law);
    const double* p = values.data();
    const Tensor<double> none{};
    Tensor<double> P;
    L::stress(p, none, P);
    EXPECT_EQ(largest(P), 0) << name;
    EXPECT_EQ(L::energy(p, none), 0) << name;
    const auto expected = [&](const Tensor<double>& H) {
      Tensor<double> result = scaled(twice_symmetric(H), mu);
      for (int i = 0; i < 9; i += 4) result.e[i] += (bulk - 2 * mu / 3) * trace(H);
      return result;
    };
    EXPECT_LT(largest(sum(tangent<L>(p, none, direction), scaled(expected(direction), -1))), 1e-14) << name;
    if (name.starts_with("holzapfel")) return;  // fibres switch between taut and slack at any small strain
    const Tensor<double> H = scaled(direction, 1e-9), linear = expected(H);
    L::stress(p, H, P);
    EXPECT_LT(largest(sum(P, scaled(linear, -1))), 1e-8 * largest(linear)) << name;
    EXPECT_NEAR(L::energy(p, H) / (0.5 * dot(linear, H)), 1, 1e-8) << name;
  });
}

/// Stretches l, m, m with any change of volume, compared with d/dl and d/dm of W(l, m) written in these variables.
TEST(SplitLaws, AgreeWithClosedForms) {
  const double K = 5;
  for (const double l : {0.6, 0.95, 1.4, 3.0})
    for (const double m : {0.7, 1.0, 1.3}) {
      const double J = l * m * m, s = std::pow(J, -2.0 / 3), I1 = s * (l * l + 2 * m * m),
                   D = s * 2 * (l * l - m * m) / 3;
      // J sigma_1 = l dW/dl: deviatoric parts by l d(Ibar)/dl = 2 D, then J U'.
      const double volumetric[] = {K * std::log(J), K / 2 * (J * J - 1), K * J * (J - 1)};
      const double energies[] = {K / 2 * std::pow(std::log(J), 2), K / 4 * (J * J - 1 - 2 * std::log(J)),
                                 K / 2 * (J - 1) * (J - 1)};
      const auto check = [&](auto law, std::vector<double> p, double W, double axial, const char* name) {
        using L = decltype(law);
        for (std::size_t form = 0; form < 3; ++form) {
          std::vector<double> all = p;
          for (std::size_t i = 0; i < 3; ++i) all.push_back(i == form ? K : 0);
          Tensor<double> P;
          L::stress(all.data(), diagonal(l, m, m), P);
          EXPECT_NEAR(L::energy(all.data(), diagonal(l, m, m)), W + energies[form], 1e-12 * (1 + W)) << name << form;
          EXPECT_NEAR(l * P(0, 0), axial + volumetric[form], 1e-12 * (1 + std::abs(axial) + K * J * J)) << name << form;
          // The deviator has zero trace.
          EXPECT_NEAR(m * P(1, 1), -axial / 2 + volumetric[form], 1e-12 * (1 + std::abs(axial) + K * J * J))
              << name << form;
        }
      };
      check(IsochoricNeoHookeanLaw{}, {0.8}, 0.4 * (I1 - 3), 0.8 * D, "neo-Hooke");
      const double I2 = s * s * (2 * l * l * m * m + std::pow(m, 4)), D2 = s * s * 2 * m * m * (l * l - m * m) / 3;
      check(IsochoricMooneyRivlinLaw{}, {0.7, 0.3}, 0.35 * (I1 - 3) + 0.15 * (I2 - 3), 0.7 * D + 0.3 * D2,
            "Mooney-Rivlin");
      const double t = I1 - 3;
      check(YeohLaw{}, {0.4, -0.05, 0.02}, 0.4 * t - 0.05 * t * t + 0.02 * t * t * t,
            2 * (0.4 - 0.1 * t + 0.06 * t * t) * D, "Yeoh");
      const Material chains{.law = Law::arruda_boyce, .rho = 1, .mu1 = 0.7, .bulk = 5, .parameters = {1.8}};
      const std::vector<double> own = law_parameters(chains);
      double W_chains = 0, slope = 0;
      const double C[] = {1.0 / 2, 1.0 / 20, 11.0 / 1050, 19.0 / 7000, 519.0 / 673750};
      for (int i = 1; i <= 5; ++i) {
        W_chains += 0.7 * C[i - 1] / std::pow(1.8, 2 * i - 2) * (std::pow(I1, i) - std::pow(3, i));
        slope += 0.7 * C[i - 1] / std::pow(1.8, 2 * i - 2) * i * std::pow(I1, i - 1);
      }
      check(ArrudaBoyceLaw{}, {own.begin(), own.begin() + 5}, W_chains, 2 * slope * D, "Arruda-Boyce");
      double W = 0, axial = 0;
      const double mu[] = {0.63, 0.0012, -0.01}, alpha[] = {1.3, 5, -2};
      for (int r = 0; r < 3; ++r) {
        const double first = std::pow(l * std::sqrt(s), alpha[r]), second = std::pow(m * std::sqrt(s), alpha[r]);
        W += mu[r] / alpha[r] * (first + 2 * second - 3);
        axial += mu[r] * 2 * (first - second) / 3;
      }
      check(OgdenLaw{}, {0.63, 1.3, 0.0012, 5, -0.01, -2}, W, axial, "Ogden");
      // Fibres along l, or around it at an angle; slack ones carry no stress.
      const double k1 = 0.6, k2 = 0.9, spread = 0.1, c = 0.8, d = 0.6;
      const double I4 = s * (c * c * l * l + d * d * m * m),
                   E = std::max(0.0, spread * t + (1 - 3 * spread) * (I4 - 1));
      const double pull = k1 * E * std::exp(k2 * E * E), D4 = s * (4.0 / 3 * c * c * l * l - 2.0 / 3 * d * d * m * m);
      const double axial_fibres = 2 * pull * (spread * 2 * D + (1 - 3 * spread) * D4);
      const double W_fibres = k1 / k2 * std::expm1(k2 * E * E);
      // Two families crossed in the plane of l and the second m: shears cancel, but the stresses along both m differ.
      std::vector<double> p{0.5, k2, spread, k1, c, d, 0, k1, c, -d, 0, 0, 0, K};
      Tensor<double> P;
      HolzapfelLaw::stress(p.data(), diagonal(l, m, m), P);
      EXPECT_NEAR(l * P(0, 0), 0.5 * D + axial_fibres + volumetric[2], 1e-12 * (1 + axial_fibres + K * J * J));
      EXPECT_NEAR(P(0, 1), 0, 1e-14 * (1 + std::abs(axial_fibres)));
      EXPECT_NEAR(HolzapfelLaw::energy(p.data(), diagonal(l, m, m)), 0.25 * t + W_fibres + energies[2],
                  1e-12 * (1 + W_fibres));
    }
}

/// Incompressible closed forms are approached as 1/K by exact compressible solutions.
TEST(SplitLaws, ApproachIncompressibleRubber) {
  const double K = 1e6;
  for (const double l : {0.5, 0.9, 1.5, 4.0}) {
    double across = 0;
    const double neo[] = {0.8, 0, K, 0}, yeoh[] = {0.4, -0.005, 0.001, K, 0, 0}, mooney[] = {0.7, 0.3, 0, 0, K};
    const double t = l * l + 2 / l - 3, D = l - 1 / (l * l);
    EXPECT_NEAR(uniaxial<IsochoricNeoHookeanLaw>(neo, l, across), 0.8 * D, 2e-4);
    EXPECT_NEAR(l * across * across, 1, 1e-5);
    EXPECT_NEAR(uniaxial<IsochoricMooneyRivlinLaw>(mooney, l, across), (0.7 + 0.3 / l) * D, 2e-4);
    EXPECT_NEAR(uniaxial<YeohLaw>(yeoh, l, across), 2 * (0.4 - 0.01 * t + 0.003 * t * t) * D, 2e-4);
    // Equibiaxial tension and pure shear use other stretches; the pressure balances the third stress.
    const double volume_of = 1;
    for (const bool shear : {false, true}) {
      const double second = shear ? 1 : l, third = volume_of / (l * second);
      Tensor<double> P;
      YeohLaw::stress(yeoh, diagonal(l, second, third), P);
      const double I1 = l * l + second * second + third * third - 3;
      EXPECT_NEAR(P(0, 0) - P(2, 2) * third / l, 2 * (0.4 - 0.01 * I1 + 0.003 * I1 * I1) * (l - third * third / l),
                  1e-12 * K * 1e-3);
    }
  }
}

/// Eight chains with the inverse Langevin function, coth b - 1/b = y; the series holds far from full extension: dW/dI1
/// = mu L b / (6 lambda), lambda^2 = I1 / 3, y = lambda / L. (E. Arruda, M. Boyce, J. Mech. Phys. Solids 41, 1993)
TEST(SplitLaws, ArrudaBoyceIsTheChainsItApproximates) {
  const double mu = 0.27, L = std::sqrt(26.5), K = 1e5;
  const Material rubber{.law = Law::arruda_boyce, .rho = 1, .mu1 = mu, .bulk = K, .parameters = {L}};
  const std::vector<double> p = law_parameters(rubber);
  for (const auto& [l, error] : {std::pair{1.2, 1e-5}, {2.0, 1e-5}, {3.0, 1e-4}, {4.0, 1e-3}}) {
    const double lambda = std::sqrt((l * l + 2 / l) / 3), y = lambda / L;
    double b = 3 * y;
    for (int i = 0; i < 50; ++i)
      b -= (1 / std::tanh(b) - 1 / b - y) / (1 / (b * b) - 1 / (std::sinh(b) * std::sinh(b)));
    double across = 0;
    const double exact = 2 * mu * L * b / (6 * lambda) * (l - 1 / (l * l));
    EXPECT_NEAR(uniaxial<ArrudaBoyceLaw>(p.data(), l, across), exact, (error + 1e-5) * exact) << l;
  }
  EXPECT_NEAR(lame(rubber).mu,
              mu * (1 + 3 / (5 * L * L) + 99 / (175 * std::pow(L, 4)) + 513 / (875 * std::pow(L, 6)) +
                    42039 / (67375 * std::pow(L, 8))),
              1e-14);
}

/// Treloar's rubber at 20 degrees C in simple tension, equibiaxial tension and pure shear, as fitted by Ogden's three
/// terms (R. Ogden, Proc. R. Soc. Lond. A 326, 1972; data: L. Treloar, Trans. Faraday Soc. 40, 1944).
TEST(SplitLaws, OgdenFollowsTreloar) {
  const double p[] = {6.3, 1.3, 0.012, 5, -0.1, -2, 0, 1e6, 0};  // bar
  const auto nominal = [&](double l, double power) {             // f = sum of mu (l^(alpha-1) - l^(power alpha - 1))
    double f = 0;
    for (int r = 0; r < 3; ++r) f += p[2 * r] * (std::pow(l, p[2 * r + 1] - 1) - std::pow(l, power * p[2 * r + 1] - 1));
    return f;
  };
  const double tension[][2] = {{1.12, 0.14}, {1.24, 0.23}, {1.39, 0.32}, {1.61, 0.41}, {1.89, 0.50}, {2.17, 0.58},
                               {2.42, 0.67}, {3.01, 0.85}, {3.58, 1.04}, {4.03, 1.21}, {4.76, 1.58}, {5.36, 1.94},
                               {5.76, 2.29}, {6.16, 2.67}, {6.40, 3.02}, {6.62, 3.39}, {6.87, 3.75}, {7.05, 4.12},
                               {7.16, 4.47}, {7.27, 4.85}, {7.43, 5.21}, {7.50, 5.57}, {7.61, 6.30}};  // N/mm^2
  double squares = 0, all = 0;
  for (const auto& [l, f] : tension) {
    double across = 0;
    const double ours = uniaxial<OgdenLaw>(p, l, across);
    EXPECT_NEAR(ours, nominal(l, -0.5), 1e-3 * std::abs(ours));
    if (l > 7) continue;  // here crystallisation stiffens the rubber, and data scatter
    squares += (0.1 * ours - f) * (0.1 * ours - f);
    all += f * f;
  }
  // The curve passes through the points of figure 1.
  EXPECT_LT(std::sqrt(squares / all), 0.03);
  for (const double l : {1.5, 2.5, 4.0})
    for (const double power : {-2.0, -1.0}) {  // equibiaxial; pure shear, whose second stretch is 1
      const double second = power == -2 ? l : 1;
      Tensor<double> P;
      OgdenLaw::stress(p, diagonal(l, second, 1 / (l * second)), P);
      EXPECT_NEAR(P(0, 0) - P(2, 2) / (l * l * second), nominal(l, power), 1e-9 * nominal(l, power) + 1e-8);
    }
}

/// The isochoric part used by Maxwell branches is the law without U.
TEST(SplitLaws, HaveTheirIsochoricPart) {
  with_laws([](auto law, const std::vector<double>& values, double, double, const std::string& name) {
    using L = decltype(law);
    std::vector<double> without = values;
    std::fill(without.end() - 3, without.end(), 0.0);
    for (const auto& H : samples) {
      Tensor<double> P, expected;
      Isochoric<L>::stress(values.data(), H, P);
      L::stress(without.data(), H, expected);
      EXPECT_LT(largest(sum(P, scaled(expected, -1))), 1e-13 * std::max(1.0, largest(expected))) << name;
    }
  });
}
