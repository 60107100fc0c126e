#pragma once

/// @file
/// Natural frequencies as files.

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/io/frame_writer.hpp>
#include <gearshift/solid/modes.hpp>

#include <filesystem>

namespace gearshift::app {

/// Finds modes about the stepper's state (Modes: count, near), prints them and writes modes.csv (mode, frequency, effective masses)
/// and a series of frames, modes/<number>: the shapes, the largest displacement a tenth of the body's size, mode numbers as
/// times; returns them. Collective. Throws Error, OptionError, IoError.
solid::Modes write_modes(solid::Body& body, const Stepper& stepper, PetscInt count, PetscReal near,
                         const std::filesystem::path& folder, io::FrameFormat format);

}  // namespace gearshift::app
