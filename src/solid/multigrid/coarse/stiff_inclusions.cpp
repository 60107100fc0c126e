#include "solid/multigrid/coarse/stiff_inclusions.hpp"

#include "petsc/queries.hpp"
#include "solid/material/registered_laws.hpp"
#include "solid/multigrid/constants.hpp"
#include "solid/numerics/sets.hpp"
#include "solid/space/cells_of_nodes.hpp"
#include "solid/space/combine_over_ranks.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace gearshift::solid {

using petsc::check;

namespace {

constexpr double comparable = 1 / multigrid::weak_contrast;
constexpr PetscInt nobody = -1;

bool alike(double mu, double other) { return std::min(mu, other) >= comparable * std::max(mu, other); }

}  // namespace

bool holds_together(double between, double at_a, double at_b) {
  return between * between >= comparable * comparable * at_a * at_b;
}

double contrast_of(MPI_Comm comm, const MaterialTable& material) {
  std::array<double, 2> most{-std::numeric_limits<double>::max(), -std::numeric_limits<double>::max()};
  for (const Material& own : material.all()) {
    const double mu = relaxed_lame(own).mu;
    most = {std::max(most[0], mu), std::max(most[1], -mu)};
  }
  check(MPI_Allreduce(MPI_IN_PLACE, most.data(), 2, MPI_DOUBLE, MPI_MAX, comm));
  return -most[0] / most[1];
}

StiffInclusions::StiffInclusions(const Space& corners, const MaterialTable& material)
    : space_(corners),
      contrast_(contrast_of(corners.comm(), material)),
      material_(material),
      cells_(index(corners.cells())),
      nodes_(index(corners.local_nodes())) {
  if (!unlike()) return;
  first_ = petsc::sum_before(corners.comm(), corners.cells());
  join_cells();
  label_nodes();
}

double StiffInclusions::modulus(PetscInt cell) const { return relaxed_lame(material_[cell]).mu; }

void StiffInclusions::join_cells() {
  const CellsOfNodes around(space_);
  const int face = space_.degree() + 2;  // one node more than an edge has
  Sets<PetscInt> parts(cells_.size());
  std::vector<int> shared(cells_.size());  // the number of nodes that another cell shares with the cell
  const auto for_each_earlier = [&](PetscInt cell, auto&& use) {
    for (const PetscInt node : space_.cell_nodes(cell))
      for (const PetscInt other : around.of(node))
        if (other < cell) use(other);
  };
  for (PetscInt cell = 0; cell < space_.cells(); ++cell) {
    const double mu = modulus(cell);
    for_each_earlier(cell, [&](PetscInt other) {
      if (++shared[index(other)] != face) return;
      const double beyond = modulus(other);
      if (alike(mu, beyond)) parts.join(cell, other);
    });
    for_each_earlier(cell, [&](PetscInt other) { shared[index(other)] = 0; });
  }
  for (PetscInt cell = 0; cell < space_.cells(); ++cell) cells_[index(cell)] = first_ + parts.find(cell);
}

void StiffInclusions::label_nodes() {
  const std::size_t owned = index(space_.owned_nodes());
  stiffest_.resize(nodes_.size());
  std::vector<PetscInt> size(cells_.size());
  for (PetscInt cell = 0; cell < space_.cells(); ++cell) {
    ++size[index(cells_[index(cell)] - first_)];
    for (const PetscInt node : space_.cell_nodes(cell))
      stiffest_[index(node)] = std::max(stiffest_[index(node)], modulus(cell));
  }
  combine_over_ranks(space_, MPIU_REAL, MPI_MAX, stiffest_);
  std::fill(nodes_.begin(), nodes_.end(), nobody);
  for (PetscInt cell = 0; cell < space_.cells(); ++cell) {
    const PetscInt part = cells_[index(cell)];
    for (const PetscInt node : space_.cell_nodes(cell)) {
      if (modulus(cell) < comparable * stiffest_[index(node)]) continue;
      PetscInt& own = nodes_[index(node)];
      if (own == nobody || size[index(part - first_)] > size[index(own - first_)])
        own = part;  // the largest of several
    }
  }
  std::vector<PetscInt> anybody(nodes_);
  check(PetscSFReduceBegin(space_.node_sf(), MPIU_INT, anybody.data() + owned, anybody.data(), MPI_MAX));
  check(PetscSFReduceEnd(space_.node_sf(), MPIU_INT, anybody.data() + owned, anybody.data(), MPI_MAX));
  for (std::size_t node = 0; node < owned; ++node)
    if (nodes_[node] == nobody) nodes_[node] = anybody[node];
}

Connections StiffInclusions::connections() const {
  return [this](const auto& connect) {
    for (PetscInt cell = 0; cell < space_.cells(); ++cell) {
      const auto nodes = space_.cell_nodes(cell);
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        const PetscInt part = nodes_[index(nodes[i])];
        const bool ours = part >= first_ && part < first_ + space_.cells();
        if (ours && part != cells_[index(cell)]) continue;
        for (std::size_t j = 0; j < i; ++j)
          if (nodes_[index(nodes[j])] == part) connect(nodes[i], nodes[j]);
      }
    }
  };
}

bool StiffInclusions::hinge(PetscInt cell, PetscInt i, PetscInt j) const {
  if (!unlike()) return false;
  const PetscInt part = cells_[index(cell)];
  if (nodes_[index(i)] == part && nodes_[index(j)] == part) return false;
  return alike(modulus(cell), stiffest_[index(i)]) && alike(modulus(cell), stiffest_[index(j)]);
}

}  // namespace gearshift::solid
