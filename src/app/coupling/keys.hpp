#pragma once

/// @file
/// Options of a coupling.

#include <gearshift/petsc/options.hpp>

#include <string>
#include <vector>

namespace gearshift::app {

/// Options -precice_*. The names refer to preCICE's configuration file.
struct CouplingKeys {
  std::string configuration;  ///< the file; empty: not coupled
  std::string participant = "Solid", mesh = "Solid-Mesh", reads = "Force", writes = "Displacement";
  bool reads_tractions = false, writes_velocity = false;
  std::vector<std::string> faces;
  PetscInt samples = 3;  ///< minimum number of samples of the motion in a time window

  bool given() const { return !configuration.empty(); }
  /// Reads -precice and -precice_*. Throws OptionError.
  void read(petsc::Options& options);
};

}  // namespace gearshift::app
