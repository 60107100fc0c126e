/// Eigenvectors of tensors, differences of logarithms, and the moduli of laws in the current configuration.

#include "solid/material/laws/isochoric_neo_hookean.hpp"
#include "solid/material/laws/j2.hpp"
#include "solid/material/laws/linear_elastic.hpp"
#include "solid/material/laws/mooney_rivlin.hpp"
#include "solid/material/laws/ogden.hpp"
#include "solid/material/laws/st_venant_kirchhoff.hpp"
#include "solid/material/maxwell.hpp"
#include "solid/numerics/pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

using namespace gearshift::solid;

namespace {

using Three = std::array<double, 3>;

/// Equal, nearly equal and widely separated eigenvalues.
const std::vector<Three> spectra{{0, 0, 0},
                                 {0.3, 0.3, 0.3},
                                 {0.7, -0.2, -0.2},
                                 {-0.4, 0.5, 0.5},
                                 {0.1, 0.2, 0.3},
                                 {1, 1 + 1e-8, 1 - 3e-8},
                                 {1, 1 + 1e-8, -0.5},
                                 {0.2, 0.2 + 1e-14, 0.2 - 2e-14},
                                 {0.2, 0.2 + 1e-14, 0.9},
                                 {1, 1e-8, 1e-16},
                                 {1e6, 1, -0.9},
                                 {1e-9, -2e-9, 1e-9},
                                 {1e-9, 1e-33, 0},
                                 {1, 1e-160, 0},
                                 {1e-140, -3e-140, 2e-140}};

/// Returns a rotation.
Tensor<double> rotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  double q[4], size = 0;
  for (double& x : q) x = normal(random), size += x * x;
  for (double& x : q) x /= std::sqrt(size);
  const auto [w, x, y, z] = q;
  return {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
          2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
          2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
}

Tensor<double> with_eigenvalues(const Three& values, const Tensor<double>& R) {
  const Symmetric<double> A = moved(R, Symmetric<double>{values[0], 0, 0, values[1], 0, values[2]});
  return {A.e[0], A.e[1], A.e[2], A.e[1], A.e[3], A.e[4], A.e[2], A.e[4], A.e[5]};
}

template <class P>
Tensor<double> lane(const Tensor<P>& A, int l) {
  Tensor<double> result;
  for (int i = 0; i < 9; ++i) result.e[i] = static_cast<double>(A.e[i].v[l]);
  return result;
}

/// Expects A = N diag(values) N', N' N = I, and the given eigenvalues, in multiples of the rounding of the numbers.
void expect_eigen(const Tensor<double>& A, Three found, const Tensor<double>& N, Three exact, double eps) {
  double size = 0;
  for (const double x : A.e) size = std::max(size, std::abs(x));
  const Symmetric<double> again = moved(N, Symmetric<double>{found[0], 0, 0, found[1], 0, found[2]});
  const Tensor<double> unit = transposed_product(N, N);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      EXPECT_LE(std::abs(again(i, j) - A(i, j)), 12 * eps * size) << i << j;
      EXPECT_NEAR(unit(i, j), i == j, 8 * eps) << i << j;
    }
  // The first one is the farthest from the others.
  EXPECT_GE(std::max(std::abs(found[0] - found[1]), std::abs(found[0] - found[2])),
            std::abs(found[1] - found[2]) - 12 * eps * size);
  std::sort(found.begin(), found.end());
  std::sort(exact.begin(), exact.end());
  for (std::size_t i = 0; i < 3; ++i) EXPECT_LE(std::abs(found[i] - exact[i]), 24 * eps * size) << i;
}

template <class P>
void check_lanes(double eps, double smallest_size) {
  std::mt19937 random(7);
  std::uniform_int_distribution<std::size_t> any(0, spectra.size() - 1);
  for (int turn = 0; turn < 3000; ++turn) {
    Tensor<P> A, N;
    P values[3];
    Three exact[P::width];
    for (int l = 0; l < P::width; ++l) {
      exact[l] = spectra[any(random)];
      const auto own =
          with_eigenvalues(exact[l], turn % 4 ? rotation(random) : Tensor<double>{0, 1, 0, 0, 0, 1, 1, 0, 0});
      for (int i = 0; i < 9; ++i) A.e[i].v[l] = static_cast<typename P::Scalar>(own.e[i]);
    }
    symmetric_eigen(A, values, N);
    for (int l = 0; l < P::width; ++l) {
      if (std::abs(exact[l][0]) < smallest_size && exact[l][0] != 0) continue;
      SCOPED_TRACE("eigenvalues " + std::to_string(exact[l][0]) + ", turn " + std::to_string(turn));
      expect_eigen(lane(A, l), {values[0].v[l], values[1].v[l], values[2].v[l]}, lane(N, l), exact[l], eps);
    }
  }
}

/// Returns (ln(1 + b) - ln(1 + a)) / (b - a).
long double slope(long double a, long double b) {
  const long double gap = b - a;
  if (gap == 0) return 1 / (1 + a);
  return (std::abs(gap) < (1 + a) / 2 ? std::log1p(gap / (1 + a)) : std::log1p(b) - std::log1p(a)) / gap;
}

template <class L>
std::vector<double> parameters() {
  if constexpr (std::is_same_v<L, MooneyRivlinLaw>) return {0.7, 0.3, 1.7};
  if constexpr (std::is_same_v<L, IsochoricNeoHookeanLaw>) return {0.8, 3.7, 0, 0};
  if constexpr (std::is_same_v<L, OgdenLaw>) return {0.63, 1.3, 0.0012, 5, -0.01, -2, 0, 3.7, 0};
  return {0.8, 1.7, 0};
}

const Tensor<double> direction{{0.3, -0.2, 0.1, 0.5, -0.4, 0.25, -0.15, 0.35, 0.45}};
const Tensor<double> deformed{{0.21, -0.13, 0.08, 0.05, -0.11, 0.17, -0.09, 0.14, 0.12}};

/// Compares dP F' along a direction with c : d + h tau, for a law with Maxwell branches.
template <class L>
void check_moduli(const char* name) {
  using Branches = MaxwellLaw<L>;
  std::vector<double> p = parameters<L>();
  ASSERT_EQ(p.size(), L::parameter_count) << name;
  for (const double x : {0.3, 0.05, -0.02, 0.01, 0.03, 0.04, -0.06}) p.push_back(x);
  const Tensor<double> F = small_strains<L> ? plus_identity(Tensor<double>{}) : plus_identity(deformed);
  double T[Branches::prepared_count] = {};
  Tensor<double> dP;
  Branches::prepare(p.data(), deformed, T);
  Branches::dstress(p.data(), T, direction, dP);
  Symmetric<double> tau;
  SymmetricMap<double> c;
  Branches::moduli(p.data(), deformed, tau, c);
  // h = dF F^-1 = dF cof(F)' / det F
  const Tensor<double> C = cofactors(F);
  const double J = F(0, 0) * C(0, 0) + F(0, 1) * C(0, 1) + F(0, 2) * C(0, 2);
  Tensor<double> h;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      h(i, j) = (direction(i, 0) * C(j, 0) + direction(i, 1) * C(j, 1) + direction(i, 2) * C(j, 2)) / J;
  const Tensor<double> turned = product(h, tau), twice = twice_symmetric(h);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double found = turned(i, j), exact = 0;
      for (int e = 0; e < 6; ++e) {
        const int k = symmetric_row[e], l = symmetric_column[e];
        found += c(symmetric_place[i][j], e) * (k == l ? 0.5 : 1.0) * twice(k, l);
      }
      for (int k = 0; k < 3; ++k) exact += dP(i, k) * F(j, k);
      EXPECT_NEAR(found, exact, 1e-14) << name << i << j;
    }
}

}  // namespace

TEST(Principal, EigenvectorsAreExactToRounding) {
  std::mt19937 random(5);
  for (const Three& exact : spectra)
    for (int turn = 0; turn < 400; ++turn) {
      SCOPED_TRACE("eigenvalues " + std::to_string(exact[0]) + ", turn " + std::to_string(turn));
      const auto A = with_eigenvalues(exact, turn ? rotation(random) : Tensor<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});
      Tensor<double> N;
      Three values;
      symmetric_eigen(A, values.data(), N);
      expect_eigen(A, values, N, exact, 2.2e-16);
    }
}

TEST(Principal, EigenvectorsOfLanesDoNotDependOnEachOther) {
  check_lanes<Pack<double, 4>>(2.2e-16, 0);
  check_lanes<Pack<float, 8>>(1.2e-7, 1e-17);
}

TEST(Principal, DifferencesOfLogarithms) {
  for (const Three& spectrum : spectra) {
    for (std::size_t turn = 0; turn < 3; ++turn) {
      Three a, ln;
      for (std::size_t i = 0; i < 3; ++i) a[i] = spectrum[(i + turn) % 3];
      // The order of symmetric_eigen(): the first one is an extreme that is the farthest from the middle.
      std::sort(a.begin(), a.end());
      if (a[2] - a[1] > a[1] - a[0]) std::swap(a[0], a[2]);
      if (turn == 1) std::swap(a[1], a[2]);
      for (std::size_t i = 0; i < 3; ++i) ln[i] = std::log1p(a[i]);
      const LogDifferences<double> found(a.data(), ln.data());
      double iij[3], ijj[3];
      found.second_of_pairs(iij, ijj);
      SCOPED_TRACE(std::to_string(a[0]) + ", " + std::to_string(a[1]) + ", " + std::to_string(a[2]));
      for (int i = 0, pair = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j) {
          const long double ai = a[i], aj = a[j], gap = aj - ai, f = slope(ai, aj);
          EXPECT_NEAR(static_cast<double>(found.f(i, j) / f), 1, 4e-15) << i << j;
          if (i == j) continue;
          // Near each other -1 / (2 m^2) with the mean m of the three arguments
          const bool near = std::abs(gap / (1 + ai)) < 1e-6;
          const long double m = 1 + ai + gap / 3, n = m + gap / 3;
          const long double first = near ? -1 / (2 * m * m) : (f - 1 / (1 + ai)) / gap;
          const long double second = near ? -1 / (2 * n * n) : (1 / (1 + aj) - f) / gap;
          EXPECT_NEAR(static_cast<double>(iij[pair] / first), 1, 1e-13) << i << j;
          EXPECT_NEAR(static_cast<double>(ijj[pair] / second), 1, 1e-13) << i << j;
          ++pair;
        }
      const long double a0 = a[0], a1 = a[1], a2 = a[2], c = 1 + a0, m = 1 + (a0 + a1 + a2) / 3, middle = (a1 + a2) / 2;
      const bool near = std::abs(a1 - a0) < 1e-6 * c && std::abs(a2 - a0) < 1e-6 * c,
                 pair = std::abs(a2 - a1) < 1e-6 * c;
      const long double all = near   ? -1 / (2 * m * m)
                              : pair ? (1 / (1 + middle) - slope(a0, middle)) / (middle - a0)
                                     : (slope(a0, a2) - slope(a0, a1)) / (a2 - a1);
      EXPECT_NEAR(static_cast<double>(found.second_of_all() / all), 1, 1e-13);
    }
  }
}

TEST(Principal, ModuliAreThoseOfTheTangent) {
  check_moduli<NeoHookeanLaw>("neo-Hooke");
  check_moduli<LinearElasticLaw>("linear");
  check_moduli<MooneyRivlinLaw>("Mooney-Rivlin");
  check_moduli<StVenantKirchhoffLaw>("St. Venant");
  check_moduli<IsochoricNeoHookeanLaw>("isochoric neo-Hooke");
  check_moduli<OgdenLaw>("Ogden");
}

/// Pair points at once have the stresses of each alone.
TEST(Principal, PairsOfPointsAreSinglePoints) {
  const std::vector<double> rubber = parameters<OgdenLaw>();
  const double metal[] = {1, 1.5, 0.02, 0.15, 0.03, 12, 0.003, -0.001, 0.0005, 0.001, 0.0003, 0.02, 1};
  const Tensor<Pair<double>> H = both(deformed, direction);
  const auto check = [&](auto law, const double* numbers) {
    using L = decltype(law);
    Pair<double> p[L::parameter_count];
    for (int i = 0; i < L::parameter_count; ++i) p[i] = Pair<double>(numbers[i]);
    Tensor<Pair<double>> P;
    Tensor<double> one, other;
    const Pair<double> j = L::stress(p, H, P);
    EXPECT_EQ(j.a, L::stress(numbers, deformed, one));
    EXPECT_EQ(j.b, L::stress(numbers, direction, other));
    for (int i = 0; i < 9; ++i) {
      EXPECT_NEAR(first(P).e[i], one.e[i], 1e-14);
      EXPECT_NEAR(second(P).e[i], other.e[i], 1e-14);
    }
  };
  check(OgdenLaw{}, rubber.data());
  check(J2Law{}, metal);
}

/// A batch without plastic flow skips it: its lanes have the numbers that they have beside one with plastic flow.
TEST(Principal, ElasticBatchesOfMetalAreTheGeneralOnes) {
  using P = Pack<double, 4>;
  for (const double voce : {0.0, 0.03}) {
    P p[J2Law::parameter_count];
    const double numbers[] = {1,      1.5,   0.02,   0.15, voce, voce > 0 ? 12.0 : 0.0, 0.003, -0.001,
                              0.0005, 0.001, 0.0003, 0.02, 1};
    for (int i = 0; i < J2Law::parameter_count; ++i) p[i] = P(numbers[i]);
    Tensor<P> elastic, mixed;
    for (int i = 0; i < 9; ++i)
      for (int l = 0; l < 4; ++l) {
        elastic.e[i].v[l] = 0.001 * (l + 1) * direction.e[i] * (l == 0 ? 1e-3 : 1);
        mixed.e[i].v[l] = l == 3 ? deformed.e[i] : elastic.e[i].v[l];
      }
    Tensor<P> stress, other;
    Symmetric<P> tau, other_tau;
    SymmetricMap<P> c, other_c;
    P z[6], other_z[6];
    J2Law::stress(p, elastic, stress);
    J2Law::stress(p, mixed, other);
    J2Law::moduli(p, elastic, tau, c);
    J2Law::moduli(p, mixed, other_tau, other_c);
    J2Law::advance(p, elastic, z);
    J2Law::advance(p, mixed, other_z);
    for (int l = 0; l < 3; ++l) {
      for (int i = 0; i < 9; ++i) EXPECT_NEAR(stress.e[i].v[l], other.e[i].v[l], 1e-16);
      for (int e = 0; e < 6; ++e) EXPECT_NEAR(tau.e[e].v[l], other_tau.e[e].v[l], 1e-16);
      for (int e = 0; e < 21; ++e) EXPECT_NEAR(c.e[e].v[l], other_c.e[e].v[l], 1e-15);
      for (int e = 0; e < 6; ++e) {
        EXPECT_EQ(z[e].v[l], numbers[J2Law::history + e]);
        EXPECT_EQ(z[e].v[l], other_z[e].v[l]);
      }
    }
    EXPECT_GT(other_z[5].v[3], numbers[J2Law::history + 5]);
  }
}
