/// Maxwell branches: forces, tangents, internal variables and energies against energies written down plainly, whose
/// derivatives are taken by complex steps.

#include "solid/plain_sum.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstdlib>
#include <limits>

using namespace gearshift;
using namespace gearshift::solid;
using namespace gearshift::solid::test;

namespace {

constexpr PetscReal infinite = std::numeric_limits<PetscReal>::infinity();

// ---- plain tensors ----

template <class T>
using Matrix = std::array<std::array<T, 3>, 3>;

template <class T>
T det(const Matrix<T>& A) {
  return A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) - A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
         A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
}

Matrix<double> inverse(const Matrix<double>& A) {
  Matrix<double> result;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      result[j][i] = (A[(i + 1) % 3][(j + 1) % 3] * A[(i + 2) % 3][(j + 2) % 3] -
                      A[(i + 1) % 3][(j + 2) % 3] * A[(i + 2) % 3][(j + 1) % 3]) /
                     det(A);
  return result;
}

Matrix<double> times(const Matrix<double>& A, const Matrix<double>& B) {
  Matrix<double> result{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) result[i][j] += A[i][k] * B[k][j];
  return result;
}

/// The energy of F as textbooks write it.
template <class T>
T energy(const Material& m, const Matrix<T>& F) {
  const double mu = m.E / (2 * (1 + m.nu)), lambda = m.E * m.nu / ((1 + m.nu) * (1 - 2 * m.nu));
  Matrix<T> C{};
  T I1 = 0, squares = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) C[i][j] += F[k][i] * F[k][j];
  for (std::size_t i = 0; i < 3; ++i) {
    I1 += C[i][i];
    for (std::size_t j = 0; j < 3; ++j) squares += C[i][j] * C[i][j];
  }
  const T J = det(F), I2 = 0.5 * (I1 * I1 - squares);
  if (m.law == Law::linear_elastic) {
    T e = 0, t = F[0][0] + F[1][1] + F[2][2] - 3.0;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        const T own = 0.5 * (F[i][j] + F[j][i]) - (i == j ? 1.0 : 0.0);
        e += own * own;
      }
    return mu * e + 0.5 * lambda * t * t;
  }
  if (m.law == Law::st_venant_kirchhoff)
    return 0.25 * mu * (squares - 2.0 * I1 + 3.0) + 0.125 * lambda * (I1 - 3.0) * (I1 - 3.0);
  if (m.law == Law::neo_hookean)
    return 0.5 * mu * (I1 - 3.0) - mu * std::log(J) + 0.5 * lambda * std::log(J) * std::log(J);
  const double rest = m.bulk - 2 * (m.mu1 + m.mu2) / 3 - 2 * m.mu2;
  return 0.5 * m.mu1 * (I1 - 3.0) + 0.5 * m.mu2 * (I2 - 3.0) - (m.mu1 + 2 * m.mu2) * std::log(J) +
         0.5 * rest * std::log(J) * std::log(J);
}

template <class T>
T isochoric_energy(const Material& m, Matrix<T> F) {
  if (m.law == Law::linear_elastic) {
    const T mean = (F[0][0] + F[1][1] + F[2][2] - 3.0) / 3.0;
    for (std::size_t i = 0; i < 3; ++i) F[i][i] -= mean;
    return energy(m, F);
  }
  const T scale = std::exp(-std::log(det(F)) / 3.0);
  for (auto& row : F)
    for (T& number : row) number *= scale;
  return energy(m, F);
}

template <class Energy>
Matrix<double> derivative(const Energy& of, const Matrix<double>& F) {
  constexpr double step = 1e-100;
  Matrix<double> result;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      Matrix<std::complex<double>> moved;
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < 3; ++l) moved[k][l] = {F[k][l], i == k && j == l ? step : 0};
      result[i][j] = of(moved).imag() / step;
    }
  return result;
}

constexpr std::array<std::array<std::size_t, 2>, 6> places{{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}};
using Six = std::array<double, 6>;

Matrix<double> whole(const Six& z) { return {{{z[0], z[1], z[2]}, {z[1], z[3], z[4]}, {z[2], z[4], z[5]}}}; }

struct Stresses {
  Matrix<double> F, P;
  Six iso{};  // S_iso
};

Stresses stresses(const Material& m, const Tensor<double>& H) {
  Stresses result;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result.F[i][j] = H.e[3 * i + j] + (i == j ? 1 : 0);
  result.P = derivative([&](const auto& G) { return energy(m, G); }, result.F);
  Matrix<double> S = derivative([&](const auto& G) { return isochoric_energy(m, G); }, result.F);
  if (m.law != Law::linear_elastic) S = times(inverse(result.F), S);
  for (std::size_t e = 0; e < 6; ++e) result.iso[e] = S[places[e][0]][places[e][1]];
  return result;
}

/// z of a branch where z' = rate (z - factor base).
double branch(double g, double tau, const InternalState& x, double base, double S) {
  if (x.rate == infinite) return x.factor * base;
  // z' = (g S - z) / tau = rate (z - factor base)
  return (g * S + x.rate * tau * x.factor * base) / (1 + x.rate * tau);
}

// ---- bodies ----

Material with_branches(Law law, std::vector<PetscReal> g, std::vector<PetscReal> tau) {
  Material m = material(law);
  m.prony_g = std::move(g);
  m.prony_tau = std::move(tau);
  return m;
}

const std::vector<PetscReal> two_g{0.3, 0.45}, two_tau{0.2, 3.0};

/// Internal variables that differ from entry to entry.
Handle<Vec> some_internal(const Body& body, double size) {
  Handle<Vec> z;
  check(VecDuplicate(body.internal_layout(), z.out()));
  petsc::WriteView values(z.get());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = size * std::sin(1.7 * static_cast<double>(i % 977) + 0.3);
  return z;
}

Handle<Vec> like(Vec other) {
  Handle<Vec> result;
  check(VecDuplicate(other, result.out()));
  return result;
}

/// The materials of a body's cells, and where internal variables of each cell begin, as documented.
struct Layout {
  std::vector<const Material*> of;
  std::vector<std::size_t> begin;
  Layout(const Body& body, const Material& rest, const std::vector<std::pair<std::string, Material>>& regions) {
    const Space& space = body.space();
    std::size_t at = 0;
    for (PetscInt cell = 0; cell < space.cells(); ++cell) {
      const Material* own = &rest;
      for (const int r : space.regions(cell))
        for (const auto& [name, m] : regions)
          if (body.mesh().region_names()[static_cast<std::size_t>(r)] == name) own = &m;
      of.push_back(own);
      begin.push_back(at);
      at += space.element(cell).points().size() * own->prony_g.size() * 6;
    }
    begin.push_back(at);
  }
};

struct Case {
  std::string simd;
  int degree;
  Cells cells;
  Law law;
};

Mesh regions_of(Cells cells) {
  const Mesh mesh = mesh_of(cells);
  if (cells == Cells::curved_tetrahedra) return mesh_of(cells);
  mark(mesh, "left", [](const Vec3& X) { return X[0] < 0.45; });
  mark(mesh, "right", [](const Vec3& X) { return X[0] > 1.05; });
  return Mesh::adopt(mesh.dm());
}

/// A body of one branch, with two in one region and none in another.
void compare(const Case& c) {
  SCOPED_TRACE(c.simd + ", degree " + std::to_string(c.degree) + ", cells " +
               std::to_string(static_cast<int>(c.cells)) + ", " + name_of(c.law));
  const Options options(std::vector<std::pair<std::string, std::string>>{{"-solid_simd", c.simd}});
  Body body(regions_of(c.cells), c.degree);
  const Material rest = with_branches(c.law, {0.4}, {0.5});
  std::vector<std::pair<std::string, Material>> regions;
  if (c.cells != Cells::curved_tetrahedra)
    regions = {{"left", with_branches(c.law, two_g, two_tau)}, {"right", material(c.law)}};
  body.set_material(rest);
  for (const auto& [name, m] : regions) body.set_material(name, m);
  if (c.degree == 1) body.set_solver(Solver::amg);
  body.set_up();
  const Layout layout(body, rest, regions);
  PetscInt size = 0;
  check(VecGetLocalSize(body.internal_layout(), &size));
  ASSERT_EQ(static_cast<std::size_t>(size), layout.begin.back());

  const auto u = vector(body, wavy), x = vector(body, ripple), base = some_internal(body, 0.1);
  auto r = vector(body), expected = vector(body), y = vector(body), other = vector(body);
  auto z = like(base.get());
  for (const InternalState& state : {InternalState{base.get(), 0.8, 2.0}, InternalState{base.get(), -1.2, infinite},
                                     InternalState{base.get(), 1, 0.0}, InternalState{nullptr, 1, 7.0}}) {
    SCOPED_TRACE("rate " + std::to_string(state.rate));
    const State at{0, u.get(), nullptr, nullptr, state};
    const petsc::ReadView b(base.get());
    double worst = 0;
    body.internal_variables(at, z.get());
    {
      const petsc::ReadView found(z.get());
      const auto stress = [&](const Tensor<double>& H, const Tensor<double>&, Tensor<double>& P, PetscInt cell,
                              std::size_t q) {
        const Material& m = *layout.of[static_cast<std::size_t>(cell)];
        const Stresses own = stresses(m, H);
        Six sum{};
        for (std::size_t i = 0; i < m.prony_g.size(); ++i)
          for (std::size_t e = 0; e < 6; ++e) {
            const std::size_t place = layout.begin[static_cast<std::size_t>(cell)] + (q * m.prony_g.size() + i) * 6 + e;
            const double value = branch(m.prony_g[i], m.prony_tau[i], state, state.base ? b[place] : 0, own.iso[e]);
            worst = std::max(worst, std::abs(found[place] - value));
            sum[e] += value;
          }
        const Matrix<double> lost = c.law == Law::linear_elastic ? whole(sum) : times(own.F, whole(sum));
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < 3; ++j) P.e[3 * i + j] = own.P[i][j] - lost[i][j];
      };
      reference(body, u.get(), nullptr, nullptr, 0, expected.get(), stress);
    }
    EXPECT_LT(worst, 1e-14) << "internal variables";
    body.residual(at, r.get());
    EXPECT_LT(relative_gap(r.get(), expected.get()), 1e-13) << "residual";
    // With what was eliminated put in.
    body.residual({0, u.get(), nullptr, nullptr, {z.get(), 1, infinite}}, r.get());
    EXPECT_LT(relative_gap(r.get(), expected.get()), 1e-13) << "residual of internal variables";
    EXPECT_NEAR(body.energy(at)->stored, body.energy({0, u.get(), nullptr, nullptr, {z.get(), 1, infinite}})->stored,
                1e-13);

    const auto tangent = body.make_linearization();
    tangent->update(at);
    tangent->apply({1, 0, 0}, x.get(), y.get());
    constexpr PetscReal step = 1e-5;
    auto moved = vector(body);
    const auto differ = [&](auto&& function) {
      check(VecWAXPY(moved.get(), step, x.get(), u.get()));
      function(moved.get(), expected.get());
      check(VecWAXPY(moved.get(), -step, x.get(), u.get()));
      function(moved.get(), other.get());
      check(VecAXPBY(expected.get(), -0.5 / step, 0.5 / step, other.get()));
    };
    differ([&](Vec at_u, Vec out) { body.residual({0, at_u, nullptr, nullptr, state}, out); });
    EXPECT_LT(relative_gap(y.get(), expected.get()), 2e-8) << "tangent";
    tangent->apply({1, 0, 0.3}, x.get(), y.get());
    tangent->apply({1, 0, 0.3}, u.get(), other.get());
    EXPECT_NEAR(inner(u.get(), y.get()), inner(x.get(), other.get()), 1e-13 * norm(u.get()) * norm(y.get()));

    ASSERT_TRUE(tangent->apply_stiffness_derivative(x.get(), u.get(), y.get()));
    const auto nearby = body.make_linearization();
    differ([&](Vec at_u, Vec out) {
      nearby->update({0, at_u, nullptr, nullptr, state});
      nearby->apply({1, 0, 0}, u.get(), out);
    });
    if (c.law == Law::linear_elastic)
      EXPECT_LT(biggest(y.get()), 1e-12);
    else
      EXPECT_LT(relative_gap(y.get(), expected.get()), 2e-8) << "derivative of the tangent";
    if (c.degree > 1) continue;
    const auto matrix = Handle<Mat>::adopt(body.create_preconditioner_matrix());
    ASSERT_TRUE(tangent->assemble({1, 0, 0.3}, matrix.get()));
    tangent->apply({1, 0, 0.3}, x.get(), y.get());
    check(MatMult(matrix.get(), x.get(), expected.get()));
    EXPECT_LT(relative_gap(y.get(), expected.get()), 1e-13) << "matrix";
    ASSERT_TRUE(tangent->diagonal({1, 0, 0.3}, y.get()));
    check(MatGetDiagonal(matrix.get(), expected.get()));
    EXPECT_LT(relative_gap(y.get(), expected.get()), 1e-13) << "diagonal";
  }
}

/// A cube under a shear gamma, of one cell, and its internal variables.
struct Shear {
  Body body;
  Handle<Vec> u;
  Shear(const Material& m, PetscReal gamma) : body(box("1,1,1"), 1) {
    body.set_material(m);
    body.set_up();
    u = vector(body, [gamma](const Vec3& X) { return Vec3{gamma * X[1], 0, 0}; });
  }
};

}  // namespace

TEST(Maxwell, AgreesWithAPlainSum) {
  for (const auto& simd : widths())
    for (const Law law : laws)
      for (const int degree : {1, 2})
        for (const Cells cells : {Cells::cartesian, Cells::affine, Cells::general, Cells::tetrahedra})
          compare({simd, degree, cells, law});
}

TEST(Maxwell, AgreesWithAPlainSumInOtherCells) {
  for (const auto& simd : widths()) {
    compare({simd, 3, Cells::general, Law::neo_hookean});
    compare({simd, 2, Cells::curved_tetrahedra, Law::mooney_rivlin});
    compare({simd, 3, Cells::tetrahedra, Law::st_venant_kirchhoff});
    for (const int degree : {1, 2}) {
      compare({simd, degree, Cells::wedges, Law::neo_hookean});
      compare({simd, degree, Cells::hexahedra_and_wedges, Law::mooney_rivlin});
    }
  }
}

/// Whatever the lanes, a state means the same.
TEST(Maxwell, KeepsItsLayoutInAllInstructionSets) {
  std::vector<PetscReal> first;
  for (const auto& simd : widths()) {
    const Options options(std::vector<std::pair<std::string, std::string>>{{"-solid_simd", simd}});
    Body body(box("3,2,2"), 2);
    body.set_material(with_branches(Law::neo_hookean, two_g, two_tau));
    body.set_up();
    const auto u = vector(body, wavy), z = some_internal(body, 0);
    body.internal_variables({0, u.get(), nullptr, nullptr, {nullptr, 1, 1}}, z.get());
    const petsc::ReadView values(z.get());
    if (first.empty()) first.assign(values.begin(), values.end());
    ASSERT_EQ(values.size(), first.size());
    for (std::size_t i = 0; i < first.size(); ++i) EXPECT_NEAR(values[i], first[i], 1e-14);
  }
}

TEST(Maxwell, LosesWhatItDissipates) {
  // d/dt stored + dissipated is the power of the internal forces. Three cells: a rank of four has none.
  for (const Law law : laws)
    for (const bool simplex : {false, true}) {
      SCOPED_TRACE(name_of(law));
      Body body(simplex ? tetrahedra("3,1,1") : box("3,1,1", "1.5,0.8,1.1"), 2);
      body.set_material(with_branches(law, two_g, two_tau));
      body.set_up();
      const auto u = vector(body, wavy), v = vector(body, ripple), z = some_internal(body, 0.1);
      auto z_t = like(z.get()), r = vector(body), moved_u = vector(body), moved_z = like(z.get());
      const State at{0, u.get(), v.get(), nullptr, {z.get(), 1, infinite}};
      body.internal_variables({0, u.get(), nullptr, nullptr, {nullptr, 1, 0}}, z_t.get());  // g S_iso
      {
        const petsc::ReadView own(z.get());
        petsc::WriteView rate(z_t.get());
        for (std::size_t i = 0; i < rate.size(); ++i) rate[i] = (rate[i] - own[i]) / two_tau[i / 6 % 2];
      }
      const auto stored = [&](PetscReal step) {
        check(VecWAXPY(moved_u.get(), step, v.get(), u.get()));
        check(VecWAXPY(moved_z.get(), step, z_t.get(), z.get()));
        return body.energy({0, moved_u.get(), nullptr, nullptr, {moved_z.get(), 1, infinite}})->stored;
      };
      constexpr PetscReal step = 1e-4;
      const PetscReal change =
          (stored(-2 * step) - stored(2 * step) + 8 * (stored(step) - stored(-step))) / (12 * step);
      body.residual(at, r.get());
      const PetscReal power = inner(r.get(), v.get()), dissipated = body.energy(at)->power_dissipated;
      EXPECT_GT(std::abs(dissipated), 1e-3);
      EXPECT_NEAR(change + dissipated, power, 1e-9 * std::abs(power));
      EXPECT_EQ(body.energy({0, u.get(), v.get(), nullptr, {nullptr, 1, 0}})->power_dissipated, 0) << "equilibrium";
    }
}

TEST(Maxwell, DissipatesOverstressesAtSmallStrains) {
  constexpr PetscReal gamma = 0.01, z = 0.002;
  const Material m = with_branches(Law::linear_elastic, {0.25}, {0.4});
  const PetscReal mu = m.E / (2 * (1 + m.nu)), h = 0.25 * mu * gamma - z;
  Shear shear(m, gamma);
  Handle<Vec> internal;
  check(VecDuplicate(shear.body.internal_layout(), internal.out()));
  {
    petsc::WriteView values(internal.get());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 6 == 1 ? z : 0;
  }
  const auto v = vector(shear.body, ripple);
  const Energy energy = *shear.body.energy({0, shear.u.get(), v.get(), nullptr, {internal.get(), 1, infinite}});
  EXPECT_NEAR(energy.power_dissipated, 2 * h * h / (2 * 0.25 * mu * 0.4), 1e-16);
  EXPECT_NEAR(energy.stored, 0.75 * mu * gamma * gamma / 2 + 2 * h * h / (4 * 0.25 * mu), 1e-16);
}

TEST(Maxwell, RelaxesByItsExponentials) {
  constexpr int steps = 40;
  constexpr PetscReal dt = 0.05;
  for (const Law law : laws) {
    Shear shear(with_branches(law, two_g, two_tau), 0.3);
    auto z = some_internal(shear.body, 0), equilibrium = like(z.get());
    const auto at = [&](const InternalState& state) { return State{0, shear.u.get(), nullptr, nullptr, state}; };
    shear.body.internal_variables(at({nullptr, 1, 0}), equilibrium.get());
    // Backward Euler, of which (1 + dt / tau)^-n is left.
    auto next = like(z.get());
    for (int n = 0; n < steps; ++n) {
      shear.body.internal_variables(at({z.get(), 1, 1 / dt}), next.get());
      std::swap(z, next);
    }
    {
      const petsc::ReadView found(z.get()), full(equilibrium.get());
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i], full[i] * (1 - std::pow(1 + dt / two_tau[i / 6 % 2], -steps)), 1e-14);
    }
    PetscReal size = 0;
    check(VecNorm(equilibrium.get(), NORM_INFINITY, &size));
    EXPECT_GT(size, 0.05);
  }
}

TEST(Maxwell, KeepsAllDigitsAtSmallStrains) {
  constexpr PetscReal small = 1e-10;
  const auto forces = [](Law law, const InternalState& state) {
    Body body(box("2,2,1"), 2);
    Material m = with_branches(law, two_g, two_tau);
    m.mu1 = m.E / (2 * (1 + m.nu)) - m.mu2;
    m.bulk = m.E / (3 * (1 - 2 * m.nu));
    body.set_material(m);
    body.set_up();
    auto u = vector(body, ripple), r = vector(body);
    check(VecScale(u.get(), small));
    body.residual({0, u.get(), nullptr, nullptr, state}, r.get());
    PetscReal of_u = inner(r.get(), u.get());
    // The energy of what has relaxed is a difference.
    return std::pair{of_u, body.energy({0, u.get(), nullptr, nullptr, state})->stored};
  };
  for (const PetscReal rate : {0.0, 1.0, infinite}) {
    const auto linear = forces(Law::linear_elastic, {nullptr, 1, rate});
    for (const Law law : laws) {
      const auto own = forces(law, {nullptr, 1, rate});
      EXPECT_NEAR(own.first / linear.first, 1, 1e-8) << name_of(law) << rate;
      EXPECT_NEAR(own.second / linear.second, 1, 1e-8) << name_of(law) << rate;
    }
  }
}

TEST(Maxwell, HasNoInternalVariablesWithoutBranches) {
  Body body(box("2,1,1"), 2);
  body.set_material(material(Law::neo_hookean));
  body.set_up();
  EXPECT_EQ(body.internal_layout(), nullptr);
  EXPECT_EQ(body.footprint().internal, 0);
  const auto u = vector(body, wavy);
  auto with = vector(body), without = vector(body);
  body.residual({0, u.get(), nullptr, nullptr}, without.get());
  body.residual({0, u.get(), nullptr, nullptr, {nullptr, 1, 0}}, with.get());
  EXPECT_EQ(relative_gap(with.get(), without.get()), 0);
}

TEST(Maxwell, LeavesOtherRegionsAsTheyAre) {
  // Bit by bit: with branches in another region, and without.
  for (const Law law : laws) {
    const Mesh mesh = box("4,2,2", "4,1,1");
    mark(mesh, "far", [](const Vec3& X) { return X[0] > 2; });
    std::vector<PetscReal> first;
    for (const bool branches : {false, true}) {
      Body body(Mesh::adopt(mesh.dm()), 2);
      body.set_material(material(law));
      if (branches) body.set_material("far", with_branches(law, two_g, two_tau));
      body.set_up();
      const auto u = vector(body, wavy);
      auto r = vector(body);
      body.residual({0, u.get(), nullptr, u.get()}, r.get());
      const petsc::ReadView forces(r.get());
      std::size_t count = 0;
      for (std::size_t i = 0; i < forces.size(); ++i) {
        if (!(body.space().coordinates()[i / 3][0] < 1.9)) continue;
        if (branches)
          EXPECT_EQ(forces[i], first[count++]);
        else
          first.push_back(forces[i]);
      }
    }
  }
}

TEST(Maxwell, CountsItsMemory) {
  Body body(box("3,2,2"), 2);
  body.set_material(with_branches(Law::neo_hookean, two_g, two_tau));
  body.set_up();
  const auto points = static_cast<double>(body.space().cells()) * 27;
  EXPECT_EQ(body.footprint().internal, points * 2 * 6 * sizeof(PetscScalar));
  EXPECT_EQ(body.footprint().points, points * 45 * sizeof(PetscScalar));
}

TEST(Maxwell, RefusesInternalVariablesOfAnotherBody) {
  Body body(box("4,1,1"), 1), finer(box("4,1,1"), 2);
  for (Body* own : {&body, &finer}) {
    own->set_material(with_branches(Law::neo_hookean, two_g, two_tau));
    own->set_up();
  }
  const auto u = vector(body, wavy), wrong = some_internal(finer, 1);
  auto r = vector(body);
  EXPECT_THROW(body.residual({0, u.get(), nullptr, nullptr, {wrong.get(), 1, infinite}}, r.get()), Error);
}

TEST(Maxwell, TellsOfInvertedPoints) {
  for (const Law law : laws) {
    Body body(box("4,1,1"), 1);
    body.set_material(with_branches(law, two_g, two_tau));
    body.set_up();
    const auto u = vector(body, [](const Vec3& X) { return Vec3{-1.5 * X[0], 0, 0}; });
    auto r = vector(body), z = some_internal(body, 0);
    const State at{0, u.get(), nullptr, nullptr, {nullptr, 1, 0}};
    const auto throws = [&](auto&& call) {
      int thrown = 0;
      try {
        call();
      } catch (const InvalidState&) {
        thrown = 1;
      }
      MPI_Allreduce(MPI_IN_PLACE, &thrown, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
      return thrown == 1;
    };
    const bool needs_volume = law != Law::linear_elastic;
    EXPECT_EQ(throws([&] { body.residual(at, r.get()); }), needs_volume) << name_of(law);
    EXPECT_EQ(throws([&] { body.internal_variables(at, z.get()); }), needs_volume) << name_of(law);
    const auto tangent = body.make_linearization();
    EXPECT_EQ(throws([&] { tangent->update(at); }), needs_volume) << name_of(law);
  }
}

TEST(Maxwell, LevelsKnowTheRate) {
  // Nine tenths of the shear modulus relax: levels that thought of the whole would be far off.
  const auto iterations = [](const Material& m, const char* levels, int degree, const InternalState& state) {
    const Options options(std::vector<std::pair<std::string, std::string>>{{"-solid_levels", levels}});
    Body body(box("6,3,3", "2,1,1"), degree);
    body.set_material(m);
    body.clamp("xmin");
    body.set_up();
    LinearProblem problem(body);
    const auto u = vector(body, wavy), b = vector(body, ripple);
    auto x = vector(body);
    check(VecScale(u.get(), 0.1));
    problem.mask(b.get(), 0);
    problem.update(u.get(), {1, 0, 0}, state);
    return problem.solve(b.get(), x.get(), 1e-8);
  };
  for (const char* levels : {"float", "double"})
    for (const int degree : {1, 2, 4}) {
      if (degree == 4 && std::string(levels) == "float") continue;
      const PetscInt elastic = iterations(material(Law::neo_hookean), levels, degree, {});
      const Material m = with_branches(Law::neo_hookean, {0.5, 0.4}, {1, 2});
      // Beside a shear modulus of a tenth the same body is stiffer in bulk, which costs iterations of its own.
      Material relaxed = material(Law::neo_hookean);
      const PetscReal bulk = relaxed.E / (3 * (1 - 2 * relaxed.nu)), mu = 0.1 * relaxed.E / (2 * (1 + relaxed.nu));
      relaxed.E = 9 * bulk * mu / (3 * bulk + mu);
      relaxed.nu = (3 * bulk - 2 * mu) / (2 * (3 * bulk + mu));
      const PetscInt soft = iterations(relaxed, levels, degree, {});
      const PetscInt fast = iterations(m, levels, degree, {nullptr, 1, infinite});
      const PetscInt slow = iterations(m, levels, degree, {nullptr, 1, 0});
      ASSERT_GT(elastic, 0);
      ASSERT_GT(soft, 0);
      EXPECT_GT(fast, 0) << levels << degree;
      EXPECT_GT(slow, 0) << levels << degree;
      EXPECT_LE(fast, elastic + 3) << levels << degree;
      EXPECT_LE(slow, soft + 5) << levels << degree;
    }
}

/// Nearly incompressible bodies with branches take as many iterations as their law without any: the groups' bulk is softer
/// where moduli are kept, too. At rest the deviatoric part is a half of what it is at once, by either law.
TEST(Maxwell, SoftensTheBulkOfGroups) {
  const auto iterations = [](const Material& m, const InternalState& state) {
    Body body(box("12,4,4", "3,1,1"), 2);
    body.set_material(m);
    body.clamp("xmin");
    body.set_up();
    LinearProblem problem(body);
    const auto u = vector(body), b = vector(body, ripple);
    auto x = vector(body);
    problem.mask(b.get(), 0);
    problem.update(u.get(), {1, 0, 0}, state);
    return problem.solve(b.get(), x.get(), 1e-8);
  };
  Material whole = material(Law::neo_hookean);
  whole.nu = 0.49;
  Material branched = whole;
  branched.prony_g = {0.3, 0.2};
  branched.prony_tau = {1, 2};
  Material relaxed = whole;
  const PetscReal bulk = whole.E / (3 * (1 - 2 * whole.nu)), mu = 0.5 * whole.E / (2 * (1 + whole.nu));
  relaxed.E = 9 * bulk * mu / (3 * bulk + mu);
  relaxed.nu = (3 * bulk - 2 * mu) / (2 * (3 * bulk + mu));
  const PetscInt at_once = iterations(whole, {}), at_rest = iterations(relaxed, {});
  ASSERT_GT(at_once, 0);
  ASSERT_GT(at_rest, 0);
  EXPECT_LE(std::abs(iterations(branched, {nullptr, 1, infinite}) - at_once), 1);
  EXPECT_LE(std::abs(iterations(branched, {nullptr, 1, 0}) - at_rest), 1);
}

TEST(Maxwell, RefusesBranchesThatCannotBe) {
  const auto refusal = [](std::vector<PetscReal> g, std::vector<PetscReal> tau) -> std::string {
    try {
      check_material(with_branches(Law::neo_hookean, std::move(g), std::move(tau)), "core");
    } catch (const OptionError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({0.5, 0.4}, {1, 2}), "");
  EXPECT_NE(refusal({0.5, 0.4}, {1}).find("give one for each of the 2 numbers of prony_g"), std::string::npos);
  EXPECT_NE(refusal({}, {1}).find("of the 0 numbers"), std::string::npos);
  EXPECT_NE(refusal({0.5, 0.6}, {1, 2}).find("sum of prony_g = 1.1"), std::string::npos);
  EXPECT_NE(refusal({0}, {1}).find("prony_g = 0"), std::string::npos);
  EXPECT_NE(refusal({NAN}, {1}).find("prony_g"), std::string::npos);
  EXPECT_NE(refusal({0.5}, {-1}).find("prony_tau = -1"), std::string::npos);
  EXPECT_NE(refusal({0.5}, {infinite}).find("prony_tau"), std::string::npos);
  EXPECT_NE(refusal({0.5}, {0}).find("region 'core'"), std::string::npos);
}
