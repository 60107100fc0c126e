#pragma once

/// @file
/// The unknowns in which a body's equations are discretised.

#include <gearshift/export.hpp>

namespace gearshift::solid {

/// - displacement: only displacements; for nu <= 0.45 or so, and for higher nu on fine meshes of degree >= 2.
/// - mixed: displacements and, in each cell, pressures that are statically condensed; for nearly incompressible bodies,
///   which then neither lock nor cost more as nu approaches 0.5. The law's U(J) = lambda/2 (ln J)^2 becomes
///   U(1 + pi(J - 1)), and lambda/2 (tr e)^2 of linear_elastic becomes lambda/2 pi(tr e)^2. The projection pi maps onto
///   polynomials, discontinuous between cells, of degree p - 1 on hexahedra (of degree p >= 1), of degree p - 2 on
///   tetrahedra (p >= 2), and onto constants on wedges.
///
/// Laws without such a term (st_venant_kirchhoff, registered laws) have no mixed formulation. (J. Simo, R. Taylor, K.
/// Pister, Comput. Methods Appl. Mech. Engrg. 51, 1985.)
enum class Formulation { displacement, mixed };

}  // namespace gearshift::solid
