#pragma once

/// @file
/// How Body::footprint() counts.

#include <gearshift/solid/body.hpp>
#include <gearshift/solid/footprint.hpp>

#include <span>

namespace gearshift::solid {

/// @param laws of each cell of the rank
/// @param chosen the solver, not `automatic`
Footprint estimate_footprint(const Mesh& mesh, const Space& space, std::span<const Law> laws, Solver chosen,
                             const KernelOptions& kernels);

}  // namespace gearshift::solid
