#pragma once

/// @file
/// How Body::footprint() counts.

#include <gearshift/solid/body.hpp>
#include <gearshift/solid/footprint.hpp>

#include "solid/material/material_table.hpp"

namespace gearshift::solid {

/// @param chosen the solver, not `automatic`
Footprint estimate_footprint(const Mesh& mesh, const Space& space, const MaterialTable& material, Solver chosen,
                             const KernelOptions& kernels);

}  // namespace gearshift::solid
