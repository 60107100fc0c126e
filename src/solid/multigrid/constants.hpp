#pragma once

/// @file
/// Constants of multigrid cycles and of their coarse levels. Where no other source is given, values were chosen with
/// tests/bench/solve and tests/solid; tests/bench/solve/README.md has the effect of half and twice a value.

#include <petscsys.h>

#include <cstddef>

namespace gearshift::solid::multigrid {

// CycleOptions
inline constexpr double many_cells = 0.1;  ///< fraction of stretched cells above which the cycle is adapted to them
/// Ratios of edges above which cells count as stretched. At degree 1, lines and planes of nodes across the short edges
/// are aggregated separately above the first ratio. Higher degrees, where their own smoothing is the first limit, gain
/// from it above the second one. Above the last one they gain from aggregates of the nodes of the highest degree. These
/// are expensive, and below the last ratio degree 1 corrects higher degrees well enough.
inline constexpr double stretched_cells = 2.5, very_stretched = 6, needles = 11;

// Smoother
inline constexpr int max_steps_alone = 16;  ///< steps of a smoother without coarser levels
/// A fall of the residual by this factor, in a few steps if inertia dominates, proves that the spectrum is known.
inline constexpr double enough_alone = 0.01;

// ShellMultigrid
/// Factor that enlarges the aggregates' correction: rigid aggregates are stiffer than the nodes that they represent.
/// (Overcorrection: Braess, Computing 55, 1995.)
inline constexpr double overcorrection = 1.7;
inline constexpr double overcorrection_of_lines = 1.2;  ///< for lines and planes of nodes, whose motion is nearly rigid
/// Cycles used to estimate the interval of their iteration, twice as many near incompressibility: the upper end, which
/// matters, converges first.
inline constexpr PetscInt cycle_estimate_steps = 5;
/// Largest difference of a residual's exponent from the one by which it was scaled. Float covers 2^-126 to 2^127.
inline constexpr int most_misscaled = 20;
/// Largest lambda / mu used for the aggregates. Where rigid aggregates separate, the volume changes, which nearly
/// incompressible bodies resist, so that P' A P would be far stiffer than the tangent that it approximates. Half and twice
/// this value took the same number of iterations at nu = 0.49.
inline constexpr double most_in_bulk = 8;

// MixedSolver
inline constexpr PetscInt max_inner_iterations = 600;
/// Fraction of the residual that the inner iterations may leave. If they leave more, as near a limit point, the outer
/// method would hardly make progress: the solve has failed, and a smaller step costs less than thousands of iterations.
inline constexpr PetscReal max_residual_left = 0.1;

// Unlike materials
/// Ratios of shear moduli above which materials count as unlike (half and twice this value take about the same number of
/// iterations), and above which the cycle visits aggregates more often.
inline constexpr double weak_contrast = 5, strong_contrast = 300;
inline constexpr PetscReal beside_soft = 0.01;  ///< over the contrast: part of a diagonal that keeps factors regular

// Aggregates
/// A part longer than this many times its width is halved even if it is small: the longer rigid aggregates are, the
/// more they resist bending.
inline constexpr double slender = 3.5;
inline constexpr double same_layer = 1e-3;  ///< points closer than this part of the extent along an axis are in a layer
inline constexpr double reach_of_nearest = 2.5;  ///< nodes are near up to this many times the distance of the nearest
/// A body counts as hinged if it has more than one hinge for every two aggregates: bodies whose cells are stiff at
/// random have about two per aggregate; layers, fibres and inclusions have none.
inline constexpr PetscInt many_hinges = 2;
/// At the end of a chain the pivot is only as stiff as the support of the chain. A pivot below this fraction of the
/// matrix block may be pure round-off.
inline constexpr double least_pivot = 1e-11;

// AggregateCycle
/// Unknowns up to which a direct solver replaces PCGAMG if materials are unlike or cells are stretched, and up to which
/// MUMPS replaces the cycle in bodies with hinges.
inline constexpr PetscInt max_direct_unknowns = 6000, max_multifrontal_unknowns = 45000;
inline constexpr std::size_t cluster_size = 8;  ///< aggregates per cluster
/// Up to this number of aggregates there are no clusters: communication would cost more than they save.
inline constexpr PetscInt few_aggregates = 64;
inline constexpr double overcorrection_of_clusters = 1.7;  ///< like the one for aggregates
/// Cycles that Chebyshev iteration combines if the body is thin or its contrast strong: clusters represent bending even
/// worse than aggregates.
inline constexpr PetscInt many_cycles = 3;
/// Cycles beyond a strong contrast if degree 1 is the only degree; with higher degrees, several cycles per cycle over
/// them do not help. An odd number is positive even beyond the interval.
inline constexpr PetscInt cycles_of_contrast = 5;
/// Cycles if lines or planes of nodes are aggregated separately: they bend like beams and plates, whose clusters are the
/// worst of all.
inline constexpr PetscInt cycles_of_lines = 8;
/// Steps that estimate the largest eigenvalue for unlike materials; the wide spectrum slows the estimate down.
inline constexpr PetscInt estimate_of_unlike = 30;
/// If strong couplings leave this many times the expected number of clusters, and too many for a direct solver, as in
/// large bodies of stiff parts with hinges, neighbours are clustered regardless of the strength of their coupling.
inline constexpr PetscInt too_many_clusters = 3;

// GAMG below degree 1
/// One step more than PETSc's two: the degree-1 level is cheap compared with the others.
inline constexpr PetscInt coarse_smoothing = 3;

}  // namespace gearshift::solid::multigrid
