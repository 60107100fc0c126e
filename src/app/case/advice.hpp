#pragma once

/// @file
/// Notes and warnings about a case, printed before it runs.

#include <gearshift/dynamics/stepper_options.hpp>
#include <gearshift/solid/body.hpp>

#include <petscsys.h>

namespace gearshift::app {

struct Case;

/// Warns once, on stderr, about volumetric locking: cells of degree 1 lock if the material is nearly incompressible or
/// flows plastically at constant volume. For cells of higher degree, and for mixed cells of degree 1, it prints a note
/// if the material is so nearly incompressible that another formulation or degree is better. Collective.
void warn_of_locking(const Case& given, const solid::Body& body, MPI_Comm comm);

/// Prints a note, on stderr, on which pressures follow the deformed face and which do not, if all materials are linear:
/// following pressures make the problem nonlinear. Collective.
void note_pressures(const Case& given, const solid::Body& body, MPI_Comm comm);

/// Prints a note, on stderr, if modes about a relaxed equilibrium are computed with instantaneous moduli. Collective.
void note_moduli_of_modes(const Case& given, const solid::Body& body, MPI_Comm comm);

/// Prints a note, on stderr, on what modes take contacts for.
void note_modes_of_contacts(const Case& given, MPI_Comm comm);

/// Prints notes, on stderr, on possible surprises in the time or load steps: frames and support removals after
/// the end of the run, options without effect, the order of steps if a material flows plastically, stiffness damping
/// with a law whose tangent jumps, and equilibria of bodies without a support. Collective.
void note_about_steps(const Case& given, const solid::Body& body, const StepperOptions& options, MPI_Comm comm);

}  // namespace gearshift::app
