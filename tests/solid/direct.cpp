/// Direct solvers with the whole matrix on the first rank.

#include "solid/multigrid/coarse/direct.hpp"

#include "petsc/definite_pc.hpp"
#include "petsc/queries.hpp"
#include "solid/helpers.hpp"

namespace gearshift::solid {
namespace {

using namespace test;

/// Returns the matrix of a chain of n springs of this stiffness.
Handle<Mat> chain(PetscInt n, PetscReal stiffness) {
  Handle<Mat> matrix;
  PetscInt first = 0, last = 0;
  check(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, n, n, 3, nullptr, 2, nullptr, matrix.out()));
  check(MatGetOwnershipRange(matrix.get(), &first, &last));
  for (PetscInt row = first; row < last; ++row)
    for (PetscInt column = std::max<PetscInt>(row - 1, 0); column <= std::min(row + 1, n - 1); ++column)
      check(MatSetValue(matrix.get(), row, column, (row == column ? 2 : -1) * stiffness, INSERT_VALUES));
  check(MatAssemblyBegin(matrix.get(), MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(matrix.get(), MAT_FINAL_ASSEMBLY));
  return matrix;
}

class FirstRank : public ::testing::TestWithParam<bool> {};

TEST_P(FirstRank, HasTheFactors) {
  const bool multifrontal = GetParam();
  if (multifrontal && !has_multifrontal()) GTEST_SKIP();
  Handle<KSP> solver;
  check(KSPCreate(PETSC_COMM_WORLD, solver.out()));
  check(KSPSetType(solver.get(), KSPPREONLY));
  prefer_first_rank(solver.get());
  check(KSPSetFromOptions(solver.get()));
  petsc::ZeroPivot zero_pivot;
  for (const PetscReal stiffness : {3.0, 5.0}) {
    const auto matrix = chain(11, stiffness);
    set_up_coarse(solver.get(), matrix.get(), multifrontal, zero_pivot);
    KSP kept = nullptr;
    check(PCTelescopeGetKSP(petsc::pc_of(solver.get()), &kept));
    EXPECT_EQ(kept != nullptr, petsc::rank_of(PETSC_COMM_WORLD) == 0);
    EXPECT_TRUE(petsc::is_known_definite(solver.get()));
    Handle<Vec> x, b;
    check(MatCreateVecs(matrix.get(), x.out(), b.out()));
    check(VecSet(b.get(), 1));
    check(KSPSolve(solver.get(), b.get(), x.get()));
    PetscReal largest = 0;
    check(VecMax(x.get(), nullptr, &largest));
    EXPECT_NEAR(largest, 18 / stiffness, 1e-12);  // n + 1 = 12: the parabola's height is 12^2 / 8
  }
}

INSTANTIATE_TEST_SUITE_P(, FirstRank, ::testing::Bool());

TEST(FirstRankChoice, OtherSolversAreLeftAlone) {
  Handle<KSP> solver;
  const auto matrix = chain(5, 1);
  check(KSPCreate(PETSC_COMM_WORLD, solver.out()));
  prefer_first_rank(solver.get());
  check(PCSetType(petsc::pc_of(solver.get()), PCREDUNDANT));
  petsc::ZeroPivot zero_pivot;
  set_up_coarse(solver.get(), matrix.get(), false, zero_pivot);
  EXPECT_TRUE(petsc::is_of_type(petsc::pc_of(solver.get()), PCREDUNDANT));
}

// PETSc reads the options of a coarse solver a second time, when the telescope cannot be changed any more.
TEST(FirstRankChoice, KindsOfTelescopesAreRefused) {
  const char* key = "-mg_coarse_pc_telescope_subcomm_type";
  check(PetscOptionsSetValue(nullptr, key, "contiguous"));
  Handle<KSP> solver;
  check(KSPCreate(PETSC_COMM_WORLD, solver.out()));
  check(KSPSetOptionsPrefix(solver.get(), "mg_coarse_"));
  EXPECT_THROW(prefer_first_rank(solver.get()), OptionError);
  check(PetscOptionsClearValue(nullptr, key));
}

}  // namespace
}  // namespace gearshift::solid
