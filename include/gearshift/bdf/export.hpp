#pragma once

/// @file
/// Visibility of the bdf layer, which stands alone and includes no other header of gearshift or PETSc.

/// Marks what a user may call when everything else in the shared library is hidden. petsc/error.hpp has the same line.
#define GEARSHIFT_EXPORT __attribute__((visibility("default")))
