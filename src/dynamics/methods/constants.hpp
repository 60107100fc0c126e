#pragma once

/// @file
/// Constants of the methods.

#include <petscsys.h>

namespace gearshift::methods {

// BdfMethod
inline constexpr PetscReal probe = 1e-4;  ///< the trial steps of probe_slope(), relative to the step that follows

// DenseOutput
inline constexpr PetscInt steps_between_looks = 10;
inline constexpr PetscInt iterations_between_looks = 100;  ///< of Newton and Krylov: a look costs one residual
/// Multiple of the residual left by the prediction of the step. For a smooth motion the residual in the middle is
/// smaller than that of the prediction; if fast modes or the error of the solver dominate both, it is up to twenty
/// times as large.
inline constexpr PetscReal unseen = 100;

// SdirkMethod
inline constexpr PetscReal truncation_share = 5e-4;  ///< allowed in each stage, relative to the local error of the step

}  // namespace gearshift::methods
