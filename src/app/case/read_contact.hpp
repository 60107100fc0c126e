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
void refuse_fields_without_contact(const Case& given);

/// Adds the contacts to the body. If a slip speed is not given, it is a hundredth of the largest initial velocity or
/// velocity of an obstacle; Body chooses it if both are zero. Collective.
void add_contacts(const Case& given, solid::Body& body);

}  // namespace gearshift::app
