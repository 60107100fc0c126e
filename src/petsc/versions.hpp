#pragma once

/// @file
/// Functions and types that differ between the releases of PETSc from 3.18 on, under one name each. A type that changed
/// is taken from the declaration that uses it. What changed within TS is in ts/versions.hpp.

#include <gearshift/petsc/error.hpp>

#include <petscdm.h>
#include <petscsf.h>
#include <petscsnes.h>

#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>

namespace gearshift::petsc {

template <class... Arguments>
std::tuple<Arguments...> arguments_of(PetscErrorCode (*)(Arguments...));
/// The type of the argument `i` of a function of PETSc's.
template <auto function, std::size_t i>
using Argument = std::tuple_element_t<i, decltype(arguments_of(function))>;

/// Numbers of ranks: PetscMPIInt from 3.22 on.
using RankCount = std::remove_pointer_t<Argument<&PetscSFGetRootRanks, 1>>;

/// The function that frees the context of a KSP's convergence test: its argument is a void** in some releases.
using DestroyKspTest = Argument<&KSPSetConvergenceTest, 3>;

/// The variables that PetscOptionsBegin() declares.
#if PETSC_VERSION_LT(3, 23, 0)
using OptionItems = PetscOptionItems*;
#else
using OptionItems = PetscOptionItems;
#endif

/// No limit, as an argument: any negative number before 3.22. From then on -1 asks for the default.
#if PETSC_VERSION_LT(3, 22, 0)
constexpr int unlimited = -1;
#else
constexpr int unlimited = PETSC_UNLIMITED;
#endif

/// The positions of a face's vertices after it was turned.
inline const PetscInt* order_of_vertices(DMPolytopeType type, PetscInt orientation) {
#if PETSC_VERSION_LT(3, 21, 0)
  return DMPolytopeTypeGetVertexArrangment(type, orientation);
#else
  return DMPolytopeTypeGetVertexArrangement(type, orientation);
#endif
}

/// Makes `search` a line search of our own.
inline void use_shell_search(SNESLineSearch search, PetscErrorCode (*take_step)(SNESLineSearch, void*), void* context) {
  check(SNESLineSearchSetType(search, SNESLINESEARCHSHELL));
#if PETSC_VERSION_LT(3, 21, 0)
  check(SNESLineSearchShellSetUserFunc(search, take_step, context));
#else
  check(SNESLineSearchShellSetApply(search, take_step, context));
#endif
}

/// A container that deletes its object of C++ in the end.
template <class Object>
void own(PetscContainer container, std::unique_ptr<Object> object) {
  check(PetscContainerSetPointer(container, object.release()));
#if PETSC_VERSION_LT(3, 23, 0)
  check(PetscContainerSetUserDestroy(container, [](void* kept) {
    delete static_cast<Object*>(kept);
    return success;
  }));
#else
  check(PetscContainerSetCtxDestroy(container, [](auto kept) {  // a void**, which 3.25 calls a void*
    delete static_cast<Object*>(*static_cast<void**>(kept));
    return success;
  }));
#endif
}

/// The residual is not a number.
#if PETSC_VERSION_LT(3, 25, 0)
inline constexpr SNESConvergedReason diverged_nan = SNES_DIVERGED_FNORM_NAN;
#else
inline constexpr SNESConvergedReason diverged_nan = SNES_DIVERGED_FUNCTION_NANORINF;
#endif

/// The key of a TS's time step, without prefix.
inline constexpr const char* time_step_key = PETSC_VERSION_LT(3, 25, 0) ? "ts_dt" : "ts_time_step";

}  // namespace gearshift::petsc
