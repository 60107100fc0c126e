#pragma once

#include <gearshift/dynamics/linearization.hpp>
#include <gearshift/dynamics/system.hpp>

#include <array>

namespace gearshift {

/// Bilinear forms of R_q, R_v and R_a between two vectors: [i][j] = x_i' R x_j.
struct PlaneForms {
  using Form = std::array<std::array<PetscReal, 2>, 2>;
  Form q{}, v{}, a{};
};

/// Returns (e'R_q e, e'R_v e, e'R_a e), each times its wanted factor; a factor of zero costs nothing. `work` is
/// overwritten.
Shifts quadratic_forms(Linearization& tangent, Vec e, Shifts wanted, Vec work);

/// Returns these forms by central differences of R along e; the state is unchanged. `work` and `moved` are overwritten.
Shifts difference_forms(System& system, const State& at, Vec e, Shifts wanted, Vec work, Vec moved);

/// Returns the forms of a plane. Costs six products, or four if `with_a` is false and R_a is not needed. `work` is
/// overwritten.
PlaneForms plane_forms(Linearization& tangent, std::array<Vec, 2> plane, bool with_a, Vec work);

/// Returns the forms of a plane by central differences of R.
PlaneForms difference_plane_forms(System& system, const State& at, std::array<Vec, 2> plane, bool with_a, Vec work,
                                  Vec moved);

}  // namespace gearshift
