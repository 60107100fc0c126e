#include "solid/operator/matrices/node_matrix.hpp"

#include "petsc/queries.hpp"
#include "solid/element/vectors.hpp"
#include "solid/numerics/sort_unique.hpp"
#include "solid/space/cells_of_nodes.hpp"
#include "solid/space/mean_of_nodes.hpp"

#include <algorithm>

namespace gearshift::solid {

using petsc::check;

namespace {

/// Returns row and column, in global numbers, of the blocks that this rank's cells have for rows of other ranks, each
/// once.
std::vector<std::array<PetscInt, 2>> foreign_places(const Space& space) {
  const auto number = space.global_node_numbers();
  std::vector<std::array<PetscInt, 2>> places;
  for (PetscInt cell = 0; cell < space.cells(); ++cell) {
    const auto nodes = space.cell_nodes(cell);
    for (const PetscInt i : nodes)
      for (const PetscInt j : nodes)
        if (i >= space.owned_nodes())
          places.push_back({number[static_cast<std::size_t>(i)], number[static_cast<std::size_t>(j)]});
  }
  sort_unique(places);
  return places;
}

}  // namespace

petsc::Handle<Mat> create_node_matrix(const Space& space) {
  const auto owned = static_cast<std::size_t>(space.owned_nodes());
  const auto number = space.global_node_numbers();
  const PetscInt first = space.first_node();
  const ForeignBlocks from_others(space.comm(), space.owned_nodes(), 3, foreign_places(space));
  std::vector<std::array<PetscInt, 2>> incoming = from_others.incoming();
  std::sort(incoming.begin(), incoming.end());
  const CellsOfNodes cells(space);
  std::vector<PetscInt> diagonal(owned), other(owned), columns;
  auto next = incoming.begin();
  for (std::size_t node = 0; node < owned; ++node) {
    columns.clear();
    for (const PetscInt cell : cells.of(static_cast<PetscInt>(node)))
      for (const PetscInt neighbour : space.cell_nodes(cell))
        columns.push_back(number[static_cast<std::size_t>(neighbour)]);
    for (; next != incoming.end() && (*next)[0] == first + static_cast<PetscInt>(node); ++next)
      columns.push_back((*next)[1]);
    sort_unique(columns);
    for (const PetscInt column : columns)
      ++(column >= first && column < first + space.owned_nodes() ? diagonal : other)[node];
  }
  petsc::Handle<Mat> matrix;
  check(MatCreate(space.comm(), matrix.out()));
  check(MatSetSizes(matrix.get(), 3 * space.owned_nodes(), 3 * space.owned_nodes(), PETSC_DETERMINE, PETSC_DETERMINE));
  check(MatSetType(matrix.get(), MATAIJ));
  check(MatSetBlockSize(matrix.get(), 3));
  check(MatXAIJSetPreallocation(matrix.get(), 3, diagonal.data(), other.data(), nullptr, nullptr));
  check(MatSetOption(matrix.get(), MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
  return matrix;
}

NodeMatrixSum::NodeMatrixSum(const Space& space) : space_(space) {
  for (const auto& [row, column] : foreign_places(space)) (void)slot(row, column);
  foreign_.resize(9 * places_.size());
  to_owners_ = ForeignBlocks(space.comm(), space.owned_nodes(), 3, places_);
  std::size_t most = 0;
  for (const CellBlock& block : space.blocks()) most = std::max(most, block.nodes_per_cell());
  rows_.resize(most);
  columns_.resize(most);
}

std::size_t NodeMatrixSum::slot(PetscInt row, PetscInt column) {
  const auto key = static_cast<unsigned long long>(row) * static_cast<unsigned long long>(space_.global_nodes()) +
                   static_cast<unsigned long long>(column);
  const auto [place, inserted] = slots_.try_emplace(key, places_.size());
  if (inserted) places_.push_back({row, column});
  return place->second;
}

void NodeMatrixSum::add(PetscInt cell, const double* values, Mat matrix) {
  const auto nodes = space_.cell_nodes(cell);
  const std::size_t count = nodes.size();
  const auto foreign = [&](std::size_t i) { return nodes[i] >= space_.owned_nodes(); };
  for (std::size_t i = 0; i < count; ++i) {
    columns_[i] = space_.global_node_numbers()[static_cast<std::size_t>(nodes[i])];
    rows_[i] = foreign(i) ? -1 : columns_[i];  // MatSetValuesBlocked() ignores negative rows
  }
  const auto size = static_cast<PetscInt>(count);
  check(MatSetValuesBlocked(matrix, size, rows_.data(), size, columns_.data(), values, ADD_VALUES));
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; foreign(i) && j < count; ++j) {
      double* block = foreign_.data() + 9 * slot(columns_[i], columns_[j]);
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t d = 0; d < 3; ++d) block[3 * c + d] += values[3 * count * (3 * i + c) + 3 * j + d];
    }
}

void NodeMatrixSum::finish(Mat matrix) {
  to_owners_.add(foreign_, matrix);
  std::fill(foreign_.begin(), foreign_.end(), 0.0);
}

void set_rigid_motions(const Space& space, const Constraints& constraints, Vec displacement, Mat matrix) {
  const auto owned = static_cast<std::size_t>(space.owned_nodes());
  std::vector<Vec3> position(space.coordinates().begin(), space.coordinates().begin() + space.owned_nodes());
  if (displacement) {
    const petsc::ReadView u(displacement);
    for (std::size_t entry = 0; entry < u.size(); ++entry) position[entry / 3][entry % 3] += u[entry];
  }
  const Vec3 centre = mean_of_nodes(space, [&](std::size_t i) { return position[i / 3][i % 3]; });
  std::vector<petsc::Handle<Vec>> modes(6);
  for (std::size_t mode = 0; mode < 6; ++mode) {
    check(VecDuplicate(space.layout(), modes[mode].out()));
    petsc::WriteView values(modes[mode].get());
    for (std::size_t node = 0; node < owned; ++node) {
      const Vec3 value = rigid_motion(mode, position[node], centre);
      for (std::size_t c = 0; c < 3; ++c) values[3 * node + c] = constraints.held(3 * node + c) ? 0 : value[c];
    }
  }
  set_orthonormal_modes(matrix, std::move(modes));
}

void set_orthonormal_modes(Mat matrix, std::vector<petsc::Handle<Vec>> modes) {
  std::vector<Vec> kept;
  for (const auto& mode : modes) {
    const PetscReal before = petsc::norm(mode.get());
    for (int pass = 0; pass < 2; ++pass)
      for (Vec other : kept) {
        check(VecAXPY(mode.get(), -petsc::dot(mode.get(), other), other));
      }
    const PetscReal after = petsc::norm(mode.get());
    if (!(after > 1e-8 * before) || before == 0) continue;  // the supports remove this mode
    check(VecScale(mode.get(), 1 / after));
    kept.push_back(mode.get());
  }
  petsc::Handle<MatNullSpace> space;
  check(MatNullSpaceCreate(petsc::comm_of(matrix), PETSC_FALSE, static_cast<PetscInt>(kept.size()), kept.data(),
                           space.out()));
  check(MatSetNearNullSpace(matrix, kept.empty() ? nullptr : space.get()));
}

}  // namespace gearshift::solid
