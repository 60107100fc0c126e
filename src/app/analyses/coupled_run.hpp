#pragma once

/// @file
/// A coupled run from its first window to its last.

#include "app/coupling/coupling.hpp"
#include "app/results/progress.hpp"
#include "app/results/results.hpp"

namespace gearshift::app {

/// Runs through the windows. Rows and frames are those of windows' ends, envelopes and steps.csv have every step of the
/// windows that were accepted. Collective.
Report run_coupled(Coupling& coupling, Stepper& stepper, Progress& progress, Results& results);

}  // namespace gearshift::app
