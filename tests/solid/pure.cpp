/// A preconditioner depends only on its state and shifts: earlier builds leave no bit behind. Restarts need this, since
/// their first build repeats one of many.

#include "solid/helpers.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace gearshift::solid {
namespace {

using namespace test;

using Settings = std::vector<std::pair<std::string, std::string>>;

/// Uses a mesh that several bodies may share, since partitioners need not partition equal meshes equally within one
/// process.
std::unique_ptr<Body> beam(const Mesh& mesh, int degree, Solver solver, PetscReal unit = 1) {
  auto body = std::make_unique<Body>(Mesh::adopt(mesh.dm()), degree);
  Material material{.law = Law::neo_hookean, .E = 1e6 * unit, .nu = 0.3, .rho = 1000 * unit};
  body->set_material(material);
  const auto& regions = body->mesh().region_names();
  if (std::find(regions.begin(), regions.end(), "damped") != regions.end()) {
    material.rayleigh_mass = 0.4;
    material.rayleigh_stiffness = 0.02;
    body->set_material("damped", material);
  }
  body->clamp("6");
  body->set_solver(solver);
  body->set_up();
  return body;
}

struct Build {
  PetscReal size;  // size of the displacement
  Shifts shifts;
};

constexpr Build a{0.3, {1, 20, 400}}, near_a{0.3, {1, 21, 441}}, b{1, {1, 3, 9}}, c{0.7, {1, 1.4e3, 2e6}};

/// Returns the result of applying the preconditioner of the last of these builds to a vector.
std::vector<PetscReal> action(Body& body, const std::vector<Build>& builds) {
  LinearProblem problem(body);
  auto q = vector(body), in = vector(body, ripple), out = vector(body);
  problem.mask(in.get(), 0);
  PC pc = nullptr;
  check(KSPGetPC(problem.ksp(), &pc));
  for (const Build& build : builds) {
    body.interpolate(
        [&](PetscReal, const Vec3& X) {
          Vec3 u = wavy(X);
          for (auto& component : u) component *= build.size * X[0] / 4;
          return u;
        },
        0, q.get());
    problem.update(q.get(), build.shifts);
    check(KSPSetUp(problem.ksp()));
    check(PCApply(pc, in.get(), out.get()));
  }
  const petsc::ReadView values(out.get());
  return {values.begin(), values.end()};
}

/// Returns the number of entries, over all ranks, that are not bitwise equal.
int differences(const std::vector<PetscReal>& x, const std::vector<PetscReal>& y) {
  int count = x.size() != y.size();
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) count += std::memcmp(&x[i], &y[i], sizeof x[i]) != 0;
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
  return count;
}

struct Case {
  std::string name;
  int degree;
  Solver solver;
  std::string faces;
  Settings settings;
  bool damped = false;  // half of the body has its own damping
};

Mesh box_of(const std::string& faces, bool damped) {
  Mesh mesh = box(faces, "4,1,1");
  if (damped) mark(mesh, "damped", [](const Vec3& X) { return X[0] < 2; });
  return mesh;
}

class Pure : public ::testing::TestWithParam<Case> {};

TEST_P(Pure, EveryBuildIsTheFirst) {
  const auto& [name, degree, solver, faces, settings, damped] = GetParam();
  const Options options(settings);
  const Mesh mesh = box_of(faces, damped);
  const auto body = beam(mesh, degree, solver);
  const auto first = action(*body, {a});
  EXPECT_EQ(differences(first, action(*beam(mesh, degree, solver), {b, a})), 0) << "after another build";
  EXPECT_EQ(differences(first, action(*beam(mesh, degree, solver), {near_a, a})), 0) << "after one that is nearly it";
  EXPECT_EQ(differences(first, action(*body, {a, b, c, a})), 0) << "the same body again";
  EXPECT_GT(differences(first, action(*body, {b})), 0) << "the point does not matter";
}

/// Moduli and densities in another unit: the preconditioner is divided by it. A power of two keeps the rounding the
/// same.
TEST_P(Pure, KnowsNoUnit) {
  const auto& [name, degree, solver, faces, settings, damped] = GetParam();
  if (solver == Solver::amg) GTEST_SKIP() << "rows of supports are scaled by the solver, which is not here";
  const Options options(settings);
  const Mesh mesh = box_of(faces, damped);
  const auto plain = action(*beam(mesh, degree, solver), {a});
  for (const int power : {-60, 60}) {
    const PetscReal unit = std::ldexp(1.0, power);
    auto scaled = action(*beam(mesh, degree, solver, unit), {a});
    for (PetscReal& value : scaled) value *= unit;
    EXPECT_EQ(differences(plain, scaled), 0) << power;
  }
}

const Settings in_double{{"-solid_levels", "double"}};
// Boxes with enough nodes for aggregates of aggregates, and for GAMG's levels.
INSTANTIATE_TEST_SUITE_P(, Pure,
                         ::testing::Values(Case{"degree2", 2, Solver::automatic, "12,5,5", {}},
                                           Case{"degree1_clusters", 1, Solver::automatic, "24,9,9", {}},
                                           Case{"degree1_few", 1, Solver::automatic, "12,5,5", {}},
                                           Case{"degree3", 3, Solver::automatic, "4,2,2", {}},
                                           Case{"damped", 2, Solver::automatic, "8,3,3", {}, true},
                                           Case{"double_degree2", 2, Solver::automatic, "8,3,3", in_double},
                                           Case{"double_degree3", 3, Solver::automatic, "6,3,3", in_double},
                                           Case{"amg", 1, Solver::amg, "10,4,4", {}}),
                         [](const ::testing::TestParamInfo<Case>& one) { return one.param.name; });

}  // namespace
}  // namespace gearshift::solid
