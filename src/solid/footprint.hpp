#pragma once

/// @file
/// How Body::footprint() counts.

#include <gearshift/solid/body.hpp>
#include <gearshift/solid/footprint.hpp>

#include "solid/material/material_table.hpp"
#include "solid/operator/term_sum.hpp"
#include "solid/solver_choice.hpp"

namespace gearshift::solid {

Footprint estimate_footprint(const Mesh& mesh, const Space& space, const MaterialTable& material, const TermSum& terms,
                             const SolverChoice& choice, const KernelOptions& kernels, Formulation formulation);

}  // namespace gearshift::solid
