#pragma once

/// @file
/// Equilibria under growing loads.

#include <gearshift/dynamics/stepper.hpp>

#include "app/case.hpp"
#include "app/progress.hpp"
#include "app/residual_left.hpp"
#include "app/results.hpp"

#include <string>

namespace gearshift::app {

/// Of an equilibrium.
struct Stability {
  bool unstable = false;
  std::string remark = {};  ///< a warning, or nothing
};

/// Finds the equilibrium under the loads of t = 0 by equal load steps, each from where the LoadCurve leads. One at which Newton fails is halved, from the last
/// equilibrium on, and again, down to 2^-load_cutbacks of it; parts grow again where they fit. Collective. Throws Error, with the load step.
/// @param results receives each part as a load step of its own; nullptr: none
/// @param left looks at each of them
Stability solve_static(const Case& given, solid::Body& body, Stepper& stepper, Progress& progress, Results* results,
                       ResidualLeft& left);

}  // namespace gearshift::app
