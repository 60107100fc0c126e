// Checkpoint files that cannot be written: the one before remains.
#include "checkpoint_thing.hpp"

#include <sys/resource.h>

#include <csignal>
#include <cstdlib>

using namespace checkpoint_test;

TEST(Checkpoint, AFullDiskLeavesTheOneBefore) {
  const std::string file = file_of("full.h5");
  Handle<Vec> x;
  check(VecCreateMPI(world(), 20000, PETSC_DETERMINE, x.out()));
  check(VecSet(x.get(), 3));
  const auto visit = [&](Archive& state) {
    for (const char* name : {"a", "b"}) state.vec(name, x.get());
    PetscReal one = 1;
    for (int i = 0; i < 100; ++i) state("number_" + std::to_string(i), one);
  };
  write_checkpoint({x.get()}, file, visit);
  const std::string before = read(file);
  rlimit free_limit{};
  getrlimit(RLIMIT_FSIZE, &free_limit);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  // Only one rank reaches the limit, in its own share or, for the first one, in the HDF5 part.
  for (const int victim : {0, ranks() - 1})
    for (const rlim_t limit :
         {std::size_t{100}, std::size_t{3000}, before.size() / 2, before.size() - 20000, before.size() - 10}) {
      rlimit small = free_limit;
      small.rlim_cur = limit;
      if (rank_of(world()) == victim) setrlimit(RLIMIT_FSIZE, &small);
      std::string text;
      try {
        write_checkpoint({x.get()}, file, visit);
      } catch (const IoError& error) {
        text = error.what();
      }
      setrlimit(RLIMIT_FSIZE, &free_limit);
      if (victim == 0 || limit < before.size() / 2) {
        EXPECT_TRUE(has(text, "cannot be written"))
            << limit << " of " << before.size() << " on " << victim << ": " << text;
      }
      MPI_Barrier(world());
      EXPECT_FALSE(fs::exists(file + ".part"));
      EXPECT_EQ(checkpoint_damage(world(), file), "");
    }
  std::signal(SIGXFSZ, handler);
  write_checkpoint({x.get()}, file, visit);
  EXPECT_EQ(read(file), before);
}

TEST(Checkpoint, ASmallDiskLeavesTheOneBefore) {
  const char* disk = std::getenv("GEARSHIFT_SMALL_DISK");
  if (!disk) GTEST_SKIP() << "GEARSHIFT_SMALL_DISK names no disk of 1 MiB";
  const std::string file = std::string(disk) + "/full.h5";
  MPI_Barrier(world());
  Thing small;
  small.fill();
  small.save(file);
  int failed = 0, made = 0;
  for (PetscInt total = 100000; total < 150000; total += 1024) {
    Handle<Vec> x;
    check(VecCreateMPI(world(), PETSC_DECIDE, total, x.out()));
    try {
      write_checkpoint({x.get()}, file, [&](Archive& state) {
        state.vec("x", x.get());
        PetscReal one = 1;
        for (int i = 0; i < 300; ++i) state("number_" + std::to_string(i), one);
      });
      ++made;
      MPI_Barrier(world());
      if (rank_of(world()) == 0) fs::remove(file + ".previous"), fs::rename(file, file + ".previous");
      MPI_Barrier(world());
      small.save(file);
      MPI_Barrier(world());
      if (rank_of(world()) == 0) fs::remove(file + ".previous");
    } catch (const IoError& error) {
      ++failed;
      EXPECT_TRUE(has(error.what(), "No space") || has(error.what(), "disk is full")) << error.what();
    }
    MPI_Barrier(world());
    EXPECT_FALSE(fs::exists(file + ".part"));
    ASSERT_EQ(checkpoint_damage(world(), file), "");
  }
  EXPECT_GT(made, 3);
  EXPECT_GT(failed, 3);
}

TEST(Checkpoint, WhatTheVisitorThrowsLeavesNothingBehind) {
  const std::string file = file_of("thrown.h5");
  Thing thing;
  EXPECT_THROW(write_checkpoint({thing.x.get()}, file,
                                [&](Archive& state) {
                                  thing.archive(state);
                                  throw Error("on purpose");
                                }),
               Error);
  MPI_Barrier(world());
  EXPECT_FALSE(fs::exists(file));
  EXPECT_FALSE(fs::exists(file + ".part"));
  const std::string text = io_error([&] { thing.save("no/such/folder/file.h5"); });
  EXPECT_TRUE(has(text, "no/such/folder/file.h5")) << text;
}
