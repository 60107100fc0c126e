#pragma once

/// @file
/// Options of the loads on the body of a case.

#include <gearshift/petsc/options.hpp>

#include "app/case/case.hpp"

#include <string>
#include <vector>

namespace gearshift::app {

/// Reads three numbers; nullopt if the key is not given. Throws OptionError.
std::optional<solid::Vec3> read_numbers(petsc::Options& options, const std::string& key, const char* text);

/// Reads the loads on the body and on these faces, and the initial displacement and velocity. Throws OptionError.
void read_loads(petsc::Options& options, const std::vector<std::string>& faces, Case& given);
/// Reads the prescribed motion of a face, curve or point. Throws OptionError.
void read_motion(petsc::Options& options, const std::string& name, Case& given);
/// Reads pressures, gas, foundations, dashpots and masses on these faces. Throws OptionError.
void read_surfaces(petsc::Options& options, const std::vector<std::string>& faces, Case& given);

/// Reads forces and masses at probes; the probes must have been read before. Throws OptionError.
void read_point_loads(petsc::Options& options, const std::vector<std::string>& faces, Case& given);

}  // namespace gearshift::app
