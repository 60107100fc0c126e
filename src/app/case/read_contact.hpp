#pragma once

/// @file
/// Options of contacts.

#include <gearshift/petsc/options.hpp>

#include "app/case/case.hpp"

#include <string>
#include <vector>

namespace gearshift::app {

/// Reads the contacts of these faces; tables, the kind of the analysis and the initial velocity must have been read
/// before. Throws OptionError.
void read_contacts(MPI_Comm comm, petsc::Options& options, const std::vector<std::string>& faces, Case& given);

/// Throws OptionError for fields of contacts if there is no contact.
void refuse_fields_without_contact(const ResultSettings& given);

}  // namespace gearshift::app
