#include "solid/operator/corner_matrix.hpp"

#include <gearshift/petsc/views.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gearshift::solid {

using petsc::check;

petsc::Handle<Mat> create_corner_matrix(const Space& corners) {
  const auto nodes = static_cast<std::size_t>(corners.local_nodes()),
             owned = static_cast<std::size_t>(corners.owned_nodes());
  // The cells of each node, one after the other.
  std::vector<PetscInt> begin(nodes + 1), cells(static_cast<std::size_t>(corners.cells() * corners.nodes_per_cell()));
  for (PetscInt cell = 0; cell < corners.cells(); ++cell)
    for (const PetscInt node : corners.cell_nodes(cell)) ++begin[static_cast<std::size_t>(node) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<PetscInt> next(begin.begin(), begin.end() - 1);
  for (PetscInt cell = 0; cell < corners.cells(); ++cell)
    for (const PetscInt node : corners.cell_nodes(cell))
      cells[static_cast<std::size_t>(next[static_cast<std::size_t>(node)]++)] = cell;
  const PetscInt* shares = nullptr;
  check(PetscSFComputeDegreeBegin(corners.exchange(), &shares));
  check(PetscSFComputeDegreeEnd(corners.exchange(), &shares));
  std::vector<PetscInt> diagonal(owned), other(owned), neighbours;
  for (std::size_t node = 0; node < owned; ++node) {
    neighbours.clear();
    for (PetscInt i = begin[node]; i < begin[node + 1]; ++i)
      for (const PetscInt neighbour : corners.cell_nodes(cells[static_cast<std::size_t>(i)]))
        neighbours.push_back(neighbour);
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    for (const PetscInt neighbour : neighbours) ++(neighbour < corners.owned_nodes() ? diagonal : other)[node];
    // Cells of other ranks add couplings that this rank does not see.
    if (shares[node] > 0) {
      diagonal[node] = std::min(diagonal[node] + 9, corners.owned_nodes());
      other[node] = std::min(other[node] + 18, corners.global_nodes() - corners.owned_nodes());
    }
  }
  petsc::Handle<Mat> matrix;
  check(MatCreate(corners.comm(), matrix.out()));
  check(MatSetSizes(matrix.get(), 3 * corners.owned_nodes(), 3 * corners.owned_nodes(), PETSC_DETERMINE,
                    PETSC_DETERMINE));
  check(MatSetType(matrix.get(), MATAIJ));
  check(MatSetBlockSize(matrix.get(), 3));
  check(MatXAIJSetPreallocation(matrix.get(), 3, diagonal.data(), other.data(), nullptr, nullptr));
  check(MatSetOption(matrix.get(), MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  check(MatSetOption(matrix.get(), MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
  return matrix;
}

CornerSum::CornerSum(const Space& corners) : corners_(corners) {
  const auto number = corners.global_node_numbers();
  for (PetscInt cell = 0; cell < corners.cells(); ++cell) {
    const auto nodes = corners.cell_nodes(cell);
    for (const PetscInt i : nodes)
      for (const PetscInt j : nodes)
        if (i >= corners.owned_nodes())
          (void)slot(number[static_cast<std::size_t>(i)], number[static_cast<std::size_t>(j)]);
  }
  foreign_.resize(9 * places_.size());
  to_owners_ = ForeignBlocks(corners.comm(), corners.owned_nodes(), 3, places_);
  rows_.resize(static_cast<std::size_t>(corners.nodes_per_cell()));
  columns_.resize(rows_.size());
}

std::size_t CornerSum::slot(PetscInt row, PetscInt column) {
  const auto key = static_cast<unsigned long long>(row) * static_cast<unsigned long long>(corners_.global_nodes()) +
                   static_cast<unsigned long long>(column);
  const auto [place, fresh] = slots_.try_emplace(key, places_.size());
  if (fresh) places_.push_back({row, column});
  return place->second;
}

void CornerSum::add(PetscInt cell, const double* values, Mat matrix) {
  const auto nodes = corners_.cell_nodes(cell);
  const std::size_t count = nodes.size();
  const auto foreign = [&](std::size_t i) { return nodes[i] >= corners_.owned_nodes(); };
  for (std::size_t i = 0; i < count; ++i) {
    columns_[i] = corners_.global_node_numbers()[static_cast<std::size_t>(nodes[i])];
    rows_[i] = foreign(i) ? -1 : columns_[i];  // rows below 0 are left out
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

void CornerSum::finish(Mat matrix) {
  to_owners_.add(foreign_, matrix);
  std::fill(foreign_.begin(), foreign_.end(), 0.0);
}

void set_rigid_modes(const Space& corners, const Supports& supports, Vec displacement, Mat matrix) {
  const auto owned = static_cast<std::size_t>(corners.owned_nodes());
  std::vector<Vec3> position(corners.coordinates().begin(), corners.coordinates().begin() + corners.owned_nodes());
  if (displacement) {
    const petsc::ReadView u(displacement);
    for (std::size_t entry = 0; entry < u.size(); ++entry) position[entry / 3][entry % 3] += u[entry];
  }
  Vec3 centre{};
  for (const auto& x : position)
    for (std::size_t c = 0; c < 3; ++c) centre[c] += x[c] / static_cast<PetscReal>(corners.global_nodes());
  MPI_Allreduce(MPI_IN_PLACE, centre.data(), 3, MPIU_REAL, MPI_SUM, corners.comm());
  std::vector<petsc::Handle<Vec>> modes(6);
  for (std::size_t mode = 0; mode < 6; ++mode) {
    check(VecDuplicate(corners.layout(), modes[mode].out()));
    petsc::WriteView values(modes[mode].get());
    for (std::size_t node = 0; node < owned; ++node) {
      Vec3 value{};
      if (mode < 3) {
        value[mode] = 1;
      } else {
        const std::size_t i = (mode + 1) % 3, j = (mode + 2) % 3;
        value[i] = -(position[node][j] - centre[j]);
        value[j] = position[node][i] - centre[i];
      }
      for (std::size_t c = 0; c < 3; ++c) values[3 * node + c] = supports.held(3 * node + c) ? 0 : value[c];
    }
  }
  set_orthonormal_modes(matrix, std::move(modes));
}

void set_orthonormal_modes(Mat matrix, std::vector<petsc::Handle<Vec>> modes) {
  std::vector<Vec> kept;
  for (const auto& mode : modes) {
    PetscReal before = 0, after = 0;
    check(VecNorm(mode.get(), NORM_2, &before));
    for (int pass = 0; pass < 2; ++pass)
      for (Vec other : kept) {
        PetscScalar product = 0;
        check(VecDot(mode.get(), other, &product));
        check(VecAXPY(mode.get(), -product, other));
      }
    check(VecNorm(mode.get(), NORM_2, &after));
    if (!(after > 1e-8 * before) || before == 0) continue;  // supports leave nothing of this mode
    check(VecScale(mode.get(), 1 / after));
    kept.push_back(mode.get());
  }
  petsc::Handle<MatNullSpace> space;
  check(MatNullSpaceCreate(PetscObjectComm(reinterpret_cast<PetscObject>(matrix)), PETSC_FALSE,
                           static_cast<PetscInt>(kept.size()), kept.data(), space.out()));
  check(MatSetNearNullSpace(matrix, kept.empty() ? nullptr : space.get()));
}

}  // namespace gearshift::solid
