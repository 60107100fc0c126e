#pragma once

/// @file
/// The functions by which the kernels of an Operator run.

#include <gearshift/petsc/views.hpp>

#include "solid/operator/operator.hpp"

#include <algorithm>
#include <optional>

namespace gearshift::solid {

/// Calls kernel(range) or, if there is a bulk, kernel(few) and add(cells, few) for a few batches at a time: both read
/// the same nodes, so that these stay in the cache.
template <class Kernel, class Add>
void run_with(const BulkPressure* bulk, BulkPressure::Part part, const Batches<double>& b, Range range, Kernel&& kernel,
              Add&& add) {
  if (!bulk) return kernel(range);
  constexpr int some = 8;
  const BulkCells& cells = bulk->cells(b.kind, part);
  for (int first = range.begin; first < range.end; first += some) {
    const Range few{first, std::min(first + some, range.end)};
    kernel(few);
    add(cells, few);
  }
}

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
