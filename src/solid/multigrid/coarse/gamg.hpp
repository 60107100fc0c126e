#pragma once

/// @file
/// PETSc's algebraic multigrid for elasticity.

#include <petscksp.h>

namespace gearshift::solid {

/// Sets defaults of PCGAMG that suit elasticity; options are read later and take precedence.
void prefer_gamg(PC pc);

/// Rebuilds a PCGAMG for its current operators, with its options, and sets it up. Otherwise GAMG would keep its first
/// near-null space, prolongations and level sizes, but a preconditioner must not depend on earlier set-ups; and its
/// bits must not depend on the order in which messages arrive. PCs of other types are not changed.
/// @param smoothing the number of steps on its levels unless an option sets it; 0: PETSc's default. Collective.
void rebuild_gamg(PC pc, PetscInt smoothing = 0);

/// Sets the defaults for the solver of the degree-1 level or of the level below it: one cycle of PCGAMG, to be used
/// with rebuild_gamg() and multigrid::coarse_smoothing.
void prefer_coarse_solver(KSP ksp);

}  // namespace gearshift::solid
