#include "solid/corner_matrix.hpp"

#include <gearshift/petsc/views.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace gearshift::solid {

using petsc::check;

petsc::Handle<Mat> create_corner_matrix(const Space& corners) {
  const auto nodes = static_cast<std::size_t>(corners.local_nodes()),
             owned = static_cast<std::size_t>(corners.owned_nodes());
  std::vector<std::vector<PetscInt>> cells_of(nodes);
  for (PetscInt cell = 0; cell < corners.cells(); ++cell)
    for (const PetscInt node : corners.cell_nodes(cell)) cells_of[static_cast<std::size_t>(node)].push_back(cell);
  const PetscInt* shares = nullptr;
  check(PetscSFComputeDegreeBegin(corners.exchange(), &shares));
  check(PetscSFComputeDegreeEnd(corners.exchange(), &shares));
  std::vector<PetscInt> diagonal(owned), other(owned), neighbours;
  for (std::size_t node = 0; node < owned; ++node) {
    neighbours.clear();
    for (const PetscInt cell : cells_of[node])
      for (const PetscInt neighbour : corners.cell_nodes(cell)) neighbours.push_back(neighbour);
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
  check(MatSetOption(matrix.get(), MAT_SPD, PETSC_TRUE));
  check(MatSetOption(matrix.get(), MAT_SPD_ETERNAL, PETSC_TRUE));
  return matrix;
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

void prefer_option(const char* prefix, const std::string& name, const char* value) {
  PetscBool given = PETSC_FALSE;
  check(PetscOptionsHasName(nullptr, prefix, ("-" + name).c_str(), &given));
  if (given) return;
  check(PetscOptionsSetValue(nullptr, (std::string("-") + (prefix ? prefix : "") + name).c_str(), value));
  check(PetscOptionsHasName(nullptr, prefix, ("-" + name).c_str(), &given));  // counts as read: nobody gave it
}

void prefer_gamg(PC pc) {
  check(PCSetType(pc, PCGAMG));
  check(PCGAMGSetType(pc, PCGAMGAGG));
  check(PCGAMGSetNSmooths(pc, 1));
  // Slow coarsening along strong couplings: about half the iterations of the default, for a moderate set-up.
  // PETSc 3.18 resets PCGAMGSetAggressiveLevels() when it reads options, so the default goes through the options.
  const char* prefix = nullptr;
  check(PCGetOptionsPrefix(pc, &prefix));
  PetscBool given_old = PETSC_FALSE;
  check(PetscOptionsHasName(nullptr, prefix, "-pc_gamg_square_graph", &given_old));
  if (!given_old) prefer_option(prefix, "pc_gamg_aggressive_coarsening", "0");
  PetscReal threshold = 0.02;
  check(PCGAMGSetThreshold(pc, &threshold, 1));
}

}  // namespace gearshift::solid
