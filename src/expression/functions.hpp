#pragma once

/// @file
/// Functions of one variable, and comparisons.

#include "expression/program.hpp"

namespace gearshift::expression {

/// The values f, f' and f'' of a function of one variable.
struct Derivatives {
  PetscReal f, f1, f2;
};

/// Returns the value and the derivatives of the function `op` at a.
Derivatives differentiate(Op op, PetscReal a);

/// Returns true if the comparison or logical operation `op` is true.
bool compare(Op op, PetscReal a, PetscReal b);

}  // namespace gearshift::expression
