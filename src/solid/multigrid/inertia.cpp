#include "solid/multigrid/inertia.hpp"

#include "petsc/queries.hpp"
#include "solid/material/registered_laws.hpp"

#include <algorithm>
#include <limits>

namespace gearshift::solid {

bool Inertia::dominates(Shifts s, double fraction) {
  if (!(s.a > 0)) return false;
  if (highest_ < 0) highest_ = highest_frequency_squared();
  return s.a > fraction * highest_ * s.q;
}

double Inertia::highest_frequency_squared() const {
  double result = 0;
  for (PetscInt cell = 0; cell < space_.cells(); ++cell) {
    const auto nodes = space_.cell_nodes(cell);
    double least = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        double distance = 0;
        for (std::size_t c = 0; c < 3; ++c) {
          const double part = space_.coordinates()[static_cast<std::size_t>(nodes[i])][c] -
                              space_.coordinates()[static_cast<std::size_t>(nodes[j])][c];
          distance += part * part;
        }
        least = std::min(least, distance);
      }
    const auto stiff = relaxed_lame(material_[cell]);
    result = std::max(result, (stiff.lambda + 2 * stiff.mu) / (material_[cell].rho * least));
  }
  return petsc::reduced(space_.comm(), MPI_MAX, result);
}

}  // namespace gearshift::solid
