/// Multigrid levels, in either precision, compared with the products of a body.

#include "solid/boxes.hpp"
#include "solid/multigrid/chebyshev.hpp"
#include "solid/multigrid/coarse/aggregation.hpp"
#include "solid/multigrid/coarse/node_aggregates.hpp"
#include "solid/multigrid/coarse/rigid_basis.hpp"
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

extern "C" PetscErrorCode PetscObjectComposedDataRegister(PetscInt*);  // from a private header

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

bool alone() {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  return ranks == 1;
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

/// Returns the next identifier for composed data of objects; PETSc never reuses identifiers.
PetscInt identifiers() {
  PetscInt next = 0;
  check(PetscObjectComposedDataRegister(&next));
  return next;
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

/// Returns the members of each aggregate, sorted.
std::vector<std::vector<PetscInt>> members(const NodeAggregates& aggregates) {
  std::vector<std::vector<PetscInt>> found;
  for (PetscInt a = 0; a < aggregates.count(); ++a) {
    found.emplace_back(aggregates.of(a).begin(), aggregates.of(a).end());
    std::sort(found.back().begin(), found.back().end());
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST(Aggregation, KeepsApartWhatNothingJoins) {
  // A ladder, cut between the second and the third rung, in aggregates of up to eight nodes.
  std::vector<Vec3> points(16);
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = {static_cast<PetscReal>(i % 8), static_cast<PetscReal>(i / 8), 0};
  const Connections ladder = [](const auto& connect) {
    for (PetscInt i = 0; i < 8; ++i) {
      connect(i, i + 8);
      if (i == 1 || i == 7) continue;
      connect(i, i + 1);
      connect(i + 8, i + 9);
    }
    connect(15, 16);  // an unrelated node
  };
  using Members = std::vector<std::vector<PetscInt>>;
  EXPECT_EQ(members(make_aggregates(points, 8, ladder)),
            (Members{{0, 1, 8, 9}, {2, 3, 4, 10, 11, 12}, {5, 6, 7, 13, 14, 15}}));
  // Two lines joined at one end are halved along the lines; the half away from the joint falls apart into two.
  points.resize(8);
  for (std::size_t i = 0; i < 4; ++i) points[4 + i] = {static_cast<PetscReal>(i), 1, 0};
  const Connections fork = [](const auto& connect) {
    for (const PetscInt i : {0, 1, 2, 4, 5, 6}) connect(i, i + 1);
    connect(3, 7);
  };
  EXPECT_EQ(members(make_aggregates(points, 4, fork)), (Members{{0, 1}, {2, 3, 6, 7}, {4, 5}}));
  EXPECT_EQ(make_aggregates({}, 4, ladder).count(), 0);
}

TEST(Aggregation, MakesShortPiecesOfBeams) {
  // Eight rows of four points are a beam, cut in the middle; two columns of 32 across thin cells are aggregates
  // already; a single line has no width at all.
  std::vector<Vec3> beam, columns, line;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j) beam.push_back({1.0 * i, 1.0 * (j % 2), 1.0 * (j / 2)});
  for (int i = 0; i < 64; ++i) columns.push_back({1.0 * (i / 32), 0, 0.01 * (i % 32)});
  for (int i = 0; i < 32; ++i) line.push_back({0, 0, 0.01 * i});
  const Connections all = [](const auto& connect) {
    for (PetscInt i = 0; i + 1 < 64; ++i) connect(i, i + 1);
  };
  EXPECT_EQ(make_aggregates(beam, 32, all).count(), 2);
  EXPECT_EQ(make_aggregates(columns, 32, all).count(), 2);
  EXPECT_EQ(make_aggregates(line, 32, all).count(), 32);
  // Neighbouring nodes give a line its width; whole lines may have twice the number of points.
  const Connections along = [](const auto& connect) {
    for (PetscInt i = 0; i + 1 < 64; ++i)
      if (i != 31) connect(i, i + 1);
  };
  const std::vector<double> wide(64, 1.0), narrow(64, 0.04);
  EXPECT_EQ(make_aggregates(columns, 16, along, wide).count(), 2);
  EXPECT_EQ(make_aggregates(columns, 15, along, wide).count(), 8);
  EXPECT_EQ(make_aggregates(columns, 16, along, narrow).count(), 8);
}

TEST(Aggregation, FindsLinesThroughFlatCellsAndPlanesAcrossLongOnes) {
  if (!alone()) GTEST_SKIP() << "lines and planes end where the rank does";
  const auto aggregates = [](const char* faces, const Vec3& upper, int degree) {
    const Space space(box_of(Filling::hexahedra, faces, upper), degree);
    return aggregate_nodes(space, StiffInclusions(space, {{}, space.cells()}), true).count();
  };
  EXPECT_EQ(aggregates("2,3,4", {20, 30, 4}, 1), 3 * 4);
  EXPECT_EQ(aggregates("2,3,4", {20, 30, 4}, 2), 5 * 7);
  EXPECT_EQ(aggregates("14,1,1", {140, 1, 1}, 1), 15);
  EXPECT_EQ(aggregates("4,2,2", {40, 2, 2}, 2), 9);
}

TEST(Aggregation, KeepsLayersWhole) {
  // An odd number of columns of thin cells cannot be halved: each half gets two or three columns, and no column is torn
  // into parts that seem to have no width.
  std::vector<Vec3> columns;
  for (int i = 0; i < 25 * 64; ++i)
    columns.push_back({1.0 * (i % 5), 1.0 * (i / 5 % 5), 0.005 * (i / 25) + 1e-5 * (i % 3)});
  const Connections all = [](const auto& connect) {
    for (PetscInt i = 0; i + 25 < 25 * 64; ++i) connect(i, i + 25);
    for (PetscInt i = 0; i + 1 < 25; ++i) connect(i, i + 1);
  };
  const NodeAggregates aggregates = make_aggregates(columns, 32, all);
  EXPECT_EQ(aggregates.count(), 50);
  for (PetscInt a = 0; a < aggregates.count(); ++a) EXPECT_EQ(aggregates.of(a).size(), 32);
}

TEST(RigidBasis, DropsWhatDepends) {
  RigidColumns columns;
  std::array<double, rigid_motions> sizes{};
  for (std::size_t mode = 0; mode < rigid_motions; ++mode) {
    columns[mode] = {1, static_cast<double>(mode == 1), static_cast<double>(mode == 4)};
    sizes[mode] = 2;
  }
  const auto dropped = orthonormalise(columns, sizes);
  EXPECT_EQ(dropped, (std::array<bool, rigid_motions>{false, false, true, true, false, true}));
  EXPECT_NEAR(columns[1][1], 1, 1e-14);
  EXPECT_NEAR(columns[4][2], 1, 1e-14);
  EXPECT_EQ(columns[5], std::vector<double>(3, 0));
}

/// Multiples of one vector differ from each other only by rounding, at any size.
TEST(RigidBasis, DropsWhatDiffersByRounding) {
  for (const double size : {1e-9, 1.0, 1e9}) {
    RigidColumns columns;
    for (std::size_t mode = 0; mode < rigid_motions; ++mode)
      for (const double x : {0.1, 0.7, 0.3}) columns[mode].push_back(size * x * (1 + static_cast<double>(mode) / 3));
    EXPECT_EQ(orthonormalise(columns), (std::array<bool, rigid_motions>{false, true, true, true, true, true})) << size;
  }
}

TEST(FloatMultigrid, DoesWhatDoubleLevelsDo) {
  // Long bodies, so that some of four ranks may be empty, with a large displacement.
  struct Case {
    CellKind kind;
    const char* cells;
    int most;
  };
  for (const auto& [kind, cells, most] : {Case{CellKind::hexahedron, "2,1,1", alone() ? 4 : 2},
                                          {CellKind::hexahedron, "6,3,3", alone() ? 4 : 2},
                                          {CellKind::tetrahedron, "1,1,1", alone() ? 3 : 2},
                                          {CellKind::tetrahedron, "6,3,3", alone() ? 3 : 2}})
    for (int degree = 1; degree <= most; ++degree) {
      const bool simplex = kind == CellKind::tetrahedron;
      SCOPED_TRACE(std::string(cells) + ", degree " + std::to_string(degree) + (simplex ? ", tetrahedra" : ""));
      Handle<Vec> solutions[2];
      PetscInt iterations[2] = {0, 0};
      PetscReal work[2] = {0, 0};
      for (const int precision : {0, 1}) {
        const Options options(
            std::vector<std::pair<std::string, std::string>>{{"-solid_levels", precision == 0 ? "double" : "float"}});
        Body body(simplex ? tetrahedra(cells, "3,1,1") : box(cells, "3,1,1"), degree);
        body.set_material({.law = Law::neo_hookean, .E = 2e11, .nu = 0.3, .rho = 7800});
        body.clamp("xmin");
        body.set_gravity([](PetscReal, const Vec3&) { return Vec3{0, -10, 3}; }, true);
        body.set_up();
        LinearProblem problem(body);
        const auto q = vector(body, [](const Vec3& X) { return Vec3{0, 0.002 * X[0] * X[0], 0}; });
        auto r = vector(body), x = vector(body);
        body.residual({0, vector(body).get(), nullptr, nullptr}, r.get());
        problem.mask(r.get(), 0);
        problem.update(q.get(), {1, 0, 1});
        iterations[precision] = problem.solve(r.get(), x.get(), 1e-10);
        EXPECT_GT(iterations[precision], 0);
        work[precision] = inner(r.get(), x.get());
        if (precision == 0) continue;
        // Symmetric up to rounding, and identity on constrained entries.
        PC pc = nullptr;
        check(KSPGetPC(problem.ksp(), &pc));
        auto a = vector(body, ripple), b = vector(body, wavy), za = vector(body), zb = vector(body);
        check(PCApply(pc, a.get(), za.get()));
        check(PCApply(pc, b.get(), zb.get()));
        problem.mask(a.get(), 0);
        problem.mask(b.get(), 0);
        const PetscReal left = inner(b.get(), za.get()), right = inner(a.get(), zb.get());
        EXPECT_NEAR(left, right, 1e-5 * norm(b.get()) * norm(za.get()));
      }
      EXPECT_NEAR(work[1], work[0], 1e-8 * std::abs(work[0]));
      EXPECT_LE(iterations[1], iterations[0] + 8);
    }
}

/// The scale is a power of two, so corrections do not depend on the residual from which it was taken, however much
/// larger or smaller that was.
TEST(FloatMultigrid, ScalesAsTheLastResidualWithoutAnotherReduction) {
  Body body(box("6,2,2", "3,1,1"), 2);
  body.set_material({.law = Law::neo_hookean, .E = 2e11, .nu = 0.3, .rho = 7800});
  body.clamp("xmin");
  body.set_up();
  LinearProblem problem(body);
  problem.update(vector(body).get(), {1, 0, 1});
  PC pc = nullptr;
  check(KSPGetPC(problem.ksp(), &pc));
  const auto b = vector(body, wavy), expected = vector(body), z = vector(body);
  const auto reductions_of = [&](Vec residual, Vec correction) {
    const double before = petsc_allreduce_ct;
    check(PCApply(pc, residual, correction));
    return petsc_allreduce_ct - before;
  };
  check(PCPreSolve(pc, problem.ksp()));
  const double first = reductions_of(b.get(), expected.get());
  for (const PetscReal factor : {1.0, 1e-4, 1e4, 1e-30, 1e30}) {
    const auto other = vector(body, ripple);
    check(VecScale(other.get(), factor));
    check(PCApply(pc, other.get(), z.get()));
    const double later = reductions_of(b.get(), z.get());
    if (!alone() && std::abs(std::log10(factor)) < 5) {
      EXPECT_LT(later, first) << factor;
    }
    PetscBool equal = PETSC_FALSE;
    check(VecEqual(z.get(), expected.get(), &equal));
    EXPECT_TRUE(equal) << factor;
  }
  const auto nothing = vector(body), invalid = vector(body);
  check(VecSet(invalid.get(), std::numeric_limits<PetscReal>::quiet_NaN()));
  for (int turn = 0; turn < 2; ++turn) {
    check(PCApply(pc, invalid.get(), z.get()));
    EXPECT_TRUE(std::isnan(norm(z.get())));
    check(PCApply(pc, b.get(), z.get()));
    PetscBool equal = PETSC_FALSE;
    check(VecEqual(z.get(), expected.get(), &equal));
    EXPECT_TRUE(equal);
  }
  check(PCApply(pc, nothing.get(), z.get()));
  EXPECT_EQ(norm(z.get()), 0);
  EXPECT_EQ(body.level_repairs(), 0);
}

TEST(FloatMultigrid, RefusesOptionsThatMakeNoCycle) {
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
           {"-mg_levels_ksp_max_it", "0"}, {"-mg_levels_ksp_chebyshev_esteig", "0,1"}, {"-mg_corner_cycles", "0"}}) {
    const Options options(std::vector<std::pair<std::string, std::string>>{{key, value}});
    Body body(box("2,1,1"), 2);
    body.set_material(material(Law::linear_elastic));
    body.set_up();
    Handle<SNES> snes;
    check(SNESCreate(PETSC_COMM_WORLD, snes.out()));
    try {
      body.configure(snes.get());
      ADD_FAILURE() << key;
    } catch (const OptionError& error) {
      EXPECT_NE(std::string(error.what()).find(key), std::string::npos) << error.what();
    }
  }
}

/// A long run builds its preconditioner thousands of times. Each new PC of PETSc's multigrid registers an identifier,
/// and every Vec with a cached norm allocates room for it, so that all of them grow.
TEST(Levels, BuiltAgainTakeNoMemory) {
  using List = std::vector<std::pair<std::string, std::string>>;
  struct Case {
    int degree;
    Formulation formulation;
    List options;
  };
  const Case cases[] = {{1, Formulation::displacement, {{"-pc_type", "gamg"}}},
                        {1, Formulation::displacement, {}},
                        {2, Formulation::displacement, {}},
                        {2, Formulation::displacement, {{"-pc_type", "gamg"}}},
                        {2, Formulation::displacement, {{"-solid_levels", "double"}}},
                        {2, Formulation::mixed, {}}};
  for (const Case& of : cases) {
    SCOPED_TRACE("degree " + std::to_string(of.degree) + (of.options.empty() ? "" : ", " + of.options[0].second) +
                 (of.formulation == Formulation::mixed ? ", mixed" : ""));
    const Options options(of.options);
    Body body(box("4,2,2", "2,1,1"), of.degree);
    body.set_formulation(of.formulation);
    body.set_material(material(Law::neo_hookean));
    body.clamp("xmin");
    body.set_up();
    LinearProblem problem(body);
    const auto q = vector(body, wavy), load = vector(body, ripple);
    auto x = vector(body);
    const auto build = [&](int times) {
      for (int i = 0; i < times; ++i) {
        problem.update(q.get(), {1, 0, 1});
        EXPECT_GT(problem.solve(load.get(), x.get(), 1e-5), 0);
      }
    };
    build(3);
    const PetscInt before = identifiers();
    build(8);
    EXPECT_EQ(identifiers(), before + 1);
  }
}

/// The levels and their number match the present matrix.
TEST(Levels, BuiltAgainAreThoseOfANewSolver) {
  for (const char* type : {PCGAMGAGG, PCGAMGCLASSICAL}) {
    SCOPED_TRACE(type);
#if defined(PETSC_USE_DEBUG)  // PETSc's own checks refuse a second solver of this type: it registers its end twice
    if (std::string_view(type) == PCGAMGCLASSICAL) continue;
#endif
    const Options options(std::vector<std::pair<std::string, std::string>>{
        {"-pc_type", "gamg"}, {"-pc_gamg_type", type}, {"-pc_gamg_coarse_eq_limit", "30"}});
    Body body(box("8,4,4", "2,1,1"), 1);
    body.set_material(material(Law::neo_hookean));
    body.clamp("xmin");
    body.set_up();
    const auto q = vector(body, wavy), load = vector(body, ripple);
    const auto solved = [&](LinearProblem& problem) {
      auto x = vector(body);
      problem.update(q.get(), {1, 0, 1});
      EXPECT_GT(problem.solve(load.get(), x.get(), 1e-6), 0);
      return x;
    };
    LinearProblem young(body), old(body);
    old.update(vector(body).get(), {0, 0, 1});  // mass matrix: few levels are enough for it
    const auto expected = solved(young), again = solved(old);
    PetscBool same = PETSC_FALSE;
    check(VecEqual(expected.get(), again.get(), &same));
    EXPECT_TRUE(same);
  }
}
