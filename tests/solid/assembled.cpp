/// The tangent as an assembled matrix, at any degree, and PETSc's preconditioners that need one.

#include <gearshift/dynamics/stepper.hpp>

#include "boxes.hpp"

#include <cmath>

namespace gearshift::solid::test {
namespace {

Mesh mesh_of(Filling cells, const std::string& faces) { return box_of(cells, faces, {1.5, 1, 1}); }

struct Kind {
  Filling cells;
  int degree;
};

class Assembled : public testing::TestWithParam<Kind> {};

TEST_P(Assembled, IsTheProduct) {
  const auto [cells, degree] = GetParam();
  for (const char* precision : {"double", "float"})
    for (const Law law : laws)
      for (const char* faces : {"1,1,1", "3,2,1"}) {  // on four ranks some have no cell
        const Options options({{"-pc_type", "lu"}, {"-solid_points", precision}});
        Mesh mesh = mesh_of(cells, faces);
        distort(mesh, 0.03);
        Body body(std::move(mesh), degree);
        body.set_material(material(law));
        body.clamp("xmin");
        body.fix("ymax", 1);
        body.add_foundation("zmin", 0, 0);
        body.set_up();
        const auto q = vector(body, wavy), x = vector(body, ripple), product = vector(body), of_matrix = vector(body);
        const auto tangent = body.make_linearization();
        tangent->update({0, q.get(), nullptr, nullptr});
        const Shifts s{0.7, 1, 1.9};
        ASSERT_TRUE(tangent->apply_free(s, x.get(), product.get()));
        Handle<Mat> matrix;
        *matrix.out() = body.create_preconditioner_matrix();
        for (int again = 0; again < 2; ++again) {
          ASSERT_TRUE(tangent->assemble(s, matrix.get()));
          check(MatMult(matrix.get(), x.get(), of_matrix.get()));
          check(VecAXPY(of_matrix.get(), -1, product.get()));
          EXPECT_LT(norm(of_matrix.get()), (precision[0] == 'f' ? 1e-6 : 2e-13) * norm(product.get()))
              << name_of(law) << ' ' << faces;
        }
        // The preallocation is exact, and the memory estimate predicts it.
        MatInfo info;
        check(MatGetInfo(matrix.get(), MAT_GLOBAL_SUM, &info));
        EXPECT_EQ(info.mallocs, 0);
        EXPECT_EQ(info.nz_unneeded, 0);
        int ranks = 1;
        MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
        const MemoryEstimate needs = body.memory_estimate();
        if (ranks == 1) {
          EXPECT_NEAR(needs.matrix + needs.coarse, 12 * info.nz_used, 1e-9 * info.nz_used);
        }
      }
}

TEST_P(Assembled, KnowsMaxwellBranches) {
  const auto [cells, degree] = GetParam();
  const Options options(std::vector<std::pair<std::string, std::string>>{{"-pc_type", "lu"}});
  Body body(mesh_of(cells, "3,1,1"), degree);
  Material m = material(Law::neo_hookean);
  m.prony_g = {0.3, 0.2};
  m.prony_tau = {0.5, 2};
  body.set_material(m);
  body.clamp("xmin");
  body.set_up();
  const auto q = vector(body, wavy), x = vector(body, ripple), product = vector(body), of_matrix = vector(body);
  Handle<Vec> z;
  check(VecDuplicate(body.internal_layout(), z.out()));
  body.internal_variables({0, q.get(), nullptr, nullptr, {nullptr, 1, 0.7}}, z.get());
  const auto tangent = body.make_linearization();
  tangent->update({0, q.get(), nullptr, nullptr, {z.get(), 1, 1.5}});
  const Shifts s{0.7, 1, 1.9};
  ASSERT_TRUE(tangent->apply_free(s, x.get(), product.get()));
  Handle<Mat> matrix;
  *matrix.out() = body.create_preconditioner_matrix();
  ASSERT_TRUE(tangent->assemble(s, matrix.get()));
  check(MatMult(matrix.get(), x.get(), of_matrix.get()));
  check(VecAXPY(of_matrix.get(), -1, product.get()));
  EXPECT_LT(norm(of_matrix.get()), 2e-13 * norm(product.get()));
}

TEST_P(Assembled, ServesPreconditionersOfAnyKind) {
  const auto [cells, degree] = GetParam();
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  using List = std::vector<std::pair<std::string, std::string>>;
  const List tight{{"-snes_rtol", "1e-11"}, {"-ksp_rtol", "1e-6"}};
  PetscInt iterations = 0;
  const auto solve = [&, cells = cells, degree = degree](const std::string& type, const List& tolerances,
                                                         PetscReal unit = 1) {
    const Options options(tolerances), chosen(type.empty() ? List{} : List{{"-pc_type", type}});
    Body body(mesh_of(cells, "2,2,1"), degree);
    Material scaled = material(Law::neo_hookean);
    scaled.E *= unit;
    scaled.rho *= unit;
    body.set_material(scaled);
    body.clamp("xmin");
    body.set_gravity([](PetscReal, const Vec3&) { return Vec3{0, -0.005, 0}; }, true);
    body.set_up();
    Stepper stepper(body, body.layout());
    stepper.set_from_options();
    const auto rest = vector(body);
    stepper.set_initial_state(0, rest.get(), rest.get());
    iterations = stepper.solve_static(0).krylov_iterations;
    auto end = vector(body);
    check(VecCopy(stepper.state().q, end.get()));
    if (!type.empty()) {
      EXPECT_EQ(preconditioner_of(stepper.snes()), type);
    }
    return end;
  };
  const auto right = solve("", tight);
  for (const char* type :
       {PCGAMG, PCLU, PCCHOLESKY, PCILU, PCICC, PCBJACOBI, PCASM, PCSOR, PCPBJACOBI, PCJACOBI, PCMG, PCNONE}) {
    const bool serial = std::string(type) == PCILU || std::string(type) == PCICC;
    if (ranks > 1 && serial) {
      EXPECT_THROW(solve(type, {}), OptionError) << type;
      continue;
    }
    // Without MUMPS or a similar package PETSc factorises on one rank only.
    if (ranks > 1 && (std::string(type) == PCLU || std::string(type) == PCCHOLESKY)) continue;
    // Not compared entry by entry: the next mesh may be distributed differently.
    const auto found = solve(type, tight);
    EXPECT_NEAR(norm(found.get()), norm(right.get()), 1e-8 * norm(right.get())) << type;
    EXPECT_NEAR(biggest(found.get()), biggest(right.get()), 1e-8 * biggest(right.get())) << type;
    // A library's threshold for zero pivots must not depend on the unit of stress. On several ranks the meshes differ.
    // PETSc's PCMG estimates its smoothers' intervals from noise in supported rows, too, which has no unit.
    if (ranks > 1 || std::string(type) == PCMG) continue;
    const PetscInt plain = iterations;
    for (const int power : {-50, 50}) {
      (void)solve(type, tight, std::ldexp(1.0, power));
      EXPECT_LE(iterations, plain + 1) << type << " with moduli of 2^" << power;
    }
  }
}

/// If a program sets another type after the body has made its choice, the PC is as PETSc creates it.
TEST(Preconditioners, AreTheProgramsOwnChoice) {
  const Options options(std::vector<std::pair<std::string, std::string>>{{"-snes_rtol", "1e-11"}});
  Body body(box("3,2,1"), 1);
  body.set_material(material(Law::neo_hookean));
  body.set_solver(Solver::amg);
  body.clamp("xmin");
  body.set_gravity([](PetscReal, const Vec3&) { return Vec3{0, -0.005, 0}; }, true);
  body.set_up();
  Stepper stepper(body, body.layout());
  stepper.set_from_options();
  const auto rest = vector(body);
  stepper.set_initial_state(0, rest.get(), rest.get());
  KSP ksp = nullptr;
  PC pc = nullptr;
  check(SNESGetKSP(stepper.snes(), &ksp));
  check(KSPGetPC(ksp, &pc));
  ASSERT_EQ(preconditioner_of(stepper.snes()), PCGAMG);
  check(PCSetType(pc, PCBJACOBI));
  PetscBool matrix_free = PETSC_TRUE;
  check(PCGetUseAmat(pc, &matrix_free));
  EXPECT_FALSE(matrix_free);
  (void)stepper.solve_static(0);
  EXPECT_GT(norm(stepper.state().q), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Degrees, Assembled,
    testing::Values(Kind{Filling::hexahedra, 1}, Kind{Filling::hexahedra, 2}, Kind{Filling::hexahedra, 3},
                    Kind{Filling::tetrahedra, 1}, Kind{Filling::tetrahedra, 2}, Kind{Filling::tetrahedra, 3},
                    Kind{Filling::wedges, 1}, Kind{Filling::wedges, 2}, Kind{Filling::hexahedra_and_wedges, 2},
                    Kind{Filling::wedges_and_tetrahedra, 2}),
    [](const auto& kind) { return name_of(kind.param.cells) + std::to_string(kind.param.degree); });

}  // namespace
}  // namespace gearshift::solid::test
