#pragma once

/// @file
/// Checkpoints of a run, before its stepper reads or writes them.

#include <gearshift/dynamics/stepper_options.hpp>

#include "app/case/case.hpp"

namespace gearshift::app {

/// A checkpoint may lie in the folder of results or below, which is made then. Collective. Throws IoError.
void prepare_folder_of_checkpoint(MPI_Comm comm, const Case& given);

/// Whether the run continues from a checkpoint. Throws OptionError where it has no steps, and IoError if the checkpoint
/// numbers the unknowns differently. Collective.
bool resumes(const Case& given, const solid::Body& body, const StepperOptions& options);

}  // namespace gearshift::app
