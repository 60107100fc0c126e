// Natural frequencies: a box on rollers with known modes; free bodies, displaced and rotated; refused input.

#include <gearshift/solid/frequency_response.hpp>

#include "solid/helpers.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

namespace gearshift::solid::test {
namespace {

constexpr PetscReal E = 3.1, nu = 0.28, rho = 1.7;
constexpr Vec3 edges{1.5, 0.8, 1.1};

Material elastic(Law law) { return {.law = law, .E = E, .nu = nu, .rho = rho}; }

/// The box with rollers on all faces: waves with wave vectors pi (l/a, m/b, n/c); compression waves for each, two shear
/// waves if no component is 0, one if one is.
std::vector<PetscReal> exact(std::size_t count) {
  const PetscReal mu = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
  std::vector<PetscReal> result;
  for (int l = 0; l < 6; ++l)
    for (int m = 0; m < 6; ++m)
      for (int n = 0; n < 6; ++n) {
        const int waves = (l > 0) + (m > 0) + (n > 0);
        if (waves == 0) continue;
        const PetscReal k = std::hypot(l / edges[0], m / edges[1], n / edges[2]);
        result.push_back(std::sqrt((lambda + 2 * mu) / rho) * k / 2);
        for (int i = 1; i < waves; ++i) result.push_back(std::sqrt(mu / rho) * k / 2);
      }
  std::sort(result.begin(), result.end());
  result.resize(count);
  return result;
}

}  // namespace

TEST(Modes, BoxOnRollers) {
  for (const bool tetrahedral : {false, true}) {
    Body body(tetrahedral ? tetrahedra("4,2,3", "1.5,0.8,1.1") : box("3,2,2", "1.5,0.8,1.1"), tetrahedral ? 3 : 5);
    body.set_material(elastic(Law::linear_elastic));
    constexpr const char* faces[] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
    for (int i = 0; i < 6; ++i) body.fix(faces[i], i / 2);
    body.set_up();
    const auto rest = vector(body);
    const Modes found(body, {0, rest.get()}, 9);
    const auto expected = exact(9);
    ASSERT_EQ(found.modes().size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(found.modes()[i].frequency, expected[i], (tetrahedral ? 2e-3 : 1e-6) * expected[i]) << i;
    EXPECT_LT(found.solves(), 80);
    // K phi = omega^2 M phi, phi' M phi = 1
    const auto tangent = body.make_linearization();
    tangent->update({0, rest.get()});
    auto K = vector(body), M = vector(body);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const PetscReal omega = 2 * std::numbers::pi * found.modes()[i].frequency;
      tangent->apply({1, 0, 0}, found.shape(i), K.get());
      tangent->apply({0, 0, 1}, found.shape(i), M.get());
      EXPECT_NEAR(inner(found.shape(i), M.get()), 1, 1e-8);
      EXPECT_NEAR(inner(found.shape(i), K.get()), omega * omega, 1e-6 * omega * omega);
    }
  }
}

/// A square cantilever bends equally in two directions, and a Krylov space finds the second of two such modes late: of
/// the 40 lowest, numbers 38 and 39 are a pair; 40 belongs to the next pair, below those that would replace them.
TEST(Modes, TwinsAtTheEnd) {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  if (ranks > 2) GTEST_SKIP() << "two ranks are enough";
  Body body(box("8,2,2", "4,1,1"), 2);
  body.set_material({.law = Law::linear_elastic, .E = 1e6, .nu = 0.3, .rho = 1000});
  body.clamp("xmin");
  body.set_up();
  const auto rest = vector(body);
  const Modes found(body, {0, rest.get()}, 40);
  const auto modes = found.modes();
  ASSERT_EQ(modes.size(), 40U);
  EXPECT_NEAR(modes[37].frequency, 14.0924728, 1e-5);
  EXPECT_NEAR(modes[38].frequency, modes[37].frequency, 1e-6);
  EXPECT_NEAR(modes[39].frequency, 14.1117909, 1e-5);
  const auto tangent = body.make_linearization();
  tangent->update({0, rest.get()});
  auto M = vector(body);
  for (const std::size_t i : {37U, 38U, 39U}) {
    tangent->apply({0, 0, 1}, found.shape(i), M.get());
    for (std::size_t j = 0; j < 40; ++j) EXPECT_NEAR(inner(found.shape(j), M.get()), i == j ? 1 : 0, 1e-6) << i << j;
  }
}

/// Six modes of a free cube have the same frequency. Exact solves bring few rounding errors, which show them to a Krylov
/// space; and what is left of a start vector when one is found has no part in the others.
TEST(Modes, SixEqualFrequencies) {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  if (ranks > 1) GTEST_SKIP() << "without MUMPS PETSc factorizes on one rank only";
  const Options options(std::vector<std::pair<std::string, std::string>>{{"-modes_pc_type", "cholesky"}});
  Body body(box("3,3,3", "1,1,1"), 2);
  body.set_material({.law = Law::linear_elastic, .E = 1e6, .nu = 0, .rho = 1});
  body.set_up();
  const auto rest = vector(body);
  for (const PetscInt count : {9, 12, 13, 15}) {
    const Modes found(body, {0, rest.get()}, count);
    const auto modes = found.modes();
    for (std::size_t i = 8; i < std::min<std::size_t>(modes.size(), 14); ++i)
      EXPECT_NEAR(modes[i].frequency, 422.881696, 1e-4) << i << " of " << count;
    if (count == 15) {
      EXPECT_NEAR(modes[14].frequency, 437.965522, 1e-4);
    }
  }
}

/// Modes near a frequency between those of two waves; for a free body the rigid ones if they are the nearest.
TEST(Modes, NearestToAFrequency) {
  const auto all = exact(20);
  for (const bool factorized : {false, true}) {
    const Options direct(factorized ? std::vector<std::pair<std::string, std::string>>{{"-modes_pc_type", "lu"}}
                                    : std::vector<std::pair<std::string, std::string>>{});
    Body body(box("3,2,2", "1.5,0.8,1.1"), factorized ? 3 : 4);
    body.set_material(elastic(Law::linear_elastic));
    constexpr const char* faces[] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
    for (int i = 0; i < 6; ++i) body.fix(faces[i], i / 2);
    body.set_up();
    const auto rest = vector(body);
    const PetscReal near = 0.4 * all[5] + 0.6 * all[6];
    auto expected = all;
    std::stable_sort(expected.begin(), expected.end(), [&](PetscReal a, PetscReal b) {
      return std::abs(a * a - near * near) < std::abs(b * b - near * near);
    });
    expected.resize(5);
    std::sort(expected.begin(), expected.end());
    const Modes found(body, {0, rest.get()}, 5, near);
    ASSERT_EQ(found.modes().size(), 5U);
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_NEAR(found.modes()[i].frequency, expected[i], (factorized ? 2e-3 : 1e-4) * expected[i]) << i;
    EXPECT_LT(found.iterations(), factorized ? 2 * found.solves() : 100 * found.solves());
  }
  Body body(box("3,2,2", "1.5,0.8,1.1"), 2);
  body.set_material(elastic(Law::linear_elastic));
  body.set_up();
  const auto rest = vector(body);
  const Modes lowest(body, {0, rest.get()}, 8);
  const Modes near(body, {0, rest.get()}, 8, 0.3 * lowest.modes()[6].frequency);
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_NEAR(near.modes()[i].frequency, lowest.modes()[i].frequency, 1e-7 * lowest.modes()[7].frequency) << i;
  EXPECT_THROW(Modes(body, {0, rest.get()}, 1, -1), OptionError);
}

/// Six rigid motions, displaced and rotated or not, then vibrations that do not depend on them.
TEST(Modes, FreeBody) {
  std::vector<PetscReal> at_rest;
  for (const PetscReal angle : {0.0, 0.9}) {
    Body body(box("3,2,2", "1.5,0.8,1.1"), 2);
    body.set_material(elastic(Law::neo_hookean));
    body.set_up();
    const auto moved = vector(body, [angle](const Vec3& X) {
      return Vec3{X[0] * std::cos(angle) - X[1] * std::sin(angle) - X[0] + 3 * angle,
                  X[0] * std::sin(angle) + X[1] * std::cos(angle) - X[1], angle};
    });
    const Modes found(body, {0, moved.get()}, 10);
    ASSERT_EQ(found.modes().size(), 10U);
    Vec3 mass{};
    for (std::size_t i = 0; i < 10; ++i) {
      const Mode& mode = found.modes()[i];
      if (i < 6) {
        EXPECT_EQ(mode.frequency, 0);
      } else if (angle == 0) {
        EXPECT_GT(mode.frequency, 0.1);
        at_rest.push_back(mode.frequency);
      } else {
        EXPECT_NEAR(mode.frequency, at_rest[i - 6], 1e-7 * mode.frequency);
      }
      for (std::size_t axis = 0; axis < 3; ++axis) mass[axis] += mode.effective_mass[axis];
    }
    for (const PetscReal sum : mass) EXPECT_NEAR(sum, rho * edges[0] * edges[1] * edges[2], 1e-9);
  }
}

/// A free cube of a single cell, whose nodes all lie on a parabola about its middle: more modes are requested than
/// exist, six of them rigid; the others include the five even shears, omega^2 = 24 mu / (rho a^2).
TEST(Modes, FreeCell) {
  constexpr PetscReal edge = 0.5;
  Body body(box("1,1,1", "0.5,0.5,0.5"), 1);
  body.set_material(elastic(Law::linear_elastic));
  body.set_up();
  const auto rest = vector(body);
  const Modes found(body, {0, rest.get()}, 30);
  ASSERT_EQ(found.modes().size(), 24U);
  const PetscReal shear = std::sqrt(24 * E / (2 * (1 + nu)) / rho) / edge / (2 * std::numbers::pi);
  int shears = 0;
  for (std::size_t i = 0; i < found.modes().size(); ++i) {
    const PetscReal frequency = found.modes()[i].frequency;
    EXPECT_EQ(frequency == 0, i < 6) << i;
    shears += std::abs(frequency - shear) < 1e-6 * shear;
  }
  EXPECT_GE(shears, 5);
}

/// A body with one roller and three remaining rigid motions.
TEST(Modes, PartlyFree) {
  Body body(box("3,2,2", "1.5,0.8,1.1"), 2);
  body.set_material(elastic(Law::linear_elastic));
  body.fix("zmin", 2);
  body.set_up();
  const auto rest = vector(body);
  const Modes found(body, {0, rest.get()}, 5);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_LT(std::abs(found.modes()[i].frequency), 1e-3 * found.modes()[3].frequency);
  EXPECT_GT(found.modes()[3].frequency, 0.1);
}

/// A rod of length 2, section 0.1 x 0.1, c = 1, between rollers, excited at its end by F:
///     E' u'' + (rho omega^2 - i omega rho r_m) u = 0,  E' = E (1 + i omega r_k),  E' A u'(2) + i omega c A u(2) = F
/// The other end is fixed or free. F' U / F is the displacement of the end.
TEST(Modes, ResponseOfARod) {
  using Complex = std::complex<PetscReal>;
  enum class Kind { held, free, dashpot };
  for (const Kind kind : {Kind::held, Kind::free, Kind::dashpot}) {
    Body body(box("5,1,1", "2,0.1,0.1"), 4);
    body.set_material({.law = Law::linear_elastic, .E = 1.7, .nu = 0, .rho = 1.7});
    for (const char* face : {"ymin", "ymax"}) body.fix(face, 1);
    for (const char* face : {"zmin", "zmax"}) body.fix(face, 2);
    if (kind != Kind::free) body.fix("xmin", 0);
    constexpr PetscReal F = 0.3, area = 0.01, r_m = 0.05, r_k = 0.02, c = 0.05;
    if (kind == Kind::dashpot) body.add_dashpots("xmax", c, 0);
    body.add_force("xmax", VectorExpression("0.3*cos(t),0,0"));
    body.add_foundation("ymax", 0, 0);  // not a load
    body.set_up();
    const auto rest = vector(body), forces = vector(body);
    const State at{0, rest.get()};
    body.external_forces(at, forces.get());
    const Modes modes(body, at, 10);
    const FrequencyResponse response(body, at, modes, forces.get(), {.mass = r_m, .stiffness = r_k});
    for (const PetscReal f : {0.05, 0.3, 0.62, 1.1}) {
      Complex u = 0;
      const auto y = response.amplitudes(f);
      for (std::size_t k = 0; k < y.size(); ++k) u += y[k] * inner(forces.get(), response.shape(k)) / F;
      const Complex iw(0, 2 * std::numbers::pi * f), modulus = 1.7 * (1.0 + iw * r_k);
      const Complex k = std::sqrt((-iw * iw - iw * r_m) * 1.7 / modulus);
      const Complex slope = kind == Kind::free ? -k * std::tan(2.0 * k) : k / std::tan(2.0 * k);  // u' for u = 1
      const Complex exact = F / (area * (modulus * slope + (kind == Kind::dashpot ? iw * c : 0)));
      EXPECT_LT(std::abs(u - exact), 5e-3 * std::abs(exact)) << f << ' ' << static_cast<int>(kind) << u << exact;
    }
  }
}

/// The rod excited by the roller at one end: u(2) = G / cos(2 k). It can slide sideways, so that K is singular.
TEST(Modes, ResponseOfARodToItsSupport) {
  using Complex = std::complex<PetscReal>;
  Body body(box("5,1,1", "2,0.1,0.1"), 4);
  body.set_material({.law = Law::linear_elastic, .E = 1.7, .nu = 0, .rho = 1.7});
  for (const char* face : {"ymin", "ymax"}) body.fix(face, 1);
  body.fix("xmin", 0);
  body.set_up();
  const auto rest = vector(body), forces = vector(body), end = vector(body);
  const auto motion = vector(body, [](const Vec3& X) { return Vec3{X[0] == 0 ? 0.4 : 0, 0, 0}; });
  check(VecCopy(vector(body, [](const Vec3& X) { return Vec3{X[0] == 2 ? 1.0 : 0, 0, 0}; }).get(), end.get()));
  const PetscReal nodes = inner(end.get(), end.get());
  const State at{0, rest.get()};
  const Modes modes(body, at, 24);
  constexpr PetscReal r_m = 0.05, r_k = 0.02;
  const FrequencyResponse response(body, at, modes, forces.get(), {.mass = r_m, .stiffness = r_k}, motion.get());
  for (const PetscReal f : {0.001, 0.05, 0.3, 0.62}) {
    Complex u = 0;
    const auto y = response.amplitudes(f);
    for (std::size_t k = 0; k < y.size(); ++k) u += y[k] * inner(end.get(), response.shape(k)) / nodes;
    const Complex iw(0, 2 * std::numbers::pi * f), k = std::sqrt((-iw * iw - iw * r_m) / (1.0 + iw * r_k));
    const Complex exact = 0.4 / std::cos(2.0 * k);
    EXPECT_LT(std::abs(u - exact), 3e-3 * std::abs(exact)) << f << u << exact;
  }
}

/// A rod between rollers with an end mass equal to its own mass: with x = k L, x tan x = 1.
TEST(Modes, MassAtTheEndOfARod) {
  Body body(box("3,1,1", "2,0.1,0.1"), 4);
  body.set_material({.law = Law::linear_elastic, .E = 1.7, .nu = 0, .rho = 1.7});
  for (const char* face : {"ymin", "ymax"}) body.fix(face, 1);
  for (const char* face : {"zmin", "zmax"}) body.fix(face, 2);
  body.fix("xmin", 0);
  body.add_mass("xmax", 1.7 * 0.02);
  body.set_up();
  const auto rest = vector(body);
  const Modes found(body, {0, rest.get()}, 2);
  EXPECT_NEAR(found.modes()[0].frequency, 0.8603335890193798 / (4 * std::numbers::pi), 1e-7);
  EXPECT_NEAR(found.modes()[1].frequency, 3.4256184594817283 / (4 * std::numbers::pi), 1e-5);
}

/// A box in equilibrium under equal pressure from all sides: its rigid motions are stress-free only with the load
/// stiffness of the pressure, which is symmetric there, and also if the edges are held.
TEST(Modes, PressuresOnClosedSurfaces) {
  constexpr PetscReal mu = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu)), p = 0.04;
  PetscReal low = 0.5, high = 1;  // bounds of the stretch s: mu (s - 1/s) + 3 lambda ln(s) / s = -p s^2
  for (int i = 0; i < 60; ++i) {
    const PetscReal s = (low + high) / 2;
    (mu * (s - 1 / s) + 3 * lambda * std::log(s) / s + p * s * s > 0 ? high : low) = s;
  }
  for (const bool held : {true, false}) {
    Body body(box("3,2,2", "1.5,0.8,1.1"), 2);
    body.set_material(elastic(Law::neo_hookean));
    if (held) body.clamp("xmin");
    for (const char* face : {"xmax", "ymin", "ymax", "zmin", "zmax"}) body.add_pressure(face, Expression("0.04"));
    if (!held) body.add_pressure("xmin", Expression("0.04"));
    body.set_up();
    EXPECT_NO_THROW(Modes::require_symmetric(body));
    const auto q = vector(body, [&](const Vec3& X) {
      return Vec3{(low - 1) * X[0], (low - 1) * X[1], (low - 1) * X[2]};
    });
    if (held) check(VecSet(q.get(), 0));
    const Modes found(body, {0, q.get()}, 8);
    ASSERT_EQ(found.modes().size(), 8U);
    if (held) continue;
    for (std::size_t i = 0; i < 6; ++i) EXPECT_LT(std::abs(found.modes()[i].frequency), 1e-4) << i;
    EXPECT_GT(found.modes()[6].frequency, 0.1);
  }
}

/// Tetrahedra, and operators that are not definite, are factorized if PETSc has MUMPS; the modes are the same.
TEST(Modes, ByFactors) {
  PetscBool known = PETSC_FALSE, factors = PETSC_FALSE;
  check(MatInitializePackage());
  check(MatSolverTypeGet(MATSOLVERMUMPS, MATSEQAIJ, MAT_FACTOR_CHOLESKY, &known, &factors, nullptr));
  if (!factors) GTEST_SKIP() << "this PETSc has no MUMPS";
  const auto modes_of = [](Mesh mesh, PetscReal near) {
    Body body(std::move(mesh), 2);
    body.set_material({.law = Law::linear_elastic, .E = 1e6, .nu = 0.3, .rho = 1000});
    body.clamp("xmin");
    body.set_up();
    const auto rest = vector(body);
    Modes found(body, {0, rest.get()}, 4, near);
    std::vector<PetscReal> frequencies;
    for (const Mode& mode : found.modes()) frequencies.push_back(mode.frequency);
    // Rounding leaves a solve near an eigenvalue above its tolerance now and then; the multigrid takes seven
    // iterations or more.
    return std::make_pair(frequencies, found.iterations() < 2 * found.solves());
  };
  for (const PetscReal near : {0.0, 20.0})
    for (const bool tetrahedral : {false, true}) {
      const auto mesh = [&] { return tetrahedral ? tetrahedra("3,2,2", "2,1,1") : box("3,2,2", "2,1,1"); };
      const auto [found, factorized] = modes_of(mesh(), near);
      const Options options(
          std::vector<std::pair<std::string, std::string>>{{"-modes_ksp_type", near > 0 ? "fgmres" : "cg"}});
      const auto [expected, otherwise] = modes_of(mesh(), near);
      EXPECT_EQ(factorized, tetrahedral || near > 0) << near << ' ' << tetrahedral;
      EXPECT_FALSE(otherwise);
      for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], expected[i], 1e-6 * expected[i]);
    }
}

TEST(Modes, RefuseWhatCannotBe) {
  Body body(box("2,1,1"), 1);
  body.set_material(elastic(Law::neo_hookean));
  body.clamp("xmin");
  body.add_pressure("xmax", Expression("1"));
  body.set_up();
  const auto rest = vector(body);
  EXPECT_THROW(Modes(body, {0, rest.get()}, 1), OptionError);
  Body other(box("2,1,1"), 1);
  other.set_material(elastic(Law::neo_hookean));
  other.clamp("xmin");
  other.set_up();
  EXPECT_THROW(Modes(other, {0, rest.get()}, 0), OptionError);
  const State at_rest{0, rest.get()};
  const Modes one(other, at_rest, 1);
  EXPECT_THROW(FrequencyResponse(other, at_rest, one, rest.get(), {.ratio = -1}), OptionError);
}

}  // namespace gearshift::solid::test
