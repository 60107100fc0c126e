/// The preconditioner by inertia: coarser levels where stiffness dominates, only smoothing where inertia does.

#include <gearshift/dynamics/stepper.hpp>

#include "dynamics/options.hpp"
#include "solid/helpers.hpp"

#include <string>

namespace gearshift::solid::test {
namespace {

struct Case {
  const char* mesh;
  int degree;
};

struct Result {
  StepReport last;
  Handle<Vec> q;
};

/// A cantilever under its weight, with wave speeds near 1 and cells of about 0.25, after three steps.
Result swing(const Case& of, PetscReal dt, Solver solver, const std::string& further = "") {
  const OptionsScope options(std::string(of.mesh) +
                             " -dm_plex_box_upper 1,0.5,0.5 -snes_rtol 1e-11 -snes_stol 1e-15 -ksp_rtol 1e-10"
                             " -ksp_max_it 5000 " +
                             further);
  Body body(Mesh::from_options(PETSC_COMM_WORLD), of.degree);
  body.set_material({.law = Law::neo_hookean, .E = 1, .nu = 0.3, .rho = 1});
  body.set_gravity([](PetscReal, const Vec3&) { return Vec3{0, -1e-3, 0}; });
  body.clamp("xmin");
  body.set_solver(solver);
  body.set_up();
  Stepper stepper(body, body.layout(), {.order = 2, .dt = dt});
  stepper.set_from_options();
  const auto zero = vector(body);
  stepper.set_initial_state(0, zero.get(), zero.get());
  Result result;
  for (int step = 0; step < 3; ++step) result.last = stepper.step();
  result.q = vector(body);
  check(VecCopy(stepper.state().q, result.q.get()));
  return result;
}

TEST(Inertia, DecidesWhetherThereAreCoarserLevels) {
  for (const Case& of : {Case{"-dm_plex_box_faces 4,2,2", 1}, Case{"-dm_plex_box_faces 4,2,2", 2},
                         Case{"-dm_plex_box_faces 4,2,2", 3}, Case{"-dm_plex_box_faces 4,2,2 -dm_plex_simplex 1", 2}}) {
    SCOPED_TRACE(std::string(of.mesh) + " degree " + std::to_string(of.degree));
    bool had_levels = false;
    for (const PetscReal dt : {0.003, 0.1, 1.0, 3.0, 30.0}) {
      const Result ours = swing(of, dt, Solver::pmg), other = swing(of, dt, Solver::jacobi);
      const bool levels = ours.last.preconditioner.find("multigrid") != std::string::npos;
      EXPECT_NE(levels, ours.last.preconditioner.find("smoothing without coarser levels") != std::string::npos);
      EXPECT_GE(levels, had_levels) << "longer steps do not need fewer levels: dt = " << dt;
      had_levels = levels;
      if (dt < 0.01 || dt > 10) {
        EXPECT_EQ(levels, dt > 10) << "dt = " << dt;
      }
      PetscReal size = 0, expected = 0;  // the partition, and with it the numbering, may differ between two bodies
      check(VecNorm(ours.q.get(), NORM_2, &size));
      check(VecNorm(other.q.get(), NORM_2, &expected));
      EXPECT_NEAR(size, expected, 1e-7 * expected) << "dt = " << dt;
      EXPECT_LE(ours.last.krylov_iterations, 30 * ours.last.newton_iterations) << "dt = " << dt;
    }
  }
}

TEST(Inertia, IsDecidedByTheOption) {
  const Case of{"-dm_plex_box_faces 4,2,2", 2};
  const auto name = [&](PetscReal dt, const std::string& option) {
    return swing(of, dt, Solver::pmg, option).last.preconditioner;
  };
  EXPECT_NE(name(30, "-mg_inertia 0,0").find("smoothing without coarser levels"), std::string::npos);
  EXPECT_NE(name(0.003, "-mg_inertia 1e30,1e30").find("multigrid"), std::string::npos);
  EXPECT_THROW(name(1, "-mg_inertia 0.1"), OptionError);
  EXPECT_THROW(name(1, "-mg_inertia -1,0"), OptionError);
}

}  // namespace
}  // namespace gearshift::solid::test
