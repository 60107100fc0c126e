/// Ranks that lack the memory for their part of a Gmsh file: all ranks throw MeshError.

#include "petsc/queries.hpp"
#include "solid/gmsh_cube.hpp"
#include "solid/helpers.hpp"
#include "solid/written.hpp"

#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

std::size_t least = 0;  // bytes of the allocations that are counted
int left = -1;          // how many of these succeed before one fails; negative: all

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  if (size >= least && left >= 0 && left-- == 0) throw std::bad_alloc();
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace gearshift::solid {
namespace {

using namespace test;

/// Returns true if the mesh is made; ends the program if it fails in another way than by a MeshError on all ranks.
bool made(const std::string& file, int bad, int succeed, std::size_t size) {
  const Options options(std::vector<std::pair<std::string, std::string>>{{"-dm_plex_filename", file}});
  int good = 1;
  try {
    least = size;
    left = petsc::rank_of(PETSC_COMM_WORLD) == bad ? succeed : -1;
    const Mesh mesh = Mesh::from_options(PETSC_COMM_WORLD);
    left = -1;
  } catch (const MeshError&) {
    left = -1;
    good = 0;
  } catch (const std::exception& error) {
    left = -1;
    std::fprintf(stderr, "allocation %d of rank %d: %s\n", succeed, bad, error.what());
    MPI_Abort(PETSC_COMM_WORLD, 1);
  }
  EXPECT_EQ(petsc::reduced(PETSC_COMM_WORLD, MPI_MIN, good), petsc::reduced(PETSC_COMM_WORLD, MPI_MAX, good));
  return good == 1;
}

void expect_failures(const GmshSample& sample, std::size_t size) {
  const Written file(write_gmsh(sample, {"2.2", true}));
  ASSERT_TRUE(made(file.path(), -1, 0, size));
  for (int bad = 0; bad < petsc::ranks_of(PETSC_COMM_WORLD); ++bad) {
    int count = 0;
    while (count < 1000 && !made(file.path(), bad, count, size)) ++count;
    EXPECT_GT(count, 5) << bad;
    EXPECT_LT(count, 1000) << bad;
  }
}

TEST(ShortOfMemory, EachRankFailsWithTheOthers) {
  expect_failures(gmsh_cube(8), 2048);
  expect_failures(gmsh_sample(17), 512);
}

}  // namespace
}  // namespace gearshift::solid
