#pragma once

/// @file
/// Functions and types that differ between the releases of PETSc from 3.18 on, each under one name. A type that has
/// changed is deduced from the declaration that uses it. Changes within TS are in ts/versions.hpp.

#include <gearshift/petsc/handle.hpp>

#include <petscdm.h>
#include <petscpartitioner.h>
#include <petscsf.h>
#include <petscsnes.h>

#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>

namespace gearshift::petsc {

template <class... Arguments>
std::tuple<Arguments...> arguments_of(PetscErrorCode (*)(Arguments...));
/// The type of argument `i` of a PETSc function.
template <auto function, std::size_t i>
using Argument = std::tuple_element_t<i, decltype(arguments_of(function))>;

/// Type for numbers of ranks: PetscMPIInt from 3.22 on.
using RankCount = std::remove_pointer_t<Argument<&PetscSFGetRootRanks, 1>>;

/// The function that frees the context of a KSP's convergence test: its argument is a void** in some releases.
using DestroyKspTest = Argument<&KSPSetConvergenceTest, 3>;

/// The variables that PetscOptionsBegin() declares.
#if PETSC_VERSION_LT(3, 23, 0)
using OptionItems = PetscOptionItems*;
#else
using OptionItems = PetscOptionItems;
#endif

/// Argument that means "no limit": any negative number before 3.22. From then on -1 selects the default.
#if PETSC_VERSION_LT(3, 22, 0)
constexpr int unlimited = -1;
#else
constexpr int unlimited = PETSC_UNLIMITED;
#endif

/// Returns the positions of a face's vertices after a rotation of the face.
inline const PetscInt* order_of_vertices(DMPolytopeType type, PetscInt orientation) {
#if PETSC_VERSION_LT(3, 21, 0)
  return DMPolytopeTypeGetVertexArrangment(type, orientation);
#else
  return DMPolytopeTypeGetVertexArrangement(type, orientation);
#endif
}

/// Partitions a graph without weights by PetscPartitionerPartition, which newer releases also give weights of edges.
template <class Function>
PetscErrorCode partition(Function function, PetscPartitioner partitioner, PetscInt parts, PetscInt vertices,
                         PetscInt* first, PetscInt* neighbours, PetscSection counts, IS* result) {
  if constexpr (std::is_invocable_v<Function, PetscPartitioner, PetscInt, PetscInt, PetscInt*, PetscInt*, PetscSection,
                                    PetscSection, PetscSection, IS*>)
    return function(partitioner, parts, vertices, first, neighbours, nullptr, nullptr, counts, result);
  else
    return function(partitioner, parts, vertices, first, neighbours, nullptr, nullptr, nullptr, counts, result);
}

/// Returns a user-defined line search for a SNES.
inline Handle<SNESLineSearch> shell_search(SNES snes, PetscErrorCode (*take_step)(SNESLineSearch, void*),
                                           void* context) {
  Handle<SNESLineSearch> search;
  check(SNESLineSearchCreate(PetscObjectComm(reinterpret_cast<PetscObject>(snes)), search.out()));
  check(SNESLineSearchSetSNES(search.get(), snes));
  check(SNESLineSearchSetFunction(search.get(), SNESComputeFunction));
  check(SNESLineSearchSetType(search.get(), SNESLINESEARCHSHELL));
#if PETSC_VERSION_LT(3, 21, 0)
  check(SNESLineSearchShellSetUserFunc(search.get(), take_step, context));
#else
  check(SNESLineSearchShellSetApply(search.get(), take_step, context));
#endif
  return search;
}

/// Makes the container own a C++ object and delete it at its own destruction.
template <class Object>
void own(PetscContainer container, std::unique_ptr<Object> object) {
  check(PetscContainerSetPointer(container, object.release()));
#if PETSC_VERSION_LT(3, 23, 0)
  check(PetscContainerSetUserDestroy(container, [](void* kept) {
    delete static_cast<Object*>(kept);
    return success;
  }));
#else
  check(PetscContainerSetCtxDestroy(container, [](auto kept) {  // a void**, declared as void* in 3.25
    delete static_cast<Object*>(*static_cast<void**>(kept));
    return success;
  }));
#endif
}

/// SNES reason for a residual that is not a number.
#if PETSC_VERSION_LT(3, 25, 0)
inline constexpr SNESConvergedReason diverged_nan = SNES_DIVERGED_FNORM_NAN;
#else
inline constexpr SNESConvergedReason diverged_nan = SNES_DIVERGED_FUNCTION_NANORINF;
#endif

/// Key of a TS's time step, without prefix.
inline constexpr const char* time_step_key = PETSC_VERSION_LT(3, 25, 0) ? "ts_dt" : "ts_time_step";

}  // namespace gearshift::petsc
