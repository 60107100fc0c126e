#pragma once

/// @file
/// What acts on the body of a case.

#include <gearshift/petsc/options.hpp>

#include "app/case/case.hpp"

#include <string>
#include <vector>

namespace gearshift::app {

/// Read what acts on the body, and on these faces of it, and the state at the start; what acts normal and tangential to
/// faces. Throw OptionError.
void read_loads(petsc::Options& options, const std::vector<std::string>& faces, Case& given);
/// The motion of a face, curve or point.
void read_motion(petsc::Options& options, const std::string& name, Case& given);
void read_surfaces(petsc::Options& options, const std::vector<std::string>& faces, Case& given);

/// Reads forces and masses at probes, which are known already. Throws OptionError.
void read_point_loads(petsc::Options& options, const std::vector<std::string>& faces, Case& given);

}  // namespace gearshift::app
