#pragma once

/// @file
/// The way of a free body to its first contact.

#include <gearshift/petsc/handle.hpp>

#include "app/analyses/analysis.hpp"

namespace gearshift::app {

/// Returns the displacement q moved to the first contact along the sum of the loads at time t, for load steps of an
/// undeformed body with contacts: before that the loads find no resistance. Components in which some node is supported
/// are left out. Returns nullptr if the body touches an obstacle already, nothing loads it in a free direction, or no
/// obstacle is in the way. Collective.
petsc::Handle<Vec> approach(const Run& run, PetscReal t);

}  // namespace gearshift::app
