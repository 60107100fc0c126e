#pragma once

#include <gearshift/petsc/error.hpp>

#include <petscvec.h>

#include <algorithm>
#include <array>
#include <span>

namespace gearshift::petsc {

/// out = sum_i w_i x_i in one pass over the entries: each x is read once and out written once, where VecSet and VecMAXPY
/// write and read it again. out is none of the x. Not collective.
inline void combine(Vec out, std::span<const PetscScalar> w, std::span<const Vec> x) {
  constexpr std::size_t max_terms = 16;
  constexpr PetscInt block = 512;  // entries of out that stay in the cache from the first term to the last
  std::array<const PetscScalar*, max_terms> from{};
  PetscScalar* to = nullptr;
  PetscInt size = 0;
  const std::size_t terms = std::min(x.size(), max_terms);
  check(VecGetLocalSize(out, &size));
  for (std::size_t i = 0; i < terms; ++i) check(VecGetArrayRead(x[i], &from[i]));
  check(VecGetArrayWrite(out, &to));
  for (PetscInt begin = 0; begin < size; begin += block) {
    const PetscInt end = std::min(begin + block, size);
    for (PetscInt j = begin; j < end; ++j) to[j] = w[0] * from[0][j];
    for (std::size_t i = 1; i < terms; ++i)
      for (PetscInt j = begin; j < end; ++j) to[j] += w[i] * from[i][j];
  }
  check(VecRestoreArrayWrite(out, &to));
  for (std::size_t i = 0; i < terms; ++i) check(VecRestoreArrayRead(x[i], &from[i]));
}

}  // namespace gearshift::petsc
