#pragma once

/// @file
/// The functions of one variable, and comparisons.

#include "expression/program.hpp"

namespace gearshift::expression {

/// f, f' and f'' of a function of one variable.
struct Derivatives {
  PetscReal f, f1, f2;
};

/// Of the function `op` at a.
Derivatives differentiate(Op op, PetscReal a);

/// Whether the comparison or the logical operation `op` holds.
bool compare(Op op, PetscReal a, PetscReal b);

}  // namespace gearshift::expression
