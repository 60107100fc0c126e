#pragma once

/// @file
/// Results of a solve other than its solution: the power of its reactions, and bilinear forms of its tangent.

#include "dynamics/linear/quadratic_forms.hpp"

#include <array>

namespace gearshift {

class NewtonSolver;

/// Returns (e'R_q e, e'R_v e, e'R_a e), each times its wanted factor, over the free entries, with the last tangent; if
/// the tangent belongs to the host, by differences of R. A factor of zero costs nothing.
Shifts quadratic_forms(NewtonSolver& newton, Vec e, Shifts wanted);

/// Returns the forms of R_q, R_v and, if wanted, R_a between two vectors, with the same tangent; entries that are not
/// free must be zero in both vectors.
PlaneForms plane_forms(NewtonSolver& newton, std::array<Vec, 2> plane, bool with_a);

/// Returns the power of the reactions at the unknown x, whose velocity is v [W]. Costs one more residual if the
/// iteration skipped its last one, but none if no support moves. Collective.
PetscReal reaction_power(NewtonSolver& newton, Vec x, Vec v);

}  // namespace gearshift
