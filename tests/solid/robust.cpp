/// Multigrid levels for inverted, distant or slender bodies; overlapping regions; a body in another program's solver.

#include <gearshift/dynamics/stepper.hpp>

#include "helpers.hpp"
#include "petsc/definite_pc.hpp"
#include "petsc/queries.hpp"
#include "solid/space/countable.hpp"

#include <functional>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace gearshift::solid::test {
namespace {

/// A bar along x with the left half named "left" and the whole named "whole".
Mesh marked_bar() {
  const Mesh bar = box("8,2,2", "4,1,1");
  mark(bar, "left", [](const Vec3& X) { return X[0] < 2; });
  mark(bar, "whole", [](const Vec3&) { return true; });
  return Mesh::adopt(bar.dm());
}

Material elastic(PetscReal E) { return {.law = Law::linear_elastic, .E = E, .nu = 0.3, .rho = 1}; }

/// Returns the strain energy of a uniform stretch of 1 %.
PetscReal stretched(Body& body) {
  const auto u = vector(body, [](const Vec3& X) { return Vec3{0.01 * X[0], 0, 0}; });
  return body.energy({0, u.get(), nullptr, nullptr})->stored;
}

std::string refusal(Body& body) {
  try {
    body.set_up();
  } catch (const OptionError& error) {
    return error.what();
  }
  return {};
}

/// Starts at rest and undeformed.
void begin(Stepper& stepper, const Body& body) {
  const auto rest = vector(body);
  stepper.set_initial_state(0, rest.get(), rest.get());
}

}  // namespace

TEST(Regions, ThatOverlapTakeTheMaterialGiven) {
  const auto energy = [](auto&& set) {
    Body body(marked_bar(), 1);
    set(body);
    body.set_up();
    return stretched(body);
  };
  const PetscReal soft = energy([](Body& body) { body.set_material(elastic(1)); });
  // "whole" has no material and must not hide that of "left", wherever it is in the list.
  const PetscReal half = energy([](Body& body) {
    body.set_material(elastic(1));
    body.set_material("left", elastic(1000));
  });
  EXPECT_NEAR(half / soft, 500.5, 1e-6);
  const PetscReal same = energy([](Body& body) {
    body.set_material("whole", elastic(7));
    body.set_material("left", elastic(7));
  });
  EXPECT_NEAR(same / soft, 7, 1e-8);
}

TEST(Regions, WithTwoMaterialsAreRefusedByName) {
  Body body(marked_bar(), 1);
  body.set_material("whole", elastic(1));
  body.set_material("left", elastic(1000));
  const std::string text = refusal(body);
  EXPECT_NE(text.find("left"), std::string::npos) << text;
  EXPECT_NE(text.find("whole"), std::string::npos) << text;
}

TEST(Regions, WithoutAMaterialAreNamed) {
  const Mesh bar = box("8,2,2", "4,1,1");
  mark(bar, "left", [](const Vec3& X) { return X[0] < 2; });
  mark(bar, "right", [](const Vec3& X) { return X[0] > 2; });
  Body body(Mesh::adopt(bar.dm()), 1);
  body.set_material("left", elastic(1));
  EXPECT_NE(refusal(body).find("right"), std::string::npos);
}

TEST(Levels, OfABodyThatTravelsTakeAsManyIterations) {
  for (const int degree : {1, 2}) {
    Body body(box("8,2,2", "4,1,1"), degree);
    body.set_material(material(Law::neo_hookean));
    body.set_up();
    LinearProblem problem(body);
    const auto rhs = vector(body, ripple), x = vector(body);
    PetscInt at_home = 0;
    for (const PetscReal far : {0.0, 1e3, 1e6, 1e9}) {
      const auto u = vector(body, [&](const Vec3& X) {
        const Vec3 own = wavy(X);
        return Vec3{0.2 * own[0] + far, 0.2 * own[1] - 2 * far, 0.2 * own[2] + 3 * far};
      });
      problem.update(u.get(), {1, 0, 0.1});
      const PetscInt taken = problem.solve(rhs.get(), x.get(), 1e-8);
      if (far == 0) at_home = taken;
      EXPECT_GT(taken, 0) << far;
      EXPECT_LE(taken, at_home + 1) << far;
    }
  }
}

/// Moduli beyond the range of single precision, at either end: the solve continues with levels in double precision, in
/// the same number of iterations, and later solves stay there.
TEST(Levels, BeyondTheRangeOfFloatAreDouble) {
  for (const int degree : {1, 2}) {
    PetscInt usual = 0;
    PetscReal motion = 0;
    for (const PetscReal E : {1.0, 1e39, 1e-39}) {
      Body body(box("8,2,2", "4,1,1"), degree);
      body.set_material({.law = Law::linear_elastic, .E = E, .nu = 0.3, .rho = 1});
      body.clamp("xmin");
      body.set_gravity([E](PetscReal, const Vec3& X) { return Vec3{0, -1e-3 * E, 1e-3 * E * X[0]}; }, true);
      body.set_up();
      Stepper stepper(body, body.layout());
      begin(stepper, body);
      const Report report = stepper.solve_static(0);
      PetscReal size = 0;
      check(VecNorm(stepper.state().q, NORM_2, &size));
      if (E == 1) {
        usual = report.krylov_iterations;
        motion = size;
      }
      EXPECT_EQ(body.levels_became_double(), E != 1) << E;
      EXPECT_EQ(body.level_repairs(), E != 1) << E;
      EXPECT_LE(report.krylov_iterations, usual + 3) << E;
      EXPECT_NEAR(size, motion, 1e-6 * motion) << E;
      EXPECT_LE(stepper.solve_static(0).krylov_iterations, usual) << E;
      EXPECT_EQ(body.level_repairs(), E != 1) << E;
    }
  }
}

/// The precision of the levels is a part of the state: digits depend on it.
TEST(Levels, HaveThePrecisionOfTheStateAfterARestart) {
  const auto make = [] {
    auto body = std::make_unique<Body>(box("4,1,1", "4,1,1"), 1);
    body->set_material(elastic(1e39));
    body->clamp("xmin");
    body->set_gravity([](PetscReal, const Vec3&) { return Vec3{0, -1e36, 0}; }, true);
    body->set_up();
    return body;
  };
  const auto first = make(), second = make();
  Stepper one(*first, first->layout()), other(*second, second->layout());
  begin(one, *first);
  begin(other, *second);
  const Snapshot before = one.snapshot();
  one.solve_static(0);
  const Snapshot after = one.snapshot();
  EXPECT_TRUE(first->levels_became_double());
  other.restore(after);
  EXPECT_TRUE(second->levels_became_double());
  EXPECT_EQ(second->level_repairs(), 1);
  other.solve_static(0);
  EXPECT_EQ(second->level_repairs(), 1);
  one.restore(before);
  EXPECT_FALSE(first->levels_became_double());
  one.solve_static(0);
  EXPECT_EQ(first->level_repairs(), 1);
  EXPECT_EQ(one.snapshot().difference(after), "");
}

/// Only the diagonals are beyond that range; their inverses would be zero.
TEST(Levels, WhoseDiagonalsLeaveFloatAreDouble) {
  Body body(box("4,1,1", "4,1,1"), 2);
  body.set_material({.law = Law::neo_hookean, .E = 5e38, .nu = 0.499, .rho = 1});
  body.set_formulation(Formulation::mixed);
  body.clamp("xmin");
  body.set_gravity([](PetscReal, const Vec3&) { return Vec3{0, -1e35, 0}; }, true);
  body.set_up();
  Stepper stepper(body, body.layout());
  begin(stepper, body);
  EXPECT_LT(stepper.solve_static(0).krylov_iterations, 200);
  EXPECT_TRUE(body.levels_became_double());
}

TEST(Levels, OfSlenderBodies) {
  // Slenderness of up to 1 : 500; the residual of CG temporarily rises by a factor of ten thousand.
  struct Case {
    const char *faces, *upper;
    int degree;
  };
  for (const Case& given :
       {Case{"150,1,1", "100,1,1", 2}, Case{"250,1,1", "500,1,1", 2}, Case{"400,2,2", "200,1,1", 1}}) {
    Body body(box(given.faces, given.upper), given.degree);
    body.set_material({.law = Law::linear_elastic, .E = 1e3, .nu = 0.3, .rho = 1});
    body.clamp("xmin");
    body.set_gravity([](PetscReal, const Vec3&) { return Vec3{0, -1e-9, 0}; }, true);
    body.set_up();
    Stepper stepper(body, body.layout());
    begin(stepper, body);
    const Report report = stepper.solve_static(0);
    EXPECT_LE(report.newton_iterations, 2) << given.faces;
    EXPECT_LT(report.krylov_iterations, 600) << given.faces;
  }
}

/// In one load step the cantilever turns by half a radian: the levels of its undeformed shape are of no use then.
TEST(Levels, AreBuiltAgainWhileABodyBends) {
  Body body(box("50,1,1", "50,1,1"), 2);
  body.set_material({.law = Law::st_venant_kirchhoff, .E = 1e6, .nu = 0.3, .rho = 1});
  body.clamp("xmin");
  body.add_traction(
      "xmax",
      [](PetscReal, const Vec3&) {
        return Vec3{0, 0, -33};
      },
      true);
  body.set_up();
  Stepper stepper(body, body.layout());
  begin(stepper, body);
  const Report report = stepper.solve_static(0);
  EXPECT_LT(report.krylov_iterations, 40 * report.newton_iterations);
}

TEST(Levels, OfStretchedCells) {
  // A plate and a rod with cells of the same slenderness, one cell thick, a stack, and less than one cell per rank. On
  // several ranks, whose boundaries cut lines, the wide plate takes more.
  struct Case {
    const char *faces, *upper;
    PetscInt most;
    int degree = 1;
  };
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  for (const Case& given :
       {Case{"16,16,1", "1,1,0.01", 30}, Case{"10,10,10", "100,100,1", ranks == 1 ? 20 : 75},
        Case{"8,8,8", "100,1,1", 20}, Case{"3,3,90", "1,1,1", 25}, Case{"2,1,1", "20,1,1", 12},
        Case{"6,6,1", "1,1,0.01", 25, 2}, Case{"5,5,5", "100,100,1", ranks == 1 ? 25 : 75, 2},
        Case{"5,5,5", "100,1,1", 20, 2}, Case{"2,2,30", "1,1,1", 25, 2}, Case{"2,1,1", "40,1,1", 12, 2},
        Case{"3,3,3", "100,100,1", ranks == 1 ? 25 : 75, 3}, Case{"3,3,1", "1,1,0.01", 25, 4}}) {
    Body body(box(given.faces, given.upper), given.degree);
    body.set_material({.law = Law::linear_elastic, .E = 1e3, .nu = 0.3, .rho = 1});
    body.clamp("xmin");
    body.set_up();
    LinearProblem problem(body);
    const auto u = vector(body), rhs = vector(body, ripple), x = vector(body);
    problem.update(u.get(), {1, 0, 0});
    problem.mask(rhs.get(), 0);
    const PetscInt taken = problem.solve(rhs.get(), x.get(), 1e-8);
    EXPECT_GT(taken, 0) << given.faces << ", degree " << given.degree;
    EXPECT_LE(taken, given.most) << given.faces << ", degree " << given.degree << " took " << taken;
  }
}

/// Columns and plates far below and far above the buckling strain: the multigrid of the tangent reports whether it is
/// definite, and correctly; Jacobi's diagonal stays positive.
TEST(Levels, KnowWhetherTheyAreDefinite) {
  struct Case {
    const char *faces, *upper;
    int degree;
    Solver solver;
    PetscReal thickness = 1, contrast = 1;
    bool hinged = false;
  };
  for (const Case& given :
       {Case{"20,2,2", "20,1,1", 2, Solver::pmg}, Case{"40,4,4", "20,1,1", 1, Solver::pmg},
        Case{"40,4,4", "20,1,1", 2, Solver::pmg}, Case{"40,4,4", "20,1,1", 1, Solver::pmg, 1, 100},
        Case{"40,4,4", "20,1,1", 2, Solver::pmg, 1, 100}, Case{"40,4,4", "20,1,1", 1, Solver::pmg, 1, 1000, true},
        Case{"40,4,4", "20,1,1", 2, Solver::pmg, 1, 1000, true}, Case{"20,20,1", "20,20,0.5", 2, Solver::pmg, 0.5},
        Case{"5,5,1", "50,50,0.5", 2, Solver::pmg, 0.5}, Case{"40,4,4", "20,1,1", 1, Solver::amg},
        Case{"20,2,2", "20,1,1", 2, Solver::jacobi}}) {
    const Mesh cells = box(given.faces, given.upper);
    mark(cells, "stiff", [&](const Vec3& X) {
      const auto cell = [&](std::size_t c) { return static_cast<int>((c == 0 ? 2 : 4) * X[c]); };
      return given.hinged ? (cell(0) + cell(1) + cell(2)) % 2 == 1 : static_cast<int>(8 * X[1]) % 2 == 1;
    });
    Body body(Mesh::adopt(cells.dm()), given.degree);
    body.set_material({.law = Law::st_venant_kirchhoff, .E = 1, .nu = 0, .rho = 1});
    if (given.contrast > 1)
      body.set_material("stiff", {.law = Law::st_venant_kirchhoff, .E = given.contrast, .nu = 0, .rho = 1});
    body.clamp("6");  // the number of xmin
    body.set_solver(given.solver);
    body.set_up();
    LinearProblem problem(body);
    auto force = vector(body), correction = vector(body);
    const PetscReal middle = given.thickness / 2;
    const auto bent = vector(body, [middle](const Vec3& X) {
      return Vec3{-2 * X[0] * (X[2] - middle), 0, X[0] * X[0]};
    });
    for (const PetscReal strain : {0.0, 5e-6, 5e-3}) {
      const auto u = vector(body, [&](const Vec3& X) { return Vec3{-strain * X[0], 0, 0}; });
      problem.update(u.get(), {1, 0, 0});
      PC pc = nullptr;
      PetscScalar curvature = 0, answer = 0;
      check(KSPGetPC(problem.ksp(), &pc));
      check(PCSetUp(pc));
      check(MatMult(problem.shell(), bent.get(), force.get()));
      check(VecDot(force.get(), bent.get(), &curvature));
      check(PCApply(pc, force.get(), correction.get()));
      check(VecDot(force.get(), correction.get(), &answer));
      const std::string name = std::string(given.faces) + ", degree " + std::to_string(given.degree);
      EXPECT_EQ(curvature > 0, strain < 1e-3) << name;
      const bool positive = strain < 1e-3 || given.solver == Solver::jacobi;
      // Parts with hinges do not buckle in a smooth field.
      EXPECT_TRUE(given.hinged || (answer > 0) == positive) << name << ", strain " << strain;
      EXPECT_EQ(petsc::is_known_definite(pc), positive) << name << ", strain " << strain;
    }
  }
}

TEST(Levels, OfStretchedCellsFollowInertia) {
  // Aggregates of lines, smoothing only, and aggregates again.
  Body body(box("6,6,2", "120,120,2"), 2);
  body.set_material({.law = Law::linear_elastic, .E = 1e3, .nu = 0.3, .rho = 1});
  body.clamp("xmin");
  body.set_up();
  LinearProblem problem(body);
  const auto u = vector(body), rhs = vector(body, ripple), x = vector(body);
  std::vector<PetscInt> taken;
  for (const PetscReal inertia : {0.0, 1e4, 1e2, 0.0}) {
    problem.update(u.get(), {1, 0, inertia});
    problem.mask(rhs.get(), 0);
    taken.push_back(problem.solve(rhs.get(), x.get(), 1e-8));
    EXPECT_GT(taken.back(), 0) << "inertia " << inertia;
    EXPECT_LE(taken.back(), 25) << "inertia " << inertia << " took " << taken.back();
  }
  EXPECT_EQ(taken.front(), taken.back());
}

TEST(Counts, BeyondWhatIntegersHoldAreRefused) {
  EXPECT_EQ(refuse_counts(1000, 1000000), "");
  EXPECT_NE(refuse_counts(800'000'000, 800'000'000).find("more ranks"), std::string::npos);
  const std::string many = refuse_counts(1000, 4'000'000'000'000'000'000);
  EXPECT_NE(many.find("4000000000000000000 nodes"), std::string::npos) << many;
  if (sizeof(PetscInt) == 4) {
    EXPECT_NE(refuse_counts(1000, 715'827'883).find("64-bit"), std::string::npos);
  }
  EXPECT_EQ(refuse_counts(1000, 715'827'882), "");
}

TEST(Probes, FarFromTheOrigin) {
  for (const double far : {0.0, 1e6, 1e9}) {
    std::ostringstream lower, upper;
    lower.precision(17);
    upper.precision(17);
    lower << far << ',' << -far << ",0";
    upper << far + 1 << ',' << 1 - far << ",1";
    const Body body(box("3,3,3", upper.str(), lower.str()), 2);
    const double third = 1.0 / 3;
    int found = body.space().mesh_cells().locate({far + third, -far + 2 * third, 0.5}).has_value();
    check(MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD));
    EXPECT_EQ(found, 1) << far;
    int outside = body.space().mesh_cells().locate({far + 1.001, -far + 0.5, 0.5}).has_value();
    check(MPI_Allreduce(MPI_IN_PLACE, &outside, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD));
    EXPECT_EQ(outside, 0) << far;
  }
}

TEST(Guest, LeavesTheOptionsAsTheyWere) {
  const auto all = [] {
    char* text = nullptr;
    check(PetscOptionsGetAll(nullptr, &text));
    const std::string result = text;
    check(PetscFree(text));
    return result;
  };
  for (const int degree : {1, 2})
    for (const char* levels : {"float", "double"}) {
      const Options options(std::vector<std::pair<std::string, std::string>>{{"-solid_levels", levels}});
      const std::string before = all();
      Body body(box("6,6,6"), degree);
      body.set_material(material(Law::neo_hookean));
      body.clamp("xmin");
      body.set_up();
      LinearProblem problem(body);
      const auto u = vector(body), rhs = vector(body, ripple), x = vector(body);
      problem.update(u.get(), {1, 0, 0});
      problem.mask(rhs.get(), 0);
      EXPECT_GT(problem.solve(rhs.get(), x.get(), 1e-6), 0);
      EXPECT_EQ(all(), before);
    }
}

TEST(Guest, WritesNothingIntoABorrowedVec) {
  Body body(box("3,3,3"), 2);
  body.set_material(material(Law::neo_hookean));
  body.clamp("xmin");
  body.set_up();
  const auto tangent = body.make_linearization();
  const auto u = vector(body), in = vector(body, ripple), out = vector(body), again = vector(body);
  tangent->update({0, u.get(), nullptr, nullptr});
  check(VecLockReadPush(in.get()));
  ASSERT_TRUE(tangent->apply_free({1, 0, 0.5}, in.get(), out.get()));
  check(VecLockReadPop(in.get()));
  const auto given = vector(body, ripple);
  PetscBool same = PETSC_FALSE;
  check(VecEqual(in.get(), given.get(), &same));
  EXPECT_TRUE(same);
  // Equal to the product of the free part, with identity on constrained entries.
  LinearProblem problem(body);
  problem.update(u.get(), {1, 0, 0.5});
  check(MatMult(problem.shell(), in.get(), again.get()));
  check(VecAXPY(again.get(), -1, out.get()));
  EXPECT_LE(biggest(again.get()), 1e-14 * biggest(out.get()));
}

TEST(Guest, TwoSteppersOnOneBodyDisturbNothing) {
  // Two solvers with their own preconditioners alternate, at different states and shifts.
  Body body(box("6,3,3", "2,1,1"), 2);
  body.set_material(material(Law::neo_hookean));
  body.clamp("xmin");
  body.set_gravity([](PetscReal, const Vec3&) { return Vec3{0, -0.02, 0}; }, true);
  body.set_up();
  const auto run = [&](Stepper& stepper, PetscReal t) {
    const Report report = stepper.advance_to(t);
    return std::pair(report.krylov_iterations, norm(stepper.state().q));
  };
  const auto make = [&](PetscReal dt) {
    StepperOptions options;
    options.dt = dt;
    auto stepper = std::make_unique<Stepper>(body, body.layout(), options);
    begin(*stepper, body);
    return stepper;
  };
  const auto fast = make(0.05), slow = make(2);
  const auto fast_alone = run(*fast, 0.3), slow_alone = run(*slow, 12);
  const auto one = make(0.05), other = make(2);
  std::pair<PetscInt, PetscReal> fast_result{}, slow_result{};
  for (int i = 1; i <= 6; ++i) {
    const auto a = run(*one, 0.05 * i), b = run(*other, 2.0 * i);
    fast_result = {fast_result.first + a.first, a.second};
    slow_result = {slow_result.first + b.first, b.second};
  }
  EXPECT_EQ(fast_result.first, fast_alone.first);
  EXPECT_EQ(slow_result.first, slow_alone.first);
  EXPECT_EQ(fast_result.second, fast_alone.second);
  EXPECT_EQ(slow_result.second, slow_alone.second);
}

TEST(Guest, TakesTheOptionsOfItsSolver) {
  // At degree 1 a user-defined preconditioner needs the assembled matrix, for any options prefix.
  const Options options(std::vector<std::pair<std::string, std::string>>{{"-mine_pc_type", "gamg"}});
  Body body(box("3,3,3"), 1);
  body.set_material(material(Law::neo_hookean));
  body.clamp("xmin");
  body.set_gravity([](PetscReal, const Vec3&) { return Vec3{0, -0.02, 0}; }, true);
  body.set_up();
  Stepper stepper(body, body.layout());
  stepper.set_options_prefix("mine_");
  stepper.set_from_options();
  begin(stepper, body);
  (void)stepper.solve_static(0);
  EXPECT_EQ(preconditioner_of(stepper.snes()), PCGAMG);
}

/// A function that throws at one place throws on one rank only: the others must not wait for it.
TEST(Functions, ThatThrowAtOnePlaceFailOnAllRanks) {
  constexpr const char* why = "no value here";
  const auto checked = [](const Vec3& X) {
    if (X[0] > 0.9 && X[2] > 0.9) throw std::out_of_range(why);
  };
  const auto vector_field = [&](PetscReal, const Vec3& X) { return checked(X), Vec3{0, 0, 1}; };
  const auto scalar_field = [&](PetscReal, const Vec3& X) { return checked(X), PetscReal(1); };
  const auto text_of = [](auto&& set) -> std::string {
    Body body(box("4,1,4"), 1);
    body.set_material(elastic(1));
    const auto rest = vector(body), r = vector(body);
    try {
      set(body);
      body.set_up();
      body.residual({0, rest.get(), rest.get(), rest.get()}, r.get());
    } catch (const Error& error) {
      return error.what();
    }
    return "no failure";
  };
  const std::vector<std::function<void(Body&)>> settings = {
      [&](Body& body) { body.set_gravity(vector_field); },
      [&](Body& body) { body.add_traction("zmax", vector_field); },
      [&](Body& body) { body.add_pressure("zmax", scalar_field); },
      [&](Body& body) { body.add_dead_pressure("zmax", scalar_field); },
      [&](Body& body) {
        body.move("zmax", [&](PetscReal, const Vec3& X) { return checked(X), MotionValue{}; });
        body.set_up();
        const auto q = vector(body), v = vector(body), a = vector(body);
        body.prescribe(0, q.get(), v.get(), a.get());
      },
      [&](Body& body) {
        const auto distance = [&](PetscReal, const Vec3& X) {
          return checked(X), Distance{.d = 1, .normal = {0, 0, 1}};
        };
        body.add_contact({.name = "floor", .faces = {"zmax"}, .obstacle = distance});
      },
      [&](Body& body) {
        const int rank = petsc::rank_of(body.space().comm());
        body.add_follower("zmax", Follower::force, [rank](PetscReal) {
          if (rank == 0) throw std::out_of_range(why);
          return Vec3{0, 0, 1};
        });
      },
      [&](Body& body) {
        const int rank = petsc::rank_of(body.space().comm());
        body.add_nodal_forces([rank](PetscReal, Vec) {
          if (rank == 0) throw std::out_of_range(why);
        });
      },
      [&](Body& body) { body.interpolate(vector_field, 0, vector(body).get()); }};
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const std::string text = text_of(settings[i]);
    EXPECT_NE(text.find(why), std::string::npos) << i << ": " << text;
  }
}

}  // namespace gearshift::solid::test
