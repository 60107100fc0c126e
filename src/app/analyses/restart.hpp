#pragma once

/// @file
/// Prepares checkpoints of a run, before its stepper reads or writes them.

#include <gearshift/dynamics/stepper_options.hpp>

#include "app/case/case.hpp"

namespace gearshift::app {

/// Creates the folder of the checkpoints if it is the folder of results or lies below it. Collective. Throws IoError.
void prepare_folder_of_checkpoint(MPI_Comm comm, const Case& given);

/// Returns true if the run continues from a checkpoint. Throws OptionError if the analysis has no steps, and IoError if
/// the checkpoint numbers the unknowns differently. Collective.
bool resumes(const Case& given, const solid::Body& body, const StepperOptions& options);

}  // namespace gearshift::app
