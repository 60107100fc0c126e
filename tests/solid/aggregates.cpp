/// Matrices between aggregates of nodes, and their incomplete factorisation.

#include "solid/boxes.hpp"
#include "solid/multigrid/coarse/aggregate_factors.hpp"
#include "solid/multigrid/coarse/aggregate_matrix.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <tuple>

using namespace gearshift;
using namespace gearshift::solid;
using namespace gearshift::solid::test;

namespace {

/// Returns a chain of aggregates on each rank: springs of increasing stiffness connect neighbours, and springs softer
/// by `contrast` connect every aggregate to the ground.
std::unique_ptr<AggregateMatrix> chain(PetscInt aggregates, double contrast) {
  PetscInt first = 0;
  check(MPI_Exscan(&aggregates, &first, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD));
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0) first = 0;
  std::vector<BlockPlace> pairs;
  for (PetscInt a = first; a + 1 < first + aggregates; ++a) pairs.push_back({a, a + 1});
  auto matrix = std::make_unique<AggregateMatrix>(PETSC_COMM_WORLD, aggregates, pairs, *find_kernels("auto"));
  matrix->clear();
  const auto add = [&](PetscInt a, PetscInt b, double stiffness) {
    // (1 + v v') times the stiffness, a block without zeros.
    AggregateMatrix::Block block{};
    for (std::size_t l = 0; l < 6; ++l)
      for (std::size_t m = 0; m < 6; ++m)
        block[6 * l + m] =
            stiffness * ((l == m ? 1 : 0) + std::cos(static_cast<double>(l)) * std::cos(static_cast<double>(m)));
    matrix->add(a, b, block);
  };
  for (PetscInt a = first; a < first + aggregates; ++a) add(a, a, 1 / contrast);
  for (const auto& [a, b] : pairs) {
    const double stiffness = 1 + static_cast<double>(a - first);
    add(a, a, stiffness);
    add(b, b, stiffness);
    add(a, b, -stiffness);
  }
  matrix->assemble();
  return matrix;
}

}  // namespace

TEST(AggregateMatrix, MultipliesWithWhatAllRanksHaveAdded) {
  // A ring of aggregates, none of them owned by the second rank; every rank adds its share of every block.
  int rank = 0, ranks = 1;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  const PetscInt all = 3 * (ranks > 1 ? ranks - 1 : 1);
  std::vector<BlockPlace> pairs;
  for (PetscInt a = 0; a < all; ++a) {
    pairs.push_back({a, a});
    if (a > 0) pairs.push_back({a - 1, a});
  }
  pairs.push_back({0, all - 1});
  const auto entry = [](PetscInt i, PetscInt j) {
    const auto low = static_cast<double>(std::min(i, j)), high = static_cast<double>(std::max(i, j));
    return std::sin(1 + 3 * low + 0.7 * high) + (i == j ? 9 : 0);
  };
  const auto x_at = [](PetscInt i) {
    const auto x = static_cast<double>(i);
    return std::cos(0.3 * x) + 0.01 * x;
  };
  AggregateMatrix matrix(PETSC_COMM_WORLD, rank == 1 ? 0 : 3, pairs, *find_kernels("auto"));
  std::vector<double> expected(static_cast<std::size_t>(6 * all));
  matrix.clear();
  for (const auto& [a, b] : pairs) {
    AggregateMatrix::Block share{};
    for (PetscInt l = 0; l < 6; ++l)
      for (PetscInt m = 0; m < 6; ++m) {
        const PetscInt i = 6 * a + l, j = 6 * b + m;
        share[static_cast<std::size_t>(6 * l + m)] = entry(i, j) / ranks;
        expected[static_cast<std::size_t>(i)] += entry(i, j) * x_at(j);
        if (a != b) expected[static_cast<std::size_t>(j)] += entry(i, j) * x_at(i);
      }
    matrix.add(a, b, share);
  }
  matrix.assemble();
  petsc::Handle<Vec> x, y;
  check(MatCreateVecs(matrix.get(), x.out(), y.out()));
  PetscInt first = 0;
  check(VecGetOwnershipRange(x.get(), &first, nullptr));
  {
    petsc::WriteView values(x.get());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = x_at(first + static_cast<PetscInt>(i));
  }
  const auto error = [&](Mat of) {
    check(MatMult(of, x.get(), y.get()));
    PetscReal largest = 0;
    const petsc::ReadView values(y.get());
    for (std::size_t i = 0; i < values.size(); ++i)
      largest = std::max(largest, std::abs(values[i] - expected[static_cast<std::size_t>(first) + i]));
    return largest;
  };
  const auto copy = matrix.assembled();
  EXPECT_LE(error(matrix.get()), 1e-13);
  EXPECT_LE(error(copy.get()), 1e-13);
  const PetscScalar *of_shell = nullptr, *of_copy = nullptr;
  check(MatInvertBlockDiagonal(matrix.get(), &of_shell));
  check(MatInvertBlockDiagonal(copy.get(), &of_copy));
  for (PetscInt i = 0; i < 36 * matrix.pattern().rows(); ++i) EXPECT_NEAR(of_shell[i], of_copy[i], 1e-13);
  matrix.round();
  const PetscReal rounded = error(matrix.get());  // on all ranks, also those without aggregates
  EXPECT_LE(rounded, 1e-5);
  if (matrix.pattern().rows() > 0) {
    EXPECT_GT(rounded, 0);
  }
}

TEST(AggregateFactors, AreExactForStiffChains) {
  for (const double contrast : {1.0, 1e6}) {
    const auto matrix = chain(20, contrast);
    AggregateFactors factors(*matrix);
    factors.update();
    EXPECT_TRUE(factors.is_definite());
    petsc::Handle<Vec> x, b, found;
    check(MatCreateVecs(matrix->get(), x.out(), b.out()));
    check(VecDuplicate(x.get(), found.out()));
    {
      petsc::WriteView values(x.get());
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::cos(0.3 * static_cast<double>(i));
    }
    check(MatMult(matrix->get(), x.get(), b.get()));
    factors.solve(b.get(), found.get());
    PetscReal difference = 0, size = 0;
    check(VecAXPY(found.get(), -1, x.get()));
    check(VecNorm(found.get(), NORM_INFINITY, &difference));
    check(VecNorm(x.get(), NORM_INFINITY, &size));
    EXPECT_LE(difference, 1e-13 * contrast * size);
  }
}

TEST(AggregateFactors, KeepTheDiagonal) {
  // A ring, whose last row has two blocks left of the diagonal.
  const PetscInt aggregates = 5;
  std::vector<BlockPlace> pairs;
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  const PetscInt first = aggregates * rank;
  for (PetscInt a = 0; a < aggregates; ++a) pairs.push_back({first + a, first + (a + 1) % aggregates});
  AggregateMatrix matrix(PETSC_COMM_WORLD, aggregates, pairs, *find_kernels("auto"));
  matrix.clear();
  AggregateMatrix::Block own{}, beside{};
  for (std::size_t m = 0; m < 6; ++m) {
    own[7 * m] = 2.5;
    beside[7 * m] = -1;
  }
  for (const auto& [a, b] : pairs) {
    matrix.add(a, a, own);
    matrix.add(a, b, beside);
  }
  matrix.assemble();
  AggregateFactors factors(matrix);
  factors.update();
  // A ring of scalars is factorised in the same way.
  std::array<double, aggregates> E{}, z{};
  for (std::size_t a = 0; a < aggregates; ++a)
    E[a] = 2.5 - (a > 0 ? 1 / E[a - 1] : 0) - (a + 1 == aggregates ? 1 / E[0] : 0);
  z[0] = 1 / E[0];
  for (std::size_t a = 1; a < aggregates; ++a) z[a] = (z[a - 1] + (a + 1 == aggregates ? z[0] : 0)) / E[a];
  for (std::size_t a = aggregates - 1; a-- > 0;) z[a] += (z[a + 1] + (a == 0 ? z[aggregates - 1] : 0)) / E[a];
  petsc::Handle<Vec> b, x;
  check(MatCreateVecs(matrix.get(), b.out(), x.out()));
  {
    petsc::WriteView values(b.get());
    values[2] = 1;  // the first aggregate of every rank
  }
  factors.solve(b.get(), x.get());
  const petsc::ReadView found(x.get());
  for (std::size_t a = 0; a < aggregates; ++a)
    for (std::size_t m = 0; m < 6; ++m) EXPECT_NEAR(found[6 * a + m], m == 2 ? z[a] : 0, 1e-14);
}

TEST(AggregateFactors, TakeTheMatrixWhereAPivotWouldVanish) {
  const auto factors_of = [](double own, double beside) {
    int rank = 0;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    const PetscInt first = 2 * rank;
    const std::vector<BlockPlace> pairs{{first, first + 1}};
    AggregateMatrix matrix(PETSC_COMM_WORLD, 2, pairs, *find_kernels("auto"));
    matrix.clear();
    AggregateMatrix::Block diagonal{}, between{};
    for (std::size_t m = 0; m < 6; ++m) {
      diagonal[7 * m] = own;
      between[7 * m] = beside;
    }
    for (PetscInt a = first; a < first + 2; ++a) matrix.add(a, a, diagonal);
    matrix.add(first, first + 1, between);
    matrix.assemble();
    AggregateFactors factors(matrix);
    factors.update();
    petsc::Handle<Vec> b, x;
    check(MatCreateVecs(matrix.get(), b.out(), x.out()));
    check(VecSet(b.get(), 1));
    factors.solve(b.get(), x.get());
    const petsc::ReadView found(x.get());
    return std::make_tuple(factors.is_definite(), found[0], found[6]);
  };
  // (1, -1; -1, 1): the second pivot is 0 and is replaced by 1.
  EXPECT_EQ(factors_of(1, -1), std::make_tuple(true, 3.0, 2.0));
  EXPECT_FALSE(std::get<bool>(factors_of(-1, 0.5)));
}
