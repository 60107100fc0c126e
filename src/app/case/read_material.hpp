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

/// Returns what needs the mass density in this case: a key or an analysis; empty in statics without forces per mass.
std::string density_needed_by(const Case& given);

/// Returns a material with a density. Throws OptionError if none is given, but `needed_by` something.
/// @param region its name; empty: the whole body
solid::Material with_density(solid::Material material, const std::string& needed_by, const std::string& region);

}  // namespace gearshift::app
