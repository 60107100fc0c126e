#pragma once

#include <petscsys.h>

#include <cmath>

namespace gearshift {

/// Returns the entry `i` (global) of a vector that excites every mode.
inline PetscReal probe_vector(PetscInt i) { return std::sin(1 + 7 * static_cast<PetscReal>(i)); }

}  // namespace gearshift
