#pragma once

/// @file
/// Writes the response to sinusoidal loads to a file.

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/solid/modes.hpp>

#include "app/case/case.hpp"

#include <filesystem>

namespace gearshift::app {

/// The amplitudes of sinusoidal loads and of prescribed motions of supports.
struct Excitation {
  petsc::Handle<Vec> forces, motion;
};

/// Returns the loads at the stepper's time and, unless the modes are those about an equilibrium, the prescribed motion
/// of supports. Collective. Throws OptionError if nothing excites the body.
Excitation find_excitation(const Case& given, solid::Body& body, const Stepper& stepper);

/// Writes frequency_response.csv: for each frequency of given.analysis.frequency_response the amplitude [length] and
/// the phase [degrees, negative if it lags] of the displacement of each probe. Prints a warning on stderr if the modes
/// do not cover the frequencies. Collective. Throws Error, OptionError, IoError.
void write_frequency_response(const Case& given, solid::Body& body, const Stepper& stepper, const solid::Modes& modes,
                              const Excitation& excitation, const std::filesystem::path& folder);

}  // namespace gearshift::app
