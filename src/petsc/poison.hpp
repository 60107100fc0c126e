#pragma once

#include <gearshift/petsc/views.hpp>

#include <algorithm>
#include <limits>

namespace gearshift::petsc {

/// Not-a-number in this rank's entries: the next norm tells all ranks.
inline void poison(Vec vec) {
  if (!vec) return;
  const WriteView view(vec);
  std::fill(view.begin(), view.end(), std::numeric_limits<PetscScalar>::quiet_NaN());
}

}  // namespace gearshift::petsc
