#include "solid/terms/contact/pair/facet_search.hpp"

#include "petsc/queries.hpp"

namespace gearshift::solid {

FacetSearch::FacetSearch(MPI_Comm comm, const std::vector<Extent>& boxes, const std::vector<Sides>& sides)
    : comm_(comm) {
  const int rank = petsc::rank_of(comm), ranks = petsc::ranks_of(comm);
  std::array<Extent, 2> mine;  // around the facets of each side
  for (std::size_t f = 0; f < boxes.size(); ++f)
    for (const Sides side : {first_side, second_side})
      if ((sides[f] & side) != 0)
        for (const Vec3* corner : {&boxes[f].low, &boxes[f].high}) mine[side - 1U].add(*corner);
  std::vector<std::array<Extent, 2>> all(static_cast<std::size_t>(ranks));
  constexpr int size = sizeof mine / sizeof(double);
  petsc::check(MPI_Allgather(mine.data(), size, MPI_DOUBLE, all.data(), size, MPI_DOUBLE, comm));
  for (int other = 0; other < ranks; ++other) {
    if (other == rank) continue;
    const auto& [first, second] = all[static_cast<std::size_t>(other)];
    for (std::size_t f = 0; f < boxes.size(); ++f)
      if (((sides[f] & second_side) != 0 && overlap(boxes[f], first)) ||
          ((sides[f] & first_side) != 0 && overlap(boxes[f], second)))
        sent_[other].push_back(f);
  }
  const std::vector<Extent> known = share(boxes);
  const std::vector<Sides> known_sides = share(sides);
  const BoxTree tree(known);
  ends_.push_back(0);
  for (std::size_t f = 0; f < boxes.size(); ++f) {
    tree.visit_overlapping(boxes[f], [&](std::size_t g) {
      if (g != f && may_touch(sides[f], known_sides[g])) near_.push_back(g);
    });
    ends_.push_back(near_.size());
  }
}

}  // namespace gearshift::solid
