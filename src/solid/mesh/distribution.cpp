#include "solid/mesh/distribution.hpp"

#include "petsc/memory.hpp"
#include "petsc/queries.hpp"
#include "petsc/ranks/agree.hpp"
#include "petsc/versions.hpp"

#include <dlfcn.h>
#include <petscsf.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>

namespace gearshift::solid {

using petsc::check;

namespace {

/// Scotch divides a mesh in the same way each time while this object exists. Its threads race, so that several of them
/// divide the same mesh differently in each run, and its random numbers would continue from mesh to mesh.
class RepeatableScotch {
 public:
  RepeatableScotch() : given_(std::getenv(name) != nullptr) {
    if (!given_) setenv(name, "1", 0);
    if (const auto restart = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "SCOTCH_randomReset"))) restart();
  }
  ~RepeatableScotch() {
    if (!given_) unsetenv(name);
  }
  RepeatableScotch& operator=(RepeatableScotch&&) = delete;

 private:
  static constexpr const char* name = "SCOTCH_PTHREAD_NUMBER";
  bool given_;
};

/// PETSc passes its indices to Scotch unchanged, even if Scotch's are shorter (Debian's PETSc with 64-bit indices is an
/// example). This ends in a crash.
void avoid_scotch_of_other_indices(PetscPartitioner partitioner, MPI_Comm comm) {
  PetscPartitionerType type = nullptr;
  check(PetscPartitionerGetType(partitioner, &type));
  if (!type || std::string_view(type) != PETSCPARTITIONERPTSCOTCH) return;
  const auto size_of_index = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "SCOTCH_numSizeof"));
  if (!size_of_index || size_of_index() == static_cast<int>(sizeof(PetscInt))) return;
  check(PetscPartitionerSetType(partitioner, PETSCPARTITIONERSIMPLE));
  static bool noted = false;  // a program may distribute many meshes
  if (petsc::ranks_of(comm) > 1 && !std::exchange(noted, true))
    check(PetscFPrintf(
        comm, PETSC_STDERR,
        "note: the PTScotch library of this PETSc has indices of %d bits, PETSc of %d: the mesh is distributed "
        "by -petscpartitioner_type simple, in the order of its cells\n",
        8 * size_of_index(), static_cast<int>(8 * sizeof(PetscInt))));
}

std::array<PetscInt, 2> cells_of(DM dm) {
  std::array<PetscInt, 2> cells{};
  check(DMPlexGetHeightStratum(dm, 0, &cells[0], &cells[1]));
  return cells;
}

}  // namespace

bool distributes(std::string_view prefix) {
  PetscBool wanted = PETSC_TRUE;
  check(PetscOptionsGetBool(nullptr, nullptr, ("-" + std::string(prefix) + "dm_distribute").c_str(), &wanted, nullptr));
  return wanted == PETSC_TRUE;
}

std::vector<int> partition_graph(MPI_Comm comm, std::string_view prefix, Graph graph) {
  const int ranks = petsc::ranks_of(comm);
  petsc::Handle<PetscPartitioner> partitioner;
  petsc::Handle<PetscSection> counts;
  petsc::Handle<IS> vertices;
  check(PetscPartitionerCreate(comm, partitioner.out()));
  check(PetscObjectSetOptionsPrefix(reinterpret_cast<PetscObject>(partitioner.get()), std::string(prefix).c_str()));
  check(PetscPartitionerSetFromOptions(partitioner.get()));
  avoid_scotch_of_other_indices(partitioner.get(), comm);
  check(PetscSectionCreate(comm, counts.out()));
  {
    const RepeatableScotch scotch;
    check(petsc::partition(PetscPartitionerPartition, partitioner.get(), ranks,
                           static_cast<PetscInt>(graph.first.size()) - 1, graph.first.data(), graph.neighbours.data(),
                           counts.get(), vertices.out()));
  }
  std::vector<int> owners;
  const std::string failure = petsc::failure_of([&] {
    owners.resize(graph.first.size() - 1);
    const std::vector<PetscInt> by_rank = petsc::indices_of(vertices.get());
    auto next = by_rank.begin();
    for (int rank = 0; rank < ranks; ++rank) {
      PetscInt count = 0;
      check(PetscSectionGetDof(counts.get(), rank, &count));
      for (; count > 0; --count) owners[static_cast<std::size_t>(*next++)] = rank;
    }
  });
  petsc::throw_if_any<MeshError>(comm, failure);
  return owners;
}

petsc::Handle<DM> distribute(petsc::Handle<DM> whole, std::string_view prefix, std::vector<PetscInt>& numbers) {
  const MPI_Comm comm = petsc::comm_of(whole.get());
  const auto [first, last] = cells_of(whole.get());
  const PetscInt count = last - first, offset = petsc::sum_before(comm, count);
  petsc::on_each_rank<MeshError>(comm, [&] {
    numbers.resize(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), offset);
  });

  if (!distributes(prefix)) return whole;
  petsc::Handle<DM> parts;
  petsc::Handle<PetscSF> way;
  PetscPartitioner partitioner = nullptr;
  check(DMPlexGetPartitioner(whole.get(), &partitioner));
  check(PetscPartitionerSetFromOptions(partitioner));
  avoid_scotch_of_other_indices(partitioner, comm);
  {
    const RepeatableScotch scotch;
    check(DMPlexDistribute(whole.get(), 0, way.out(), parts.out()));
  }
  if (!parts) return whole;
  const char* own_prefix = nullptr;
  check(DMGetOptionsPrefix(whole.get(), &own_prefix));
  check(DMSetOptionsPrefix(parts.get(), own_prefix));

  // The numbers are transferred point by point, along the migration SF.
  PetscInt begin = 0, end = 0;
  check(DMPlexGetChart(whole.get(), &begin, &end));
  std::vector<PetscInt> from, to;
  petsc::on_each_rank<MeshError>(comm, [&] {
    from.resize(static_cast<std::size_t>(end), -1);
    std::copy(numbers.begin(), numbers.end(), from.begin() + first);
    check(DMPlexGetChart(parts.get(), &begin, &end));
    to.resize(static_cast<std::size_t>(end), -1);
  });
  check(PetscSFBcastBegin(way.get(), MPIU_INT, from.data(), to.data(), MPI_REPLACE));
  check(PetscSFBcastEnd(way.get(), MPIU_INT, from.data(), to.data(), MPI_REPLACE));
  const auto after = cells_of(parts.get());
  petsc::on_each_rank<MeshError>(comm, [&] { numbers.assign(to.begin() + after[0], to.begin() + after[1]); });
  whole = {};
  way = {};
  petsc::trim_memory();  // the whole mesh was large, and its memory lies below blocks that are still in use
  return parts;
}

}  // namespace gearshift::solid
