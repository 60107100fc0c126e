#pragma once

/// @file
/// PETSc's algebraic multigrid for elasticity.

#include <petscksp.h>

namespace gearshift::solid {

/// PCGAMG with defaults that suit elasticity; options come later and win.
void prefer_gamg(PC pc);

/// Makes a PCGAMG anew for its present operators, with its options, and sets it up. GAMG would keep its first near-null
/// space, prolongations and level sizes otherwise, and a preconditioner must not depend on what was built before; nor may
/// its bits depend on the order in which messages arrive. Other PCs stay as they are.
/// @param smoothing steps on its levels where no option says; 0: PETSc's. Collective.
void rebuild_gamg(PC pc, PetscInt smoothing = 0);

/// Defaults of a solver of the degree-1 level or of what is below it: one cycle of PCGAMG, for rebuild_gamg() with
/// coarse_smoothing.
void prefer_coarse_solver(KSP ksp);

/// One more than PETSc's two steps: the degree-1 level is cheap beside the others.
constexpr PetscInt coarse_smoothing = 3;

}  // namespace gearshift::solid
