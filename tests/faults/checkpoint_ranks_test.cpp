// Checkpoint files on other numbers of ranks.
#include "checkpoint_thing.hpp"

#include <petscdmda.h>

#include <numeric>

using namespace checkpoint_test;

TEST(Checkpoint, IsReadOnOtherRanks) {
  if (ranks() == 1) return;
  const std::string file = file_of("ranks.h5");
  // The unknowns are owned by all ranks, or by the first two; the numbering is user-defined.
  const PetscInt total = 37;
  const int rank = rank_of(world());
  const auto numbered = [&](MPI_Comm comm, PetscInt mine) {
    Handle<Vec> x;
    check(VecCreateMPI(comm, mine, total, x.out()));
    PetscInt first = 0;
    check(VecGetOwnershipRange(x.get(), &first, nullptr));
    int size = 1;
    MPI_Comm_size(comm, &size);
    std::vector<PetscInt> numbers(static_cast<std::size_t>(mine));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = ((first + static_cast<PetscInt>(i)) * (size == ranks() ? 5 : 8) + 3) % total;
    Handle<IS> natural;
    check(ISCreateGeneral(comm, mine, numbers.data(), PETSC_COPY_VALUES, natural.out()));
    return std::pair(std::move(x), std::pair(std::move(natural), numbers));
  };
  const auto given = numbered(world(), rank == 0 ? total - 2 * (ranks() - 1) : 2);
  const auto& x = given.first;
  const auto& order = given.second.first;
  const auto& numbers = given.second.second;
  {
    const petsc::WriteView view(x.get());
    for (std::size_t i = 0; i < view.size(); ++i) view[i] = 1 / static_cast<double>(1 + numbers[i]);
  }
  std::vector<PetscReal> points(1, rank);
  write_checkpoint({x.get(), order.get()}, file, [&](Archive& state) { state.vec("x", x.get()); });
  check(VecSet(x.get(), 0));
  read_checkpoint({x.get(), order.get()}, file, [&](Archive& state) { state.vec("x", x.get()); });
  {
    const petsc::ReadView view(x.get());
    for (std::size_t i = 0; i < view.size(); ++i) EXPECT_EQ(view[i], 1 / static_cast<double>(1 + numbers[i]));
  }
  MPI_Comm first_ones = MPI_COMM_NULL;
  MPI_Comm_split(world(), rank < 1 ? 0 : 1, rank, &first_ones);
  if (rank < 1) {
    const auto read = numbered(first_ones, total);
    const auto& y = read.first;
    read_checkpoint({y.get(), read.second.first.get()}, file, [&](Archive& state) { state.vec("x", y.get()); });
    const petsc::ReadView view(y.get());
    for (std::size_t i = 0; i < view.size(); ++i)
      EXPECT_EQ(view[i], 1 / static_cast<double>(1 + read.second.second[i]));
  }
  MPI_Barrier(world());
  // Data stored per rank stay on their rank.
  const std::string kept = file_of("kept.h5");
  Thing thing;
  thing.fill();
  thing.save(kept);
  if (rank < 1) {
    PetscInt size = 0;
    check(VecGetSize(thing.x.get(), &size));
    Thing alone(first_ones);
    check(VecCreateMPI(first_ones, size, PETSC_DETERMINE, alone.x.out()));
    try {
      alone.load(kept);
      ADD_FAILURE() << "no error";
    } catch (const IoError& error) {
      EXPECT_TRUE(has(error.what(), "'bdf/quadrature' is kept per rank and was written on " + std::to_string(ranks())))
          << error.what();
    }
  }
  MPI_Comm_free(&first_ones);
  MPI_Barrier(world());
}

TEST(Checkpoint, TakesAGridsNaturalOrder) {
  const std::string file = file_of("grid.h5");
  const auto made = [](MPI_Comm comm) {
    Handle<DM> grid;
    check(DMDACreate2d(comm, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_BOX, 6, 5, PETSC_DECIDE, PETSC_DECIDE, 2,
                       1, nullptr, nullptr, grid.out()));
    check(DMSetUp(grid.get()));
    return grid;
  };
  const auto values = [](DM grid, Vec x, bool fill) {
    DMDALocalInfo box;
    check(DMDAGetLocalInfo(grid, &box));
    PetscReal*** at = nullptr;
    check(DMDAVecGetArrayDOF(grid, x, &at));
    for (PetscInt j = box.ys; j < box.ys + box.ym; ++j)
      for (PetscInt i = box.xs; i < box.xs + box.xm; ++i)
        for (PetscInt c = 0; c < 2; ++c) {
          const PetscReal value =
              100.0 * static_cast<double>(j) + 10.0 * static_cast<double>(i) + static_cast<double>(c);
          if (fill)
            at[j][i][c] = value;
          else
            EXPECT_EQ(at[j][i][c], value);
        }
    check(DMDAVecRestoreArrayDOF(grid, x, &at));
  };
  {
    const auto grid = made(world());
    Handle<Vec> x;
    check(DMCreateGlobalVector(grid.get(), x.out()));
    values(grid.get(), x.get(), true);
    write_checkpoint({x.get()}, file, [&](Archive& state) { state.vec("x", x.get()); });
    check(VecSet(x.get(), 0));
    read_checkpoint({x.get()}, file, [&](Archive& state) { state.vec("x", x.get()); });
    values(grid.get(), x.get(), false);
  }
  if (rank_of(world()) == 0) {
    const auto grid = made(PETSC_COMM_SELF);
    Handle<Vec> x;
    check(DMCreateGlobalVector(grid.get(), x.out()));
    read_checkpoint({x.get()}, file, [&](Archive& state) { state.vec("x", x.get()); });
    values(grid.get(), x.get(), false);
  }
  MPI_Barrier(world());
}
