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

/// Notes, on stderr, what the run will not see: the end of the motion and the release of supports in statics, load steps
/// without statics, supports that end after the run does. Collective.
void note_what_has_no_effect(const Case& given, const StepperOptions& options, MPI_Comm comm);

/// Notes, on stderr, that steps have order 2 at most where a material flows plastically. Collective.
void note_order_of_flow(const Case& given, const solid::Body& body, const StepperOptions& options, MPI_Comm comm);

/// Notes, on stderr, that stiffness damping of a law whose tangent jumps is a force that jumps. Collective.
void note_damping_that_jumps(const Case& given, const solid::Body& body, const StepperOptions& options, MPI_Comm comm);

/// Notes, on stderr, that a body without any support has no equilibrium unless its loads balance. Collective.
void note_free_statics(const Case& given, const solid::Body& body, MPI_Comm comm);

}  // namespace gearshift::app
