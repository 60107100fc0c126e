/// Maxwell branches: forces, tangents, internal variables and energies compared with energies written out plainly,
/// which are differentiated by complex steps.

#include "solid/maxwell.hpp"

#include <algorithm>
#include <array>
#include <complex>

using namespace gearshift;
using namespace gearshift::solid;
using namespace gearshift::solid::test;

namespace {

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

/// The energy of F in its textbook form.
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

/// Returns z of a branch with z' = rate (z - factor base).
double branch(double g, double tau, const InternalState& x, double base, double S) {
  if (x.rate == infinite) return x.factor * base;
  // z' = (g S - z) / tau = rate (z - factor base)
  return (g * S + x.rate * tau * x.factor * base) / (1 + x.rate * tau);
}

/// The materials of a body's cells, and the documented offsets of each cell's internal variables.
struct Layout {
  std::vector<const Material*> of;
  std::vector<std::size_t> begin;
  Layout(const Body& body, const Material& rest, const std::vector<std::pair<std::string, Material>>& regions) {
    const Space& space = body.space();
    std::size_t at = 0;
    for (PetscInt cell = 0; cell < space.cells(); ++cell) {
      const Material* own = &rest;
      for (const int r : space.mesh_cells().regions(cell))
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

/// Compares a body with one branch, with two branches in one region and none in another.
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
    // With the eliminated variables inserted explicitly.
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
