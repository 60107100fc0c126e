#pragma once

/// @file
/// Options of the results of a run.

#include <gearshift/petsc/options.hpp>

#include "app/case/case.hpp"

namespace gearshift::app {

/// Reads the folder, the contents and the times of the results. Throws OptionError.
void read_results(petsc::Options& options, const Names& names, Case& given);

}  // namespace gearshift::app
