#pragma once

#include <gearshift/petsc/views.hpp>

#include <algorithm>
#include <limits>

namespace gearshift::petsc {

/// Sets this rank's entries to NaN if `bad`; the next norm shows it to all ranks. Must be called on every rank: a Vec
/// caches its norm until it is written to, and ranks with a cached norm would not take part in the next one.
inline void poison_where(bool bad, Vec vec) {
  if (!vec) return;
  const WriteView view(vec);
  if (bad) std::fill(view.begin(), view.end(), std::numeric_limits<PetscScalar>::quiet_NaN());
}

}  // namespace gearshift::petsc
