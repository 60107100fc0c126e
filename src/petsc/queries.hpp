#pragma once

/// @file
/// Queries of PETSc and MPI that return their answer, with the handles, views and errors of PETSc.

#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/views.hpp>

#include <petscsnes.h>

#include <cstddef>
#include <numeric>
#include <type_traits>
#include <vector>

namespace gearshift::petsc {

/// Returns a new Vec with the layout of `layout`, set to zero. Collective.
inline Handle<Vec> duplicate(Vec layout) {
  Handle<Vec> vec;
  check(VecDuplicate(layout, vec.out()));
  check(VecSet(vec.get(), 0));
  return vec;
}

/// Copies x into `copy`, which is created if it is empty. Collective.
inline void store(Vec x, Handle<Vec>& copy) {
  if (!copy) check(VecDuplicate(x, copy.out()));
  check(VecCopy(x, copy.get()));
}

/// Returns a copy. Collective.
inline Handle<Vec> copy_of(Vec x) {
  Handle<Vec> copy;
  store(x, copy);
  return copy;
}

/// Returns the communicator of a PETSc object.
template <class Object>
MPI_Comm comm_of(Object object) {
  return PetscObjectComm(reinterpret_cast<PetscObject>(object));
}

/// Returns the prefix of the options of a PETSc object; "" if it has none.
template <class Object>
const char* prefix_of(Object object) {
  const char* prefix = nullptr;
  check(PetscObjectGetOptionsPrefix(reinterpret_cast<PetscObject>(object), &prefix));
  return prefix ? prefix : "";
}

/// Returns this rank's number in a communicator.
inline int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

/// Returns the number of ranks in a communicator.
inline int ranks_of(MPI_Comm comm) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  return ranks;
}

/// Returns MPI's type for a number.
template <class T>
MPI_Datatype mpi_type() {
  static_assert((sizeof(T) == 4 || sizeof(T) == 8) && !std::is_same_v<T, bool>);
  if constexpr (std::is_floating_point_v<T>)
    return sizeof(T) == 8 ? MPI_DOUBLE : MPI_FLOAT;
  else if constexpr (std::is_unsigned_v<T>)
    return sizeof(T) == 8 ? MPI_UINT64_T : MPI_UINT32_T;
  else
    return sizeof(T) == 8 ? MPI_INT64_T : MPI_INT32_T;
}

/// Returns the sum, the maximum or another reduction of a number over all ranks. Collective.
template <class T>
T reduced(MPI_Comm comm, MPI_Op op, T number) {
  check(MPI_Allreduce(MPI_IN_PLACE, &number, 1, mpi_type<T>(), op, comm));
  return number;
}

/// Return true if `here` is true on some rank, or on every rank. Collective.
inline bool any(MPI_Comm comm, bool here) { return reduced(comm, MPI_MAX, here ? 1 : 0) != 0; }
inline bool all(MPI_Comm comm, bool here) { return reduced(comm, MPI_MIN, here ? 1 : 0) != 0; }

/// Returns the sum of a number over the ranks before this one. Collective.
template <class T>
T sum_before(MPI_Comm comm, T number) {
  static_assert(std::is_integral_v<T>);
  T sum = 0;
  check(MPI_Scan(&number, &sum, 1, mpi_type<T>(), MPI_SUM, comm));
  return sum - number;
}

/// Returns the numbers of all ranks, in the order of the ranks. Collective.
template <class T>
std::vector<T> gathered(MPI_Comm comm, const std::vector<T>& own) {
  PetscMPIInt count = 0;
  check(PetscMPIIntCast(static_cast<PetscInt>(own.size()), &count));
  std::vector<int> counts(static_cast<std::size_t>(ranks_of(comm))), starts(counts.size() + 1);
  check(MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, comm));
  std::partial_sum(counts.begin(), counts.end(), starts.begin() + 1);
  std::vector<T> result(static_cast<std::size_t>(starts.back()));
  check(MPI_Allgatherv(own.data(), count, mpi_type<T>(), result.data(), counts.data(), starts.data(), mpi_type<T>(),
                       comm));
  return result;
}

/// Returns true if a PETSc object has this type; false for nullptr.
template <class Object>
bool is_of_type(Object object, const char* type) {
  PetscBool same = PETSC_FALSE;
  if (object) check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(object), type, &same));
  return same;
}

/// Returns the number of entries on all ranks.
inline PetscInt size_of(Vec x) {
  PetscInt size = 0;
  check(VecGetSize(x, &size));
  return size;
}

/// Returns the number of entries on this rank.
inline PetscInt local_size_of(Vec x) {
  PetscInt size = 0;
  check(VecGetLocalSize(x, &size));
  return size;
}

/// Returns this rank's indices; nothing for nullptr.
inline std::vector<PetscInt> indices_of(IS is) {
  if (!is) return {};
  PetscInt count = 0;
  const PetscInt* indices = nullptr;
  check(ISGetLocalSize(is, &count));
  check(ISGetIndices(is, &indices));
  std::vector<PetscInt> result(indices, indices + count);
  check(ISRestoreIndices(is, &indices));
  return result;
}

/// Returns the global number of this rank's first entry.
inline PetscInt first_entry_of(Vec x) {
  PetscInt first = 0;
  check(VecGetOwnershipRange(x, &first, nullptr));
  return first;
}

/// Sets each entry to a function of its global number.
template <class Function>
void fill(Vec x, Function&& entry) {
  const PetscInt first = first_entry_of(x);
  const WriteView view(x);
  for (std::size_t i = 0; i < view.size(); ++i) view[i] = entry(first + static_cast<PetscInt>(i));
}

/// Returns a norm. Collective.
inline PetscReal norm(Vec x, NormType type = NORM_2) {
  PetscReal value = 0;
  check(VecNorm(x, type, &value));
  return value;
}

/// Returns x . y. Collective.
inline PetscScalar dot(Vec x, Vec y) {
  PetscScalar value = 0;
  check(VecDot(x, y, &value));
  return value;
}

inline KSP ksp_of(SNES snes) {
  KSP ksp = nullptr;
  check(SNESGetKSP(snes, &ksp));
  return ksp;
}

inline SNESLineSearch line_search_of(SNES snes) {
  SNESLineSearch search = nullptr;
  check(SNESGetLineSearch(snes, &search));
  return search;
}

/// Returns the present iterate, or the solution of the last solve.
inline Vec solution_of(SNES snes) {
  Vec x = nullptr;
  check(SNESGetSolution(snes, &x));
  return x;
}

/// Returns the step of the last iteration.
inline Vec update_of(SNES snes) {
  Vec y = nullptr;
  check(SNESGetSolutionUpdate(snes, &y));
  return y;
}

inline PC pc_of(KSP ksp) {
  PC pc = nullptr;
  check(KSPGetPC(ksp, &pc));
  return pc;
}

/// Returns the reason why the last solve ended.
inline KSPConvergedReason reason_of(KSP ksp) {
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  check(KSPGetConvergedReason(ksp, &reason));
  return reason;
}

inline SNESLineSearchReason reason_of(SNESLineSearch search) {
  SNESLineSearchReason reason = SNES_LINESEARCH_SUCCEEDED;
  check(SNESLineSearchGetReason(search, &reason));
  return reason;
}

/// Returns the relative tolerance.
inline PetscReal rtol_of(KSP ksp) {
  PetscReal rtol = 0;
  check(KSPGetTolerances(ksp, &rtol, nullptr, nullptr, nullptr));
  return rtol;
}
inline PetscReal rtol_of(SNES snes) {
  PetscReal rtol = 0;
  check(SNESGetTolerances(snes, nullptr, &rtol, nullptr, nullptr, nullptr));
  return rtol;
}

}  // namespace gearshift::petsc
