#pragma once

/// @file
/// Options of tables that formulas of a case may call.

#include <gearshift/expression/table.hpp>
#include <gearshift/petsc/options.hpp>

namespace gearshift::app {

/// Reads -table_<name> FILE, with -table_<name>_spline and -table_<name>_column, for every name that the user has
/// chosen, and adds the tables to `tables`. The names are found among the options that have not been read. Collective
/// on comm; throws OptionError and IoError on all ranks.
void read_tables(MPI_Comm comm, petsc::Options& options, expression::Tables& tables);

}  // namespace gearshift::app
