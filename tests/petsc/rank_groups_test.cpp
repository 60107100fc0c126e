/// Groups of ranks, the first of which writes for all.

#include "petsc/files/rank_groups.hpp"

#include <gtest/gtest.h>
#include <petscsys.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace gearshift::petsc {
namespace {

/// Rank r has `count(r)` bytes of value r + 1.
template <class Count>
void expect_bytes_in_order(int size, std::size_t largest_piece, Count&& count) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  RankGroups groups(PETSC_COMM_WORLD, size, largest_piece);
  EXPECT_EQ(groups.writes(), rank % size == 0);
  const std::vector<std::byte> mine(count(rank), static_cast<std::byte>(rank + 1));
  std::vector<std::byte> expected, found;
  if (groups.writes())
    for (int other = rank; other < std::min(rank + size, ranks); ++other)
      expected.insert(expected.end(), count(other), static_cast<std::byte>(other + 1));
  int writes = 0;
  groups.collect(mine, [&](std::span<const std::byte> bytes) {
    EXPECT_FALSE(bytes.empty());
    found.insert(found.end(), bytes.begin(), bytes.end());
    ++writes;
  });
  EXPECT_EQ(found, expected);
  EXPECT_LE(static_cast<std::size_t>(writes), 2 + 2 * expected.size() / largest_piece);
}

TEST(RankGroups, CollectTheBytesOfTheRanksInTheirOrder) {
  for (const int size : {1, 2, 3, 16})
    for (const std::size_t piece : {1, 7, 1000}) {
      expect_bytes_in_order(size, piece, [](int) { return 50; });
      expect_bytes_in_order(size, piece, [](int rank) { return 40 * static_cast<std::size_t>(rank % 2); });
      expect_bytes_in_order(size, piece, [](int rank) { return 30 * static_cast<std::size_t>(3 - rank % 3); });
      expect_bytes_in_order(size, piece, [](int) { return 0; });
    }
}

TEST(RankGroups, WriteFewPieces) {
  int ranks = 0;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  RankGroups groups(PETSC_COMM_WORLD, 16);
  int writes = 0;
  groups.collect(std::vector<std::byte>(1000), [&](std::span<const std::byte>) { ++writes; });
  EXPECT_EQ(writes, !groups.writes() ? 0 : ranks == 1 ? 1 : 2);
}

#if !defined(__SANITIZE_ADDRESS__)  // AddressSanitizer ends the program at such a request
/// The sizes are not those of real lists: nothing is sent or written.
TEST(RankGroups, LackOfMemoryOfTheFirstRankIsKnownToAll) {
  int ranks = 0;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  RankGroups groups(PETSC_COMM_WORLD, 16, SIZE_MAX);
  const std::byte one{};
  const std::size_t length = ranks == 1 ? 1 : std::size_t{1} << 60;
  EXPECT_EQ(groups.collect(std::span(&one, length), [](std::span<const std::byte>) {}), ranks == 1);
  EXPECT_TRUE(groups.collect(std::span(&one, 1), [](std::span<const std::byte>) {}));
}
#endif

}  // namespace
}  // namespace gearshift::petsc
