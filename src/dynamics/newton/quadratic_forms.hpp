#pragma once

#include <gearshift/dynamics/linearization.hpp>
#include <gearshift/dynamics/system.hpp>

#include <array>

namespace gearshift {

/// R_q, R_v and R_a between two vectors: [i][j] = x_i' R x_j.
struct PlaneForms {
  using Form = std::array<std::array<PetscReal, 2>, 2>;
  Form q{}, v{}, a{};
};

/// (e'R_q e, e'R_v e, e'R_a e), each times its wanted factor; a factor of zero costs nothing. `work` is overwritten.
Shifts quadratic_forms(Linearization& tangent, Vec e, Shifts wanted, Vec work);

/// The same by central differences of R along e, with the state left as it was. `work` and `moved` are overwritten.
Shifts difference_forms(System& system, const State& at, Vec e, Shifts wanted, Vec work, Vec moved);

/// Six products; without R_a, where `with_a` does not want it, four. `work` is overwritten.
PlaneForms plane_forms(Linearization& tangent, std::array<Vec, 2> plane, bool with_a, Vec work);

/// The same by central differences of R.
PlaneForms difference_plane_forms(System& system, const State& at, std::array<Vec, 2> plane, bool with_a, Vec work,
                                  Vec moved);

}  // namespace gearshift
