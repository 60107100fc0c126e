#pragma once

#include <gearshift/dynamics/linearization.hpp>
#include <gearshift/dynamics/system.hpp>

namespace gearshift {

/// (e'R_q e, e'R_v e, e'R_a e), each times its wanted factor; a factor of zero costs nothing. `work` is overwritten.
Shifts quadratic_forms(Linearization& tangent, Vec e, Shifts wanted, Vec work);

/// The same by central differences of R along e, with the state left as it was. `work` and `moved` are overwritten.
Shifts difference_forms(System& system, const State& at, Vec e, Shifts wanted, Vec work, Vec moved);

}  // namespace gearshift
