#pragma once

/// @file
/// What a user should know of a case before it runs.

#include <gearshift/dynamics/stepper_options.hpp>
#include <gearshift/solid/body.hpp>

#include <petscsys.h>

namespace gearshift::app {

struct Case;

/// Warns once, on stderr, of cells that lock: those of degree 1 where volume is nearly or, in plastic flow, wholly kept;
/// of higher degree it is noted where volume is so nearly kept that the other formulation is the better one. Collective.
void warn_of_locking(const Case& given, const solid::Body& body, MPI_Comm comm);

/// Notes, on stderr, which pressures follow the deformed face and which do not, if all materials are linear: the former make
/// the problem nonlinear. Collective.
void note_pressures(const Case& given, const solid::Body& body, MPI_Comm comm);

/// Notes, on stderr, that modes about a relaxed equilibrium are those of instantaneous moduli. Collective.
void note_moduli_of_modes(const Case& given, const solid::Body& body, MPI_Comm comm);

/// Notes, on stderr, what a user may not expect of the steps to come: frames and ends of supports that lie after the end of the
/// run, keys without an effect, the order of steps where a material flows plastically, stiffness damping of a law whose
/// tangent jumps, and equilibria of bodies without a support. Collective.
void note_about_steps(const Case& given, const solid::Body& body, const StepperOptions& options, MPI_Comm comm);

}  // namespace gearshift::app
