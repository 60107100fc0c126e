#pragma once

#include <gearshift/dynamics/system.hpp>

namespace gearshift {

/// out = (s.q R_q + s.v R_v + s.a R_a) in at x by the central difference
///
///     [R(t, q + e s.q in, v + e s.v in, a + e s.a in) - R(t, q - e s.q in, ...)] / (2 e)
///
/// whose error is of order e^2, which leaves five decades for e between truncation and rounding. e is 1e-6 of the state
/// per direction, where the size of the state is taken in each component of the block size apart and in the unit of the
/// direction (|v|, |q| s.v/s.q, |a| s.v/s.a): it scales with the units of the problem. Allocates its work vectors.
void difference_tangent(System& system, const State& x, Shifts s, Vec in, Vec out);

/// The step e of difference_tangent(). Collective.
PetscReal difference_step(const State& x, Shifts s, Vec direction);

/// The default Linearization: keeps the state and asks System::tangent().
std::unique_ptr<Linearization> make_tangent_linearization(System& system);

}  // namespace gearshift
