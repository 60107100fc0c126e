#pragma once

/// @file
/// Writes natural frequencies and mode shapes to files.

#include "app/analyses/analysis.hpp"

#include <string>

namespace gearshift::app {

/// Computes the requested modes about the stepper's state (solid::Modes) and prints them. Writes modes.csv (mode,
/// frequency, effective modal masses) and a series of frames, modes/<number>, with the mode shapes, scaled to a largest
/// displacement of a tenth of the body's size, and mode numbers as times; and the response to harmonic loads if it is
/// requested. Returns a warning if modes may be missing, else an empty string. Collective. Throws Error, OptionError,
/// IoError.
std::string find_modes(const Run& run);

/// Natural frequencies and shapes of the undeformed body.
class NaturalModes : public Analysis {
 public:
  using Analysis::Analysis;
  void begin() override;
  Outcome carry_out() override;
};

}  // namespace gearshift::app
