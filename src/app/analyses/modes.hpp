#pragma once

/// @file
/// Natural frequencies as files.

#include "app/analyses/analysis.hpp"

namespace gearshift::app {

/// Finds the modes that the case asks for about the stepper's state (solid::Modes), prints them and writes modes.csv (mode,
/// frequency, effective masses) and a series of frames, modes/<number>: the shapes, the largest displacement a tenth of the
/// body's size, mode numbers as times; and the response to harmonic loads, where that is wanted. Collective. Throws Error,
/// OptionError, IoError.
void find_modes(const Run& run);

/// Natural frequencies and shapes of the undeformed body.
class NaturalModes : public Analysis {
 public:
  using Analysis::Analysis;
  void begin() override;
  Outcome carry_out() override;
};

}  // namespace gearshift::app
