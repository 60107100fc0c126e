#pragma once

/// @file
/// The counts behind Body::memory_estimate().

#include <gearshift/solid/body.hpp>
#include <gearshift/solid/memory_estimate.hpp>

#include "solid/body/solver_choice.hpp"
#include "solid/material/material_table.hpp"
#include "solid/operator/term/term_sum.hpp"

namespace gearshift::solid {

MemoryEstimate estimate_memory(const Mesh& mesh, const Space& space, const MaterialTable& material,
                               const TermSum& terms, const SolverChoice& choice, const KernelOptions& kernels,
                               Formulation formulation, int ranks);

}  // namespace gearshift::solid
