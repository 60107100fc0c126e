#pragma once

#include <gearshift/dynamics/system.hpp>

namespace gearshift {

/// Creates the System with Rayleigh damping added, R + r_m M v + r_k K(q) v with M = R_a and K(q) = R_q at (t, q, 0, 0)
/// with internal variables fixed at zero, and with its complete tangent: r_m M + r_k K(q) in v, and r_k R_qq[v, .] in
/// q. The latter comes from the System's own Linearization::apply_stiffness_derivative() or else, since R_qq[dq, v] =
/// R_qq[v, dq], from the central difference of two stiffness products at q +- e v, which keeps it symmetric. The base
/// must outlive the new System.
std::unique_ptr<System> add_rayleigh_damping(System& base, Vec layout, PetscReal mass, PetscReal stiffness);

}  // namespace gearshift
