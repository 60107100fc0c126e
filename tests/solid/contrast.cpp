/// Iterations for bodies of different materials: layers, fibres, inclusions and random cells, stiffer by a factor of up
/// to 1e6.

#include "helpers.hpp"

#include <cmath>
#include <functional>

namespace gearshift::solid::test {
namespace {

using Pattern = std::function<bool(const std::array<int, 3>&)>;

/// A cantilever of 2 n x n x n cells under its weight, clamped at its left end; or free and stretched.
struct Cantilever {
  int degree, n;
  bool free = false;
};

/// Returns the iterations to 1e-8 of a static solve; cells of the pattern are `contrast` times stiffer than the others.
PetscInt iterations(const Cantilever& of, const Pattern& pattern, PetscReal contrast) {
  const std::string side = std::to_string(of.n);
  const Mesh cells = box((std::to_string(2 * of.n) + "," + side + "," + side).c_str(), "2,1,1");
  mark(cells, "stiff", [&](const Vec3& X) {
    const auto cell = [&](std::size_t c) { return static_cast<int>(X[c] * of.n); };
    return pattern({cell(0), cell(1), cell(2)});
  });
  Body body(Mesh::adopt(cells.dm()), of.degree);
  body.set_material({.law = Law::linear_elastic, .E = 1, .nu = 0.3, .rho = 1});
  body.set_material("stiff", {.law = Law::linear_elastic, .E = contrast, .nu = 0.3, .rho = 1});
  if (!of.free) body.clamp("6");  // the number of xmin in PETSc's boxes; an adopted DM does not carry the names
  body.set_gravity([&](PetscReal, const Vec3& X) { return of.free ? Vec3{X[0] - 1, 0, 0} : Vec3{0.1, 0.3, -1}; }, true);
  body.set_up();
  LinearProblem problem(body);
  const auto q = vector(body), r = vector(body), x = vector(body);
  body.residual({0, q.get(), nullptr, nullptr}, r.get());
  problem.mask(r.get(), 0);
  problem.update(q.get(), {1, 0, 0});
  return problem.solve(r.get(), x.get(), 1e-8);
}

/// Selects about a third of all cells, the same ones on any number of ranks.
bool at_random(const std::array<int, 3>& cell) {
  const double phase = std::sin(12.9898 * cell[0] + 78.233 * cell[1] + 37.719 * cell[2] + 1) * 43758.5453;
  return phase - std::floor(phase) < 0.3;
}

struct Composite {
  const char* name;
  Pattern stiff;
  /// Iterations at degrees 1 and 2; a single material takes 9 and 9. (With five smoothing steps instead of three degree
  /// 2 takes 15 and 23, but more time.)
  std::array<PetscInt, 2> most;
  /// Additional iterations on several ranks, whose boundaries can cut layers of these few cells into ragged aggregates:
  /// on two ranks they do so if the cells are divided in their order (-petscpartitioner_type simple).
  PetscInt of_ranks = 0;
};

const std::array<Composite, 5> composites{{
    {"layers", [](const auto& cell) { return cell[2] % 2 == 1; }, {32, 18}, 10},
    {"layers across", [](const auto& cell) { return cell[0] % 2 == 1; }, {32, 18}, 10},
    {"fibres", [](const auto& cell) { return cell[1] % 2 == 0 && cell[2] % 2 == 0; }, {24, 18}},
    {"inclusions", [](const auto& cell) { return cell[0] / 2 % 2 + cell[1] / 2 % 2 + cell[2] / 2 % 2 == 3; }, {14, 12}},
    {"random", at_random, {19, 22}},
}};

}  // namespace

TEST(Contrast, HardlyCostsIterations) {
  int ranks = 0;
  check(MPI_Comm_size(PETSC_COMM_WORLD, &ranks));
  for (const Cantilever& of : {Cantilever{1, 10}, Cantilever{2, 8}}) {
    EXPECT_LE(iterations(of, at_random, 1), 10);
    for (const Composite& body : composites) {
      std::array<PetscInt, 2> taken{};
      for (const std::size_t i : {0, 1}) {
        const PetscReal contrast = i == 0 ? 1e3 : 1e6;
        const std::string at =
            std::string(body.name) + ", degree " + std::to_string(of.degree) + ", contrast " + std::to_string(contrast);
        taken[i] = iterations(of, body.stiff, contrast);
        EXPECT_GT(taken[i], 0) << at;
        EXPECT_LE(taken[i], body.most[static_cast<std::size_t>(of.degree - 1)] + (ranks > 1 ? body.of_ranks : 0)) << at;
      }
      // A contrast a thousand times as large costs no more than this.
      EXPECT_LE(taken[1], taken[0] + taken[0] / 2) << body.name << ", degree " << of.degree;
    }
  }
}

/// Rigid motions of free bodies; hinged parts have further motions without forces.
TEST(Contrast, OfFreeBodies) {
  const auto chess = [](const std::array<int, 3>& cell) { return (cell[0] + cell[1] + cell[2]) % 2 == 1; };
  for (const Cantilever& of : {Cantilever{1, 10, true}, Cantilever{2, 8, true}})
    for (const PetscReal contrast : {1e3, 1e6}) {
      const PetscInt taken = iterations(of, chess, contrast);
      EXPECT_GT(taken, 0) << of.degree << ", " << contrast;
      EXPECT_LE(taken, 45) << of.degree << ", " << contrast;
    }
}

}  // namespace gearshift::solid::test
