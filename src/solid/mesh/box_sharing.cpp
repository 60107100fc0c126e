#include "solid/mesh/box_sharing.hpp"

#include "petsc/queries.hpp"
#include "petsc/ranks/exchange.hpp"

#include <petscsf.h>

#include <cstdint>
#include <map>

namespace gearshift::solid {

using petsc::check;

namespace {

/// Two or more ranks list their common points in this order.
struct SharedPoint {
  std::array<std::int64_t, 5> key;  // the number of vertices, and their ascending numbers in the box
  PetscInt point;
};

class Sharing {
 public:
  Sharing(DM dm, const BoxPart& box, const BoxPart& own)
      : comm_(petsc::comm_of(dm)), rank_(petsc::rank_of(comm_)), cones_(dm), box_(box), own_(own) {
    for (const auto& [rank, part] : parts_near(box, petsc::ranks_of(comm_), own))
      if (rank != rank_) others_.emplace_back(rank, part);
    for (std::size_t depth = 0; depth < 3; ++depth)
      for (PetscInt point = cones_.first(depth); point < cones_.last(depth); ++point) put(point);
    for (auto* list : {&given_, &taken_})
      for (auto& [rank, points] : *list) std::ranges::sort(points, {}, [](const SharedPoint& p) { return p.key; });
  }

  /// Returns this rank's points that others own, with their owners. Collective.
  std::map<PetscInt, PetscSFNode> leaves() const {
    std::map<int, std::vector<PetscInt>> numbers;
    for (const auto& [rank, points] : given_)
      for (const SharedPoint& p : points) numbers[rank].push_back(p.point);
    const auto received = petsc::exchange(comm_, numbers);
    std::map<PetscInt, PetscSFNode> result;
    for (const auto& [rank, points] : taken_)
      for (std::size_t i = 0; i < points.size(); ++i) result[points[i].point] = {rank, received.at(rank).at(i)};
    return result;
  }

 private:
  /// Adds a point to the lists of the ranks that share it.
  void put(PetscInt point) {
    const PointPlaces places(cones_, own_, point);
    bool inside = true;
    for (std::size_t c = 0; c < 3; ++c)
      inside = inside &&
               (places.low[c] != places.high[c] || (places.low[c] != own_.first[c] && places.low[c] != own_.last[c]));
    if (inside) return;
    SharedPoint shared{{static_cast<std::int64_t>(places.all().size())}, point};
    const auto sides = box_.vertices();
    auto next = shared.key.begin() + 1;
    for (const auto& at : places.all()) *next++ = at[0] + sides[0] * (at[1] + std::int64_t{sides[1]} * at[2]);
    std::sort(shared.key.begin() + 1, next);
    for (const auto& [rank, part] : others_) {
      if (!part.has_vertices(places.low, places.high)) continue;
      if (rank > rank_) {
        given_[rank].push_back(shared);
      } else {
        taken_[rank].push_back(shared);
        return;  // others_ is sorted: this is the owner
      }
    }
  }

  MPI_Comm comm_;
  int rank_;
  Cones cones_;
  BoxPart box_, own_;
  std::vector<std::pair<int, BoxPart>> others_;            // neighbours, by ascending rank
  std::map<int, std::vector<SharedPoint>> given_, taken_;  // points that others use, that others own
};

}  // namespace

PointPlaces::PointPlaces(const Cones& cones, const BoxPart& part, PetscInt point) {
  const auto sides = part.vertices();
  const auto add = [&](PetscInt vertex) {
    const PetscInt n = vertex - cones.first(0);
    const BoxPart::Place at{part.first[0] + n % sides[0], part.first[1] + n / sides[0] % sides[1],
                            part.first[2] + n / sides[0] / sides[1]};
    if (std::ranges::find(all(), at) != all().end()) return;
    for (std::size_t c = 0; c < 3; ++c) {
      low[c] = count_ == 0 ? at[c] : std::min(low[c], at[c]);
      high[c] = count_ == 0 ? at[c] : std::max(high[c], at[c]);
    }
    places_.at(count_++) = at;
  };
  const auto add_ends = [&](PetscInt edge) { std::ranges::for_each(cones.of(edge), add); };
  if (cones.has_depth(point, 0))
    add(point);
  else if (cones.has_depth(point, 1))
    add_ends(point);
  else
    std::ranges::for_each(cones.of(point), add_ends);
}

void share_points(DM dm, const BoxPart& box, const BoxPart& own) {
  if (petsc::ranks_of(petsc::comm_of(dm)) == 1) return;
  const auto leaves = Sharing(dm, box, own).leaves();
  std::vector<PetscInt> points;
  std::vector<PetscSFNode> owners;
  for (const auto& [point, owner] : leaves) {
    points.push_back(point);
    owners.push_back(owner);
  }
  PetscSF sf = nullptr;
  PetscInt begin = 0, end = 0;
  check(DMGetPointSF(dm, &sf));
  check(DMPlexGetChart(dm, &begin, &end));
  check(PetscSFSetGraph(sf, end, static_cast<PetscInt>(points.size()), points.data(), PETSC_COPY_VALUES, owners.data(),
                        PETSC_COPY_VALUES));
}

}  // namespace gearshift::solid
