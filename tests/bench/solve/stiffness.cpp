#include "bench/solve/stiffness.hpp"

#include <gearshift/petsc/views.hpp>

#include <algorithm>
#include <optional>

namespace gearshift::bench {

using petsc::check;
using petsc::Handle;
using solid::Vec3;

namespace {

using Jacobian = std::array<Vec3, 3>;

/// Returns J^-1 (row a: dxi_a/dX) and det J; row i of J is dX_i/dxi.
Jacobian inverse(const Jacobian& J, double& det) {
  Jacobian result{};
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
      result[c][r] = J[r1][c1] * J[r2][c2] - J[r1][c2] * J[r2][c1];
    }
  det = J[0][0] * result[0][0] + J[0][1] * result[1][0] + J[0][2] * result[2][0];
  for (auto& row : result)
    for (double& value : row) value /= det;
  return result;
}

}  // namespace

struct Stiffness::Cell {
  std::vector<double> matrix, masses;  // 3 nodes x 3 nodes, and int phi_i
  std::optional<Jacobian> shape;       // for affine cells: equal shapes have equal integrals
};

Stiffness::Stiffness(const solid::Space& space, const solid::Material& material, const std::string& clamp,
                     NodeOrder order)
    : space_(space),
      material_(material),
      clamped_(static_cast<std::size_t>(space.local_nodes()), 0),
      places_(places(space, order)),
      numbers_(clamped_.size()) {
  // A rank may have a clamped node without a clamped face.
  const Handle<Vec> marks = [&] {
    Handle<Vec> vec;
    check(VecDuplicate(space.layout(), vec.out()));
    return vec;
  }();
  std::vector<PetscReal> local(3 * clamped_.size(), 0);
  for (const solid::CellFace& face : space.mesh_cells().face(clamp))
    for (const int node : space.element(face.cell).face_nodes(face.face))
      local[3 * static_cast<std::size_t>(space.cell_nodes(face.cell)[static_cast<std::size_t>(node)])] = 1;
  space.node_exchange().local_to_global_begin(local.data(), marks.get());
  space.node_exchange().local_to_global_end(local.data(), marks.get());
  space.node_exchange().global_to_local_begin(marks.get(), local.data());
  space.node_exchange().global_to_local_end(marks.get(), local.data());
  for (std::size_t node = 0; node < clamped_.size(); ++node) clamped_[node] = local[3 * node] > 0;

  // Nodes of other ranks have the numbers given by their owners.
  {
    petsc::WriteView values(marks.get());
    for (std::size_t node = 0; node < places_.size(); ++node)
      values[3 * node] = static_cast<PetscReal>(space.first_node() + places_[node]);
  }
  space.node_exchange().global_to_local_begin(marks.get(), local.data());
  space.node_exchange().global_to_local_end(marks.get(), local.data());
  for (std::size_t node = 0; node < numbers_.size(); ++node) numbers_[node] = static_cast<PetscInt>(local[3 * node]);
}

void Stiffness::integrate(PetscInt cell, Cell& result) const {
  const auto shape = space_.mesh_cells().constant_jacobian(cell);
  if (shape && result.shape == shape) return;
  result.shape = shape;
  const solid::Basis& basis = space_.basis();
  const auto n = static_cast<std::size_t>(basis.n), nodes = n * n * n, size = 3 * nodes;
  const double mu = material_.E / (2 * (1 + material_.nu)),
               lambda = material_.E * material_.nu / ((1 + material_.nu) * (1 - 2 * material_.nu));
  result.matrix.assign(size * size, 0);
  result.masses.assign(nodes, 0);
  std::vector<Vec3> slopes(nodes);
  for (std::size_t q = 0; q < nodes; ++q) {
    const std::array<std::size_t, 3> at{q % n, q / n % n, q / n / n};
    double det = 0;
    const Jacobian K = inverse(
        shape ? *shape
              : space_.mesh_cells().jacobian(cell, {basis.points[at[0]], basis.points[at[1]], basis.points[at[2]]}),
        det);
    const double weight = det * basis.weights[at[0]] * basis.weights[at[1]] * basis.weights[at[2]];
    for (std::size_t i = 0; i < nodes; ++i) {
      const std::array<std::size_t, 3> node{i % n, i / n % n, i / n / n};
      std::array<double, 3> value{}, slope{};
      for (std::size_t d = 0; d < 3; ++d) {
        value[d] = basis.interpolate[at[d] * n + node[d]];
        slope[d] = basis.derive[at[d] * n + node[d]];
      }
      const Vec3 reference{slope[0] * value[1] * value[2], value[0] * slope[1] * value[2],
                           value[0] * value[1] * slope[2]};
      for (std::size_t c = 0; c < 3; ++c)
        slopes[i][c] = reference[0] * K[0][c] + reference[1] * K[1][c] + reference[2] * K[2][c];
      result.masses[i] += weight * value[0] * value[1] * value[2];
    }
    for (std::size_t i = 0; i < nodes; ++i)
      for (std::size_t j = 0; j < nodes; ++j) {
        const Vec3 &a = slopes[i], &b = slopes[j];
        const double product = mu * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
        for (std::size_t r = 0; r < 3; ++r)
          for (std::size_t c = 0; c < 3; ++c)
            result.matrix[(3 * i + r) * size + 3 * j + c] +=
                weight * (lambda * a[r] * b[c] + mu * a[c] * b[r] + (r == c ? product : 0));
      }
  }
}

Handle<Mat> Stiffness::assemble(MatType type) const {
  const auto local = static_cast<std::size_t>(space_.local_nodes()),
             owned = static_cast<std::size_t>(space_.owned_nodes());
  std::vector<PetscInt> diagonal(owned), other(owned);
  {
    std::vector<std::vector<PetscInt>> cells(local);
    for (PetscInt cell = 0; cell < space_.cells(); ++cell)
      for (const PetscInt node : space_.cell_nodes(cell)) cells[static_cast<std::size_t>(node)].push_back(cell);
    const PetscInt* shares = nullptr;
    check(PetscSFComputeDegreeBegin(space_.node_sf(), &shares));
    check(PetscSFComputeDegreeEnd(space_.node_sf(), &shares));
    const PetscInt wide = 2 * space_.degree() + 1, most = wide * wide * wide;
    std::vector<PetscInt> neighbours;
    for (std::size_t node = 0; node < owned; ++node) {
      neighbours.clear();
      for (const PetscInt cell : cells[node])
        for (const PetscInt neighbour : space_.cell_nodes(cell)) neighbours.push_back(neighbour);
      std::sort(neighbours.begin(), neighbours.end());
      neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
      const auto place = static_cast<std::size_t>(places_[node]);
      for (const PetscInt neighbour : neighbours) ++(neighbour < space_.owned_nodes() ? diagonal : other)[place];
      // Cells of other ranks add couplings: allocates space for the number of couplings in a regular mesh.
      if (shares[node] == 0) continue;
      diagonal[place] = std::min(most, space_.owned_nodes());
      other[place] = std::min(most, space_.global_nodes() - space_.owned_nodes());
    }
  }
  Handle<Mat> matrix;
  const PetscInt size = 3 * space_.owned_nodes();
  check(MatCreate(space_.comm(), matrix.out()));
  check(MatSetSizes(matrix.get(), size, size, PETSC_DETERMINE, PETSC_DETERMINE));
  check(MatSetType(matrix.get(), type));
  check(MatSetBlockSize(matrix.get(), 3));
  check(MatXAIJSetPreallocation(matrix.get(), 3, diagonal.data(), other.data(), diagonal.data(), other.data()));
  check(MatSetOption(matrix.get(), MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  if (type == std::string_view(MATSBAIJ)) check(MatSetOption(matrix.get(), MAT_IGNORE_LOWER_TRIANGULAR, PETSC_TRUE));

  Cell cell;
  std::vector<double> entries;
  std::vector<PetscInt> rows;
  for (PetscInt c = 0; c < space_.cells(); ++c) {
    integrate(c, cell);
    const auto nodes = space_.cell_nodes(c);
    rows.clear();
    bool any = false;
    for (const PetscInt node : nodes) {
      rows.push_back(numbers_[static_cast<std::size_t>(node)]);
      any = any || clamped_[static_cast<std::size_t>(node)];
    }
    const double* values = cell.matrix.data();
    if (any) {
      entries = cell.matrix;
      values = entries.data();
      const std::size_t width = 3 * nodes.size();
      for (std::size_t i = 0; i < width; ++i)
        if (clamped_[static_cast<std::size_t>(nodes[i / 3])])
          for (std::size_t j = 0; j < width; ++j) entries[i * width + j] = entries[j * width + i] = 0;
    }
    const auto count = static_cast<PetscInt>(rows.size());
    check(MatSetValuesBlocked(matrix.get(), count, rows.data(), count, rows.data(), values, ADD_VALUES));
  }
  constexpr std::array<double, 9> identity{1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (std::size_t node = 0; node < owned; ++node)
    if (clamped_[node]) {
      const PetscInt row = numbers_[node];
      check(MatSetValuesBlocked(matrix.get(), 1, &row, 1, &row, identity.data(), ADD_VALUES));
    }
  check(MatAssemblyBegin(matrix.get(), MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(matrix.get(), MAT_FINAL_ASSEMBLY));
  return matrix;
}

void Stiffness::set_rigid_modes(Mat matrix) const {
  Handle<Vec> positions;
  Handle<MatNullSpace> modes;
  check(VecDuplicate(space_.layout(), positions.out()));
  {
    petsc::WriteView values(positions.get());
    for (std::size_t i = 0; i < values.size(); ++i)
      values[3 * static_cast<std::size_t>(places_[i / 3]) + i % 3] = space_.coordinates()[i / 3][i % 3];
  }
  check(MatNullSpaceCreateRigidBody(positions.get(), modes.out()));
  check(MatSetNearNullSpace(matrix, modes.get()));
}

Handle<Vec> Stiffness::weight(const Vec3& g) const {
  Handle<Vec> result, forces;
  check(VecDuplicate(space_.layout(), result.out()));
  check(VecDuplicate(space_.layout(), forces.out()));
  std::vector<PetscReal> local(3 * clamped_.size(), 0);
  Cell cell;
  for (PetscInt c = 0; c < space_.cells(); ++c) {
    integrate(c, cell);
    const auto nodes = space_.cell_nodes(c);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k)
        if (!clamped_[static_cast<std::size_t>(nodes[i])])
          local[3 * static_cast<std::size_t>(nodes[i]) + k] += material_.rho * g[k] * cell.masses[i];
  }
  space_.node_exchange().local_to_global_begin(local.data(), forces.get());
  space_.node_exchange().local_to_global_end(local.data(), forces.get());
  reorder(forces.get(), result.get());
  return result;
}

void Stiffness::reorder(Vec in, Vec out) const {
  const petsc::ReadView from(in);
  petsc::WriteView to(out);
  for (std::size_t i = 0; i < from.size(); ++i) to[3 * static_cast<std::size_t>(places_[i / 3]) + i % 3] = from[i];
}

}  // namespace gearshift::bench
