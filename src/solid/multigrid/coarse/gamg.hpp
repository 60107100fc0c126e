#pragma once

/// @file
/// PETSc's algebraic multigrid for elasticity.

#include <petscksp.h>

namespace gearshift::solid {

/// PCGAMG with defaults that suit elasticity; options come later and take precedence.
void prefer_gamg(PC pc);

/// Rebuilds a PCGAMG for its current operators, with its options, and sets it up. Otherwise GAMG would keep its first
/// near-null space, prolongations and level sizes, and a preconditioner must not depend on what was built before; nor
/// may its bits depend on the order in which messages arrive. Other PCs stay as they are.
/// @param smoothing steps on its levels unless an option sets them; 0: PETSc's default. Collective.
void rebuild_gamg(PC pc, PetscInt smoothing = 0);

/// Defaults for the solver of the degree-1 level or of what is below it: one cycle of PCGAMG, to be used with
/// rebuild_gamg() and coarse_smoothing.
void prefer_coarse_solver(KSP ksp);

/// One more than PETSc's two steps: the degree-1 level is cheap beside the others.
constexpr PetscInt coarse_smoothing = 3;

}  // namespace gearshift::solid
