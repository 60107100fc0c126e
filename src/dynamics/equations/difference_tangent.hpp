#pragma once

#include <gearshift/dynamics/system.hpp>

namespace gearshift {

/// Computes out = (s.q R_q + s.v R_v + s.a R_a) in at x by the central difference
///
///     [R(t, q + e s.q in, v + e s.v in, a + e s.a in) - R(t, q - e s.q in, ...)] / (2 e)
///
/// The error is of order e^2; this leaves five decades for e between truncation and rounding. e is 1e-6 times the ratio
/// of the state's size to the direction's. These sizes are taken separately in each component of the block size and in
/// the unit of the direction (|v|, |q| s.v/s.q, |a| s.v/s.a), so that e scales with the units of the problem. Allocates
/// its work vectors.
void difference_tangent(System& system, const State& x, Shifts s, Vec in, Vec out);

/// Returns the step e of difference_tangent(). Collective.
PetscReal difference_step(const State& x, Shifts s, Vec direction);

/// Creates the default Linearization: it keeps the state and calls System::tangent().
std::unique_ptr<Linearization> make_tangent_linearization(System& system);

}  // namespace gearshift
