/// Multigrid levels, in either precision, compared with the products of a body.

#include "solid/boxes.hpp"
#include "solid/multigrid/chebyshev.hpp"
#include "solid/multigrid/prolongation.hpp"
#include "solid/operator/level_operator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

using namespace gearshift;
using namespace gearshift::solid;
using namespace gearshift::solid::test;

namespace {

enum class Cells { cartesian, affine, general, tetrahedra, wedges, hexahedra_and_wedges };

Mesh mesh_of(Cells cells) {
  Mesh mesh = box_of(cells == Cells::tetrahedra             ? Filling::tetrahedra
                     : cells == Cells::wedges               ? Filling::wedges
                     : cells == Cells::hexahedra_and_wedges ? Filling::hexahedra_and_wedges
                                                            : Filling::hexahedra,
                     "3,2,2", {1.5, 0.8, 1.1});
  if (cells == Cells::general) distort(mesh, 0.02);
  if (cells == Cells::affine) {
    Vec coordinates = nullptr;
    check(DMGetCoordinatesLocal(mesh.dm(), &coordinates));
    petsc::WriteView x(coordinates);
    for (std::size_t i = 0; i + 2 < x.size(); i += 3) x[i] += 0.3 * x[i + 1] - 0.1 * x[i + 2];
  }
  return mesh;
}

/// All instruction sets of the machine; on several ranks only the widest, since only the communication differs there.
std::vector<std::string> widths() {
  std::vector<std::string> found;
  for (const char* name : {"sse2", "neon", "avx2", "avx512"})
    if (alone() && find_kernels(name)) found.emplace_back(name);
  return found.empty() ? std::vector<std::string>{"auto"} : found;
}

template <class T>
std::vector<T> rounded(Vec x) {
  const petsc::ReadView values(x);
  std::vector<T> result(values.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<T>(values[i]);
  return result;
}

template <class T>
double dot(const std::vector<T>& a, const std::vector<T>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  return sum;
}

/// Returns max |a - b| / max |b| over all ranks, without the entries in `held`.
template <class T>
double gap(const std::vector<T>& a, Vec b, const std::vector<PetscInt>& held) {
  double sizes[2] = {0, 0};
  {
    const petsc::ReadView expected(b);
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (std::binary_search(held.begin(), held.end(), static_cast<PetscInt>(i))) continue;
      sizes[0] = std::max(sizes[0], std::abs(static_cast<double>(a[i]) - expected[i]));
      sizes[1] = std::max(sizes[1], std::abs(expected[i]));
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, sizes, 2, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  return sizes[0] / sizes[1];
}

/// A body clamped at xmin, and its operator in the form that levels use.
template <class T>
struct Pair {
  Pair(Cells cells, int degree, const Material& of, const std::string& simd, bool lean = false)
      : body(mesh_of(cells), degree) {
    body.set_material(of);
    body.clamp("xmin");
    body.set_up();
    supports.list().add("xmin", 7, {});
    supports.set_up(body.space());
    KernelOptions options;
    options.simd = simd;
    options.lean_points = lean;
    materials = MaterialTable(of, body.space().cells());
    op = std::make_unique<LevelOperator<T>>(body.space(), supports.constraints(), materials, options);
  }
  /// Returns a field that is zero at constrained entries.
  Handle<Vec> field(Vec3 (*of)(const Vec3&)) const {
    auto result = vector(body, of);
    petsc::WriteView values(result.get());
    supports.constraints().clear(values.span().data());
    return result;
  }
  Body body;
  Supports supports;
  MaterialTable materials;
  std::unique_ptr<LevelOperator<T>> op;
};

Material viscous(Law law) {
  Material m = material(law);
  m.prony_g = {0.3, 0.5};
  m.prony_tau = {0.7, 3};
  return m;
}

std::vector<std::pair<Law, bool>> laws_and_relaxing() {
  std::vector<std::pair<Law, bool>> result;
  for (const Law law : laws)
    for (const bool relaxing : {false, true}) result.emplace_back(law, relaxing);
  return result;
}

template <class T>
void compare(const std::string& simd, int degree, Cells cells, const Material& of, PetscReal rate = 0,
             bool lean = false) {
  constexpr bool single = std::is_same_v<T, float>;
  SCOPED_TRACE(simd + (single ? ", float" : ", double") + (lean ? ", float points" : "") + ", degree " +
               std::to_string(degree) + ", cells " + std::to_string(static_cast<int>(cells)) + ", " + name_of(of.law));
  const double rounding = single || lean ? 1e-5 : 1e-12;
  Pair<T> pair(cells, degree, of, simd, lean);
  LevelOperator<T>& op = *pair.op;
  const auto u = vector(pair.body, wavy);
  const auto x = pair.field(ripple), w = pair.field(wavy);
  auto expected = vector(pair.body);
  const auto tangent = pair.body.make_linearization();
  tangent->update({0, u.get(), nullptr, nullptr, {nullptr, 1, rate}});
  const auto& held = pair.supports.constraints().entries();
  const auto own_u = rounded<T>(u.get()), own_x = rounded<T>(x.get()), own_w = rounded<T>(w.get());
  std::vector<T> y(op.size()), z(op.size());
  for (const Shifts s : {Shifts{1, 0, 0}, Shifts{0.7, 0, 2.5}, Shifts{0, 0, 1}}) {
    op.update(own_u.data(), s, rate);
    op.apply(own_x.data(), y.data());
    ASSERT_TRUE(tangent->apply_free(s, x.get(), expected.get()));
    EXPECT_LT(gap(y, expected.get(), held), rounding) << "product " << s.q << " " << s.a;
    op.apply(own_w.data(), z.data());
    const double product = dot(own_w, y), size = std::sqrt(dot(own_w, own_w) * dot(y, y));
    EXPECT_NEAR(dot(own_x, z), product, 0.1 * rounding * size) << "symmetry";
    op.diagonal(y.data());
    ASSERT_TRUE(tangent->diagonal(s, expected.get()));
    EXPECT_LT(gap(y, expected.get(), held), rounding) << "diagonal";
  }
}

/// Uses displacements at which the cells of a level are inverted.
template <class T>
void stay_finite() {
  for (const auto& simd : widths())
    for (const auto& [law, relaxing] : laws_and_relaxing())
      for (const double factor : {-1.0, -1.5, -3.0}) {
        Pair<T> pair(Cells::general, 2, relaxing ? viscous(law) : material(law), simd);
        std::vector<T> u(pair.op->size()), out(pair.op->size());
        const auto coordinates = pair.body.space().coordinates();
        for (std::size_t i = 0; i < u.size(); ++i)
          u[i] = static_cast<T>(factor * (i % 3 == 0 ? coordinates[i / 3][0] : 0));
        pair.op->update(u.data(), {1, 0, 0.5});
        pair.op->apply(rounded<T>(pair.field(ripple).get()).data(), out.data());
        const auto finite = [](T x) { return std::isfinite(x); };
        EXPECT_TRUE(std::all_of(out.begin(), out.end(), finite)) << simd << ' ' << name_of(law) << ' ' << factor;
        pair.op->diagonal(out.data());
        EXPECT_TRUE(std::all_of(out.begin(), out.end(), finite)) << simd << ' ' << name_of(law) << ' ' << factor;
      }
}

struct TransferCase {
  Cells cells;
  int lower, degree;
};

template <class T>
void interpolate(const TransferCase& of, double rounding) {
  const Cells cells = of.cells;
  const int lower = of.lower, degree = of.degree;
  const bool simplex = cells != Cells::cartesian;
  SCOPED_TRACE(std::to_string(lower) + " to " + std::to_string(degree) + ", cells " +
               std::to_string(static_cast<int>(cells)));
  Pair<T> pair(cells, degree, material(Law::linear_elastic), "auto");
  const LevelSpace high_space(pair.body.space(), pair.supports);
  const LevelSpace low_space(pair.body.mesh(), high_space, lower);
  const Space& coarse = low_space.space();
  Prolongation<T> transfer(pair.op->loop(), high_space, low_space);
  // Zero on the clamped face x = 0; of the lower degree in each direction, on cells other than hexahedra in total.
  const auto polynomial = [simplex, lower](const Vec3& X) {
    const double p = std::pow(X[0], lower);
    if (simplex) return Vec3{X[0], p, X[0] - 2 * p};
    return Vec3{X[0], p * std::pow(X[1], lower), X[0] - 2 * p * X[2]};
  };
  const auto at = [&](const Space& space, std::vector<T>& values) {
    for (std::size_t i = 0; i < 3 * static_cast<std::size_t>(space.owned_nodes()); ++i)
      values[i] = static_cast<T>(polynomial(space.coordinates()[i / 3])[i % 3]);
  };
  std::vector<T> low(transfer.coarse_size()), high(pair.op->size()), expected(high), zero(high);
  at(coarse, low);
  at(pair.body.space(), expected);
  transfer.prolong(low.data(), high.data());
  for (std::size_t i = 0; i < high.size(); ++i) EXPECT_NEAR(high[i], expected[i], rounding);
  std::vector<T> back(transfer.coarse_size()), again(back);
  transfer.evaluate(expected.data(), back.data());
  const std::size_t owned = 3 * static_cast<std::size_t>(coarse.owned_nodes());
  for (std::size_t i = 0; i < owned; ++i) EXPECT_NEAR(back[i], low[i], rounding);
  // (P y, r) = (y, P' r)
  const auto r = rounded<T>(vector(pair.body, ripple).get());
  transfer.restrict_residual(r.data(), zero.data(), back.data());
  transfer.restrict_fine(r.data(), again.data());
  back.resize(owned);
  again.resize(owned);
  EXPECT_EQ(back, again);
  low.resize(owned);
  const double left = dot(high, r);
  EXPECT_NEAR(dot(low, back), left, rounding / 3 * std::sqrt(dot(high, high) * dot(r, r)));
}

}  // namespace

TEST(LevelOperator, KnowsNoNotANumber) {
  // Coarse levels may be inverted when the body is not.
  stay_finite<float>();
  stay_finite<double>();
}

TEST(LevelOperator, AgreesWithTheTangent) {
  for (const auto& simd : widths())
    for (int degree = 1; degree <= (alone() ? 6 : 3); ++degree)
      for (const Cells cells : {Cells::cartesian, Cells::affine, Cells::general})
        for (const Law law : laws)
          if ((degree <= 3 && alone()) || law == Law::neo_hookean) compare<float>(simd, degree, cells, material(law));
  for (const auto& simd : widths())
    for (const int degree : {1, 2, 3})
      for (const Law law : laws) compare<float>(simd, degree, Cells::tetrahedra, material(law));
  for (const auto& simd : widths())
    for (const int degree : {1, 2})
      for (const Cells cells : {Cells::wedges, Cells::hexahedra_and_wedges})
        compare<float>(simd, degree, cells, material(Law::neo_hookean));
  for (const Cells cells : {Cells::general, Cells::tetrahedra, Cells::hexahedra_and_wedges})
    for (const bool lean : {false, true}) compare<double>("auto", 2, cells, material(Law::neo_hookean), 0, lean);
}

TEST(LevelOperator, AgreesWithTheTangentOfMaxwellBranches) {
  for (const auto& simd : widths())
    for (const Cells cells : {Cells::general, Cells::tetrahedra})
      for (const Law law : laws)
        for (const PetscReal rate : {0.0, 2.0, InternalState{}.rate})
          compare<float>(simd, 2, cells, viscous(law), rate);
  compare<double>("auto", 2, Cells::general, viscous(Law::neo_hookean), 2);
  for (const auto& simd : widths()) compare<float>(simd, 2, Cells::hexahedra_and_wedges, viscous(Law::neo_hookean), 2);
}

TEST(Transfer, InterpolatesAndIsAdjoint) {
  std::vector<TransferCase> cases{{Cells::tetrahedra, 1, 2},
                                  {Cells::tetrahedra, 1, 3},
                                  {Cells::tetrahedra, 2, 3},
                                  {Cells::wedges, 1, 2},
                                  {Cells::hexahedra_and_wedges, 1, 2}};
  for (int degree = 2; degree <= (alone() ? 6 : 3); ++degree)
    for (int lower = 1; lower < degree; ++lower) cases.push_back({Cells::cartesian, lower, degree});
  for (const TransferCase& of : cases) {
    interpolate<float>(of, 3e-6);
    interpolate<double>(of, 1e-13);
  }
}

TEST(Chebyshev, HasTheErrorOfItsPolynomial) {
  // A x = lambda x = 1, starting from x = 0.
  const double a = 0.2, b = 3, middle = (a + b) / 2, radius = (b - a) / 2;
  for (const double lambda : {0.2, 0.7, 1.6, 3.0, 4.0}) {
    Chebyshev polynomial(a, b);
    double x = 0, d = 0, before = 1, now = (middle - lambda) / radius, scale_before = 1, scale = middle / radius;
    for (int k = 1; k <= 5; ++k) {
      const auto step = polynomial.next();
      d = static_cast<double>(step.keep) * d + static_cast<double>(step.scale) * (1 - lambda * x);
      x += d;
      EXPECT_NEAR(1 - lambda * x, now / scale, 1e-5 * std::max(1.0, std::abs(now / scale))) << lambda << ", step " << k;
      before = std::exchange(now, 2 * (middle - lambda) / radius * now - before);
      scale_before = std::exchange(scale, 2 * middle / radius * scale - scale_before);
    }
  }
}

TEST(Chebyshev, FindsEndsOfASpectrum) {
  const std::size_t size = 50;  // on each rank
  std::vector<float> r(size, 1), A(size);
  for (std::size_t i = 0; i < size; ++i) A[i] = 0.5F + static_cast<float>(i) / (size - 1);
  const auto multiply = [&](std::vector<float>& from, std::vector<float>& to) {
    for (std::size_t i = 0; i < size; ++i) to[i] = A[i] * from[i];
  };
  const auto half = [](std::vector<float>& from, std::vector<float>& to) {
    std::transform(from.begin(), from.end(), to.begin(), [](float x) { return x / 2; });
  };
  const auto few = estimate_spectrum(PETSC_COMM_WORLD, 4, r, multiply, half);
  EXPECT_LT(few.largest, 0.75);
  EXPECT_GT(few.largest + few.error, 0.75);
  const auto many = estimate_spectrum(PETSC_COMM_WORLD, 20, r, multiply, half);
  EXPECT_NEAR(many.smallest, 0.25, 1e-3);
  EXPECT_NEAR(many.largest, 0.75, 1e-3);
  std::fill(r.begin(), r.end(), 0.0F);
  EXPECT_EQ(estimate_spectrum(PETSC_COMM_WORLD, 4, r, multiply, half).largest, 0);
}
