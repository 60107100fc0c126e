#pragma once

#include <gearshift/petsc/views.hpp>

#include <algorithm>
#include <limits>

namespace gearshift::petsc {

/// Not-a-number in this rank's entries where `bad`: the next norm tells all ranks. To be called on every rank alike: a
/// Vec keeps its norm until it is written to, and ranks that kept one would not take part in the next.
inline void poison_where(bool bad, Vec vec) {
  if (!vec) return;
  const WriteView view(vec);
  if (bad) std::fill(view.begin(), view.end(), std::numeric_limits<PetscScalar>::quiet_NaN());
}

}  // namespace gearshift::petsc
