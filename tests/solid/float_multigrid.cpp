/// The cycles of the multigrid: precision, scaling, options, and levels that are built again.

#include "solid/boxes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>
#include <utility>

extern "C" PetscErrorCode PetscObjectComposedDataRegister(PetscInt*);  // from a private header

using namespace gearshift;
using namespace gearshift::solid;
using namespace gearshift::solid::test;

namespace {

/// Returns the next identifier for composed data of objects; PETSc never reuses identifiers.
PetscInt identifiers() {
  PetscInt next = 0;
  check(PetscObjectComposedDataRegister(&next));
  return next;
}

}  // namespace

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
