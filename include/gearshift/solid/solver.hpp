#pragma once

/// @file
/// The choice of a body's preconditioner.

#include <gearshift/export.hpp>

namespace gearshift::solid {

/// The preconditioner of the tangent's linear systems.
///
/// - `automatic`: pmg; amg if a `-pc_type` of the options needs the entries of a matrix, and for degree 1 with any
///   `-pc_type`.
/// - `pmg`: a PCSHELL: multigrid over polynomial degrees p, p/2 (rounded up), ..., 1, matrix-free levels smoothed by
///   Chebyshev/Jacobi, in single precision (`-solid_levels float`, the default) or double. Below degree 1 it has rigid
///   aggregates of nodes, separate for unlike materials, and larger aggregates of these, down to a level solved by
///   PCGAMG or, for unlike materials, by a direct solver. If inertia dominates a level, there are no coarser ones. Its
///   keys are `-mg_levels_ksp_max_it`, `-mg_levels_ksp_chebyshev_esteig`, `-mg_levels_ksp_chebyshev_esteig_steps`,
///   `-mg_corner_cycles`, `-mg_inertia`, `-mg_groups_*` and `-mg_coarse_*`.
/// - `amg`: PCGAMG, or the type given by `-pc_type`, on the assembled tangent, whose memory grows with degree^3. Its
///   keys are `-pc_gamg_*`, `-mg_levels_*` and `-mg_coarse_*`.
/// - `jacobi`: PCJACOBI with the exact diagonal: negligible set-up cost, many iterations.
enum class Solver { automatic, pmg, amg, jacobi };

}  // namespace gearshift::solid
