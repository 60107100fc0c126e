#pragma once

/// @file
/// The function by which the kernels of an Operator run.

#include <gearshift/petsc/views.hpp>

#include "solid/operator/operator.hpp"

#include <optional>

namespace gearshift::solid {

/// Calls CellLoop::run() on the arrays of Vecs, any of which may be null. Collective.
template <std::size_t Inputs, class Kernel>
void run_cells(const Operator& op, const std::array<Vec, Inputs>& inputs, Vec out, Kernel&& kernel) {
  std::array<std::optional<petsc::ReadView>, Inputs> views;
  std::array<std::optional<const double*>, Inputs> from;
  for (std::size_t i = 0; i < Inputs; ++i)
    if (inputs[i]) from[i] = views[i].emplace(inputs[i]).span().data();
  std::optional<petsc::WriteView> result;
  std::optional<double*> to;
  if (out) to = result.emplace(out).span().data();
  op.loop().run<Inputs>(from, to, Ghosts::exchanged, kernel);
}

}  // namespace gearshift::solid
