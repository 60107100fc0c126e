#include "solid/mesh/point_sharing.hpp"

#include "petsc/queries.hpp"
#include "petsc/ranks/exchange.hpp"
#include "solid/mesh/cones.hpp"

#include <petscsf.h>

#include <algorithm>
#include <array>
#include <utility>

namespace gearshift::solid {

using petsc::check;

namespace {

/// A vertex, edge or face that another rank may have, too.
struct Candidate {
  std::array<std::int64_t, 4> vertices;  // ascending numbers in the whole mesh; -1 in the place of missing ones
  PetscInt point;
};

/// Returns the points whose vertices all belong to the other rank, too, by ascending numbers of their vertices.
std::map<int, std::vector<Candidate>> candidates(DM dm, const std::vector<std::int64_t>& numbers,
                                                 const CommonVertices& common) {
  const Cones cones(dm);
  std::vector<std::pair<PetscInt, int>> ranks_of;  // of each common vertex
  for (const auto& [rank, vertices] : common)
    for (const PetscInt vertex : vertices) ranks_of.emplace_back(cones.first(0) + vertex, rank);
  std::ranges::sort(ranks_of);
  std::vector<bool> is_common(numbers.size());
  for (const auto& [vertex, rank] : ranks_of) is_common[static_cast<std::size_t>(vertex - cones.first(0))] = true;

  std::map<int, std::vector<Candidate>> result;
  for (std::size_t depth = 0; depth < 3; ++depth)
    for (PetscInt point = cones.first(depth); point < cones.last(depth); ++point) {
      const auto vertices = cones.vertices(point);
      const auto at = [&](PetscInt vertex) { return static_cast<std::size_t>(vertex - cones.first(0)); };
      if (!std::ranges::all_of(vertices, [&](PetscInt v) { return v < 0 || is_common[at(v)]; })) continue;
      Candidate candidate{{-1, -1, -1, -1}, point};
      for (std::size_t i = 0; i < 4 && vertices[i] >= 0; ++i) candidate.vertices[i] = numbers[at(vertices[i])];
      std::ranges::sort(candidate.vertices);
      for (auto near = std::ranges::lower_bound(ranks_of, std::pair{vertices[0], 0});
           near != ranks_of.end() && near->first == vertices[0]; ++near)
        if (std::ranges::all_of(vertices, [&](PetscInt v) {
              return v < 0 || std::ranges::binary_search(ranks_of, std::pair{v, near->second});
            }))
          result[near->second].push_back(candidate);
    }
  for (auto& [rank, list] : result) std::ranges::sort(list, {}, &Candidate::vertices);
  return result;
}

/// Returns the points of this rank that a lower rank owns.
std::map<PetscInt, PetscSFNode> owners_of_points(const std::map<int, std::vector<Candidate>>& own,
                                                 const std::map<int, std::vector<Candidate>>& others, int this_rank) {
  std::map<PetscInt, PetscSFNode> leaves;
  for (const auto& [rank, list] : others) {  // ranks ascend
    if (rank > this_rank) break;
    auto other = list.begin();
    const auto found = own.find(rank);
    if (found == own.end()) continue;
    for (const Candidate& candidate : found->second) {
      while (other != list.end() && other->vertices < candidate.vertices) ++other;
      if (other != list.end() && other->vertices == candidate.vertices)
        leaves.emplace(candidate.point, PetscSFNode{rank, other->point});
    }
  }
  return leaves;
}

}  // namespace

CommonVertices find_common(MPI_Comm comm, const std::vector<std::int64_t>& numbers) {
  const std::int64_t largest = petsc::reduced(comm, MPI_MAX, numbers.empty() ? 0 : numbers.back()),
                     each = largest / petsc::ranks_of(comm) + 1;
  std::map<int, std::vector<std::int64_t>> to_compare;
  petsc::on_each_rank<MeshError>(comm, [&] {
    for (const std::int64_t number : numbers) to_compare[static_cast<int>(number / each)].push_back(number);
  });
  struct Common {
    std::int64_t number, rank;
  };
  std::map<int, std::vector<Common>> answers;
  const auto compared = petsc::exchange<MeshError>(comm, to_compare);
  petsc::on_each_rank<MeshError>(comm, [&] {
    std::vector<std::pair<std::int64_t, int>> users;
    for (const auto& [rank, received] : compared)
      for (const std::int64_t number : received) users.emplace_back(number, rank);
    std::ranges::sort(users);
    for (auto first = users.begin(); first != users.end();) {
      const auto last = std::find_if(first, users.end(), [&](const auto& user) { return user.first != first->first; });
      for (auto a = first; a != last; ++a)
        for (auto b = first; b != last; ++b)
          if (a != b) answers[a->second].push_back({first->first, b->second});
      first = last;
    }
  });
  const auto answered = petsc::exchange<MeshError>(comm, answers);
  CommonVertices result;
  petsc::on_each_rank<MeshError>(comm, [&] {
    for (const auto& [rank, list] : answered)
      for (const Common& common : list)
        result[static_cast<int>(common.rank)].push_back(
            static_cast<PetscInt>(std::ranges::lower_bound(numbers, common.number) - numbers.begin()));
  });
  return result;
}

void share_points(DM dm, const std::vector<std::int64_t>& numbers, const CommonVertices& common) {
  const MPI_Comm comm = petsc::comm_of(dm);
  if (petsc::ranks_of(comm) == 1) return;
  std::map<int, std::vector<Candidate>> own;
  petsc::on_each_rank<MeshError>(comm, [&] { own = candidates(dm, numbers, common); });
  const auto others = petsc::exchange<MeshError>(comm, own);
  std::vector<PetscInt> points;
  std::vector<PetscSFNode> owners;
  petsc::on_each_rank<MeshError>(comm, [&] {
    for (const auto& [point, owner] : owners_of_points(own, others, petsc::rank_of(comm))) {
      points.push_back(point);
      owners.push_back(owner);
    }
  });
  PetscSF sf = nullptr;
  PetscInt begin = 0, end = 0;
  check(DMGetPointSF(dm, &sf));
  check(DMPlexGetChart(dm, &begin, &end));
  check(PetscSFSetGraph(sf, end, static_cast<PetscInt>(points.size()), points.data(), PETSC_COPY_VALUES, owners.data(),
                        PETSC_COPY_VALUES));
}

}  // namespace gearshift::solid
