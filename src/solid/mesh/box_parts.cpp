#include "solid/mesh/box_parts.hpp"

#include <cstdint>

namespace gearshift::solid {

namespace {

/// A part of a box for the ranks begin, ..., begin + ranks - 1.
struct Share {
  BoxPart part;
  int begin, ranks;

  std::size_t longest() const {
    const auto sides = part.vertices();
    return static_cast<std::size_t>(std::max_element(sides.begin(), sides.end()) - sides.begin());
  }
  /// Returns true if the first rank gets the whole part.
  bool whole() const { return ranks == 1 || part.vertices()[longest()] == 2; }
  std::array<Share, 2> halves() const {
    const std::size_t axis = longest();
    const std::int64_t cuboids = part.last[axis] - part.first[axis], lower = ranks / 2;
    const auto cut = static_cast<PetscInt>(std::clamp<std::int64_t>(
        (2 * cuboids * lower + ranks) / (2 * static_cast<std::int64_t>(ranks)), 1, cuboids - 1));
    std::array<Share, 2> result{Share{part, begin, ranks / 2}, Share{part, begin + ranks / 2, ranks - ranks / 2}};
    result[0].part.last[axis] = result[1].part.first[axis] = part.first[axis] + cut;
    return result;
  }
};

void add_near(const Share& share, const BoxPart& near, std::vector<std::pair<int, BoxPart>>& result) {
  if (!share.part.touches(near)) return;
  if (share.whole()) {
    result.emplace_back(share.begin, share.part);
    return;
  }
  for (const Share& half : share.halves()) add_near(half, near, result);
}

}  // namespace

std::vector<std::pair<int, BoxPart>> parts_near(const BoxPart& box, int ranks, const BoxPart& near) {
  std::vector<std::pair<int, BoxPart>> result;
  add_near({box, 0, ranks}, near, result);
  return result;
}

BoxPart part_of(const BoxPart& box, int ranks, int rank) {
  Share share{box, 0, ranks};
  while (!share.whole()) {
    const auto halves = share.halves();
    share = halves[rank < halves[1].begin ? 0 : 1];
  }
  return share.begin == rank ? share.part : BoxPart{};
}

}  // namespace gearshift::solid
