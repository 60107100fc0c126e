#pragma once

/// @file
/// Options of the materials of a case.

#include <gearshift/petsc/options.hpp>

#include "app/case/case.hpp"

#include <string>
#include <vector>

namespace gearshift::app {

/// Reads the material of the body and of its regions, and records in `given` the parameters that their laws do not use.
/// Throws OptionError, and IoError if the file of a field cannot be read. Collective.
void read_material(MPI_Comm comm, petsc::Options& options, const std::vector<std::string>& regions, Case& given);

}  // namespace gearshift::app
