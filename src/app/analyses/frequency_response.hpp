#pragma once

/// @file
/// Response to loads that vary as a sine, as a file.

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/solid/modes.hpp>

#include "app/case/case.hpp"

#include <filesystem>

namespace gearshift::app {

/// Writes frequency_response.csv: for each of given.frequency_response's frequencies the amplitude [length] and the phase [degrees, negative
/// where it lags] of the displacement of each probe, under the loads at the stepper's time as amplitudes, and under the
/// motion of supports where the modes are not those about an equilibrium. A note on stderr where the modes end below the
/// frequencies. Collective. Throws Error, OptionError, IoError.
void write_frequency_response(const Case& given, solid::Body& body, const Stepper& stepper, const solid::Modes& modes,
                              const std::filesystem::path& folder);

}  // namespace gearshift::app
