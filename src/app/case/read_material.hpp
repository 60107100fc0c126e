#pragma once

/// @file
/// What the body of a case is made of.

#include <gearshift/petsc/options.hpp>

#include "app/case/case.hpp"

#include <string>
#include <vector>

namespace gearshift::app {

/// Reads the material of the body and those of its regions, and notes in `given` the parameters that none of their laws
/// uses. Throws OptionError, and IoError if a file of a field cannot be read. Collective.
void read_material(MPI_Comm comm, petsc::Options& options, const std::vector<std::string>& regions, Case& given);

}  // namespace gearshift::app
