#pragma once

#include "problem.hpp"

namespace bench {

/// Compares the tangent products with central differences of the force, and the preconditioner's matrix with the
/// products, at a random state; prints relative differences and throws gearshift::Error if one is large.
void check_tangents(Problem& problem);

}  // namespace bench
