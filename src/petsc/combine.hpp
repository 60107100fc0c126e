#pragma once

#include "petsc/log.hpp"
#include "petsc/queries.hpp"

#include <petscvec.h>

#include <algorithm>
#include <array>
#include <span>

namespace gearshift::petsc {

/// sum_i w_i x_(first + i), stored in each Vec of `out` that is not nullptr.
struct Sum {
  std::array<Vec, 2> out;
  std::span<const PetscScalar> w;
  std::size_t first = 0;
};

/// Computes sums of the same vectors in one pass over the entries: each x is read once and each out is written once,
/// whereas VecSet and VecMAXPY write and read it again. No out may be one of the x. Not collective.
inline void combine(std::span<const Sum> sums, std::span<const Vec> x) {
  constexpr std::size_t max_terms = 16, max_sums = 2;
  constexpr PetscInt block = 512;  // entries of an out that stay in the cache for all terms
  std::array<const PetscScalar*, max_terms> from{};
  std::array<std::array<PetscScalar*, 2>, max_sums> to{};
  if (x.size() > max_terms || sums.size() > max_sums) throw Error("combine: too many vectors in one pass");
  const PetscInt size = local_size_of(x[0]);
  std::size_t vectors = x.size();
  for (std::size_t i = 0; i < x.size(); ++i) check(VecGetArrayRead(x[i], &from[i]));
  for (std::size_t s = 0; s < sums.size(); ++s)
    for (std::size_t copy = 0; copy < 2; ++copy) {
      if (!sums[s].out[copy]) continue;
      check(VecGetArrayWrite(sums[s].out[copy], &to[s][copy]));
      ++vectors;
    }
  {
    const ScopedSweep sweep(vectors);
    for (PetscInt begin = 0; begin < size; begin += block) {
      const PetscInt end = std::min(begin + block, size);
      for (std::size_t s = 0; s < sums.size(); ++s) {
        const std::span<const PetscScalar> w = sums[s].w;
        const PetscScalar* const* terms = from.data() + sums[s].first;
        PetscScalar* out = to[s][0];
        for (PetscInt j = begin; j < end; ++j) out[j] = w[0] * terms[0][j];
        for (std::size_t i = 1; i < w.size(); ++i)
          for (PetscInt j = begin; j < end; ++j) out[j] += w[i] * terms[i][j];
        if (sums[s].out[1]) std::copy(out + begin, out + end, to[s][1] + begin);
      }
    }
  }
  for (std::size_t s = 0; s < sums.size(); ++s)
    for (std::size_t copy = 0; copy < 2; ++copy)
      if (sums[s].out[copy]) check(VecRestoreArrayWrite(sums[s].out[copy], &to[s][copy]));  // even without entries
  for (std::size_t i = 0; i < x.size(); ++i) check(VecRestoreArrayRead(x[i], &from[i]));
}

/// Computes out = sum_i w_i x_i.
inline void combine(Vec out, std::span<const PetscScalar> w, std::span<const Vec> x) {
  const Sum sum{{out, nullptr}, w, 0};
  combine({&sum, 1}, x);
}

}  // namespace gearshift::petsc
