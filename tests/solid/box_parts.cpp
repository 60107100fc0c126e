/// The division of boxes among ranks.

#include "solid/mesh/box_parts.hpp"

#include "solid/helpers.hpp"

#include <array>
#include <vector>

namespace gearshift::solid {
namespace {

TEST(BoxParts, CoverTheBox) {
  for (const BoxPart::Place& cuboids : {BoxPart::Place{1, 1, 1}, {5, 1, 1}, {2, 2, 2}, {7, 4, 3}, {1, 9, 6}})
    for (int ranks = 1; ranks < 40; ++ranks) {
      const BoxPart whole{{}, cuboids};
      std::vector<int> owners(static_cast<std::size_t>(cuboids[0] * cuboids[1] * cuboids[2]));
      PetscInt largest = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const BoxPart part = part_of(whole, ranks, rank);
        PetscInt size = 1;
        for (std::size_t c = 0; c < 3; ++c) size *= part.last[c] - part.first[c];
        largest = std::max(largest, size);
        for (PetscInt z = part.first[2]; z < part.last[2]; ++z)
          for (PetscInt y = part.first[1]; y < part.last[1]; ++y)
            for (PetscInt x = part.first[0]; x < part.last[0]; ++x)
              ++owners.at(static_cast<std::size_t>(x + cuboids[0] * (y + cuboids[1] * z)));
      }
      EXPECT_EQ(owners, std::vector<int>(owners.size(), 1)) << ranks;
      // Each halving rounds to whole cuboids.
      const auto all = static_cast<PetscInt>(owners.size());
      if (all >= 8 * ranks) {
        EXPECT_LE(largest * ranks, 2 * all) << ranks;
      }
    }
}

TEST(BoxParts, NeighboursAreThoseWithCommonVertices) {
  for (const BoxPart::Place& cuboids : {BoxPart::Place{1, 1, 1}, {5, 1, 1}, {7, 4, 3}, {30, 20, 10}})
    for (const int ranks : {1, 2, 3, 7, 8, 29, 64}) {
      const BoxPart whole{{}, cuboids};
      for (int rank = 0; rank < ranks; ++rank) {
        const BoxPart own = part_of(whole, ranks, rank);
        std::vector<int> expected, found;
        for (int other = 0; other < ranks; ++other)
          if (own.touches(part_of(whole, ranks, other))) expected.push_back(other);
        for (const auto& [other, part] : parts_near(whole, ranks, own)) {
          found.push_back(other);
          EXPECT_EQ(part.first, part_of(whole, ranks, other).first);
          EXPECT_EQ(part.last, part_of(whole, ranks, other).last);
        }
        EXPECT_EQ(found, expected) << rank << " of " << ranks;
      }
    }
}

/// A division of a cube has the surfaces of a cube's parts.
TEST(BoxParts, AreCompact) {
  const BoxPart part = part_of({{}, {64, 64, 64}}, 64, 17);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(part.last[c] - part.first[c], 16);
}

}  // namespace
}  // namespace gearshift::solid
