#pragma once

/// @file
/// Messages to a few other ranks that do not expect them.

#include "petsc/ranks/agree.hpp"

#include <petscsys.h>

#include <climits>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace gearshift::petsc {

/// Sends numbers to some ranks and returns those that others have sent to this one, both by rank. Collective on comm.
/// If a rank has no memory for the numbers, all ranks throw Failure; without such a type only this rank fails.
template <class Failure = void, class Number>
std::map<int, std::vector<Number>> exchange(MPI_Comm comm, const std::map<int, std::vector<Number>>& to) {
  static_assert(std::is_trivially_copyable_v<Number>);
  std::vector<PetscMPIInt> targets;
  std::vector<PetscInt> sizes;
  for (const auto& [rank, numbers] : to) {
    targets.push_back(rank);
    sizes.push_back(static_cast<PetscInt>(numbers.size()));
  }
  PetscMPIInt count = 0, *sources = nullptr;
  PetscInt* lengths = nullptr;
  check(PetscCommBuildTwoSided(comm, 1, MPIU_INT, static_cast<PetscMPIInt>(targets.size()), targets.data(),
                               sizes.data(), &count, &sources, static_cast<void*>(&lengths)));
  std::map<int, std::vector<Number>> from;
  const auto make_room = [&] {
    for (PetscMPIInt i = 0; i < count; ++i) from[sources[i]].resize(static_cast<std::size_t>(lengths[i]));
  };
  std::string failure;
  if constexpr (std::is_void_v<Failure>)
    make_room();
  else
    failure = failure_of(make_room);
  check(PetscFree(sources));
  check(PetscFree(lengths));
  if constexpr (!std::is_void_v<Failure>) throw_if_any<Failure>(comm, failure);
  MPI_Comm own = MPI_COMM_NULL;
  PetscMPIInt tag = 0;
  check(PetscCommDuplicate(comm, &own, &tag));
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check(MPI_Type_contiguous(static_cast<int>(sizeof(Number)), MPI_BYTE, &type));
  check(MPI_Type_commit(&type));
  std::vector<MPI_Request> requests;
  for (auto& [rank, numbers] : from)
    check(MPI_Irecv(numbers.data(), static_cast<int>(numbers.size()), type, rank, tag, own, &requests.emplace_back()));
  for (const auto& [rank, numbers] : to)
    check(MPI_Isend(numbers.data(), static_cast<int>(numbers.size()), type, rank, tag, own, &requests.emplace_back()));
  check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
  check(MPI_Type_free(&type));
  check(PetscCommDestroy(&own));
  return from;
}

}  // namespace gearshift::petsc
