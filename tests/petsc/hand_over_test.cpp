/// Lists that the first rank makes for each of the others.

#include "petsc/ranks/hand_over.hpp"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <tuple>

namespace gearshift::petsc {
namespace {

using Lists = HandOver<int, double>::Lists;

Lists lists_for(int rank) {
  return {std::vector<int>(static_cast<std::size_t>(3 * rank), rank), std::vector<double>{0.5 * rank}};
}

TEST(HandOver, EachRankReceivesItsLists) {
  const HandOver<int, double> hand_over(PETSC_COMM_WORLD);
  EXPECT_EQ(hand_over.to_each<MeshError>(lists_for), lists_for(rank_of(PETSC_COMM_WORLD)));
}

TEST(HandOver, LongListsArriveInPieces) {
  for (const std::size_t piece : {1, 2, 3, 4}) {
    const HandOver<int, double> hand_over(PETSC_COMM_WORLD, piece);
    EXPECT_EQ(hand_over.to_each<MeshError>(lists_for), lists_for(rank_of(PETSC_COMM_WORLD)));
  }
}

TEST(HandOver, FailureOnOneRankFailsOnAll) {
  const HandOver<int, double> hand_over(PETSC_COMM_WORLD);
  for (int bad = 0; bad < ranks_of(PETSC_COMM_WORLD); ++bad) {
    try {
      (void)hand_over.to_each<MeshError>([&](int rank) {
        if (rank == bad) throw std::runtime_error("no lists for rank " + std::to_string(bad));
        return lists_for(rank);
      });
      ADD_FAILURE() << bad;
    } catch (const MeshError& error) {
      EXPECT_EQ(std::string(error.what()), "no lists for rank " + std::to_string(bad));
    }
  }
  EXPECT_EQ(hand_over.to_each<MeshError>(lists_for), lists_for(rank_of(PETSC_COMM_WORLD)));
}

/// A number for which a rank may have no memory.
struct Rare {
  static inline bool missing = false;
  int value = 0;
  Rare() {
    if (missing) throw std::bad_alloc();
  }
};

TEST(HandOver, LackOfMemoryOnOneRankFailsOnAll) {
  const HandOver<int, Rare> hand_over(PETSC_COMM_WORLD);
  for (int bad = 0; bad < ranks_of(PETSC_COMM_WORLD); ++bad) {
    Rare::missing = rank_of(PETSC_COMM_WORLD) == bad;
    EXPECT_THROW((void)hand_over.to_each<MeshError>([&](int rank) {
      return std::tuple{std::vector<int>(static_cast<std::size_t>(rank)), std::vector<Rare>(2)};
    }),
                 MeshError);
  }
  Rare::missing = false;
}

}  // namespace
}  // namespace gearshift::petsc
