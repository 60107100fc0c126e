#include "solid/multigrid/coarse/aggregates.hpp"

#include "petsc/queries.hpp"
#include "solid/element/vectors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace gearshift::solid {

using petsc::check;

Aggregates::Aggregates(const Space& space, const Constraints& constraints, const MaterialTable& material, bool apart,
                       SoftBulk soft, const Kernels& kernels)
    : space_(space), constraints_(constraints), kernels_(kernels), soft_(std::move(soft)), apart_(apart) {
  const StiffInclusions parts(space, material);
  contrast_ = parts.contrast();
  number_aggregates(parts);
  couplings_ =
      AggregateCouplings(space, parts, material, numbers_.of_node, {numbers_.first, numbers_.first + nodes_.count()});
  create_matrix();
  thin_ = apart_ || mean_neighbours() <= 10;
}

void Aggregates::number_aggregates(const StiffInclusions& parts) {
  const auto owned = static_cast<std::size_t>(space_.owned_nodes());
  nodes_ = aggregate_nodes(space_, parts, apart_);
  numbers_ = number_over_ranks(space_, nodes_);
  place_.resize(numbers_.of_node.size());
  std::iota(place_.begin(), place_.end(), std::size_t{0});
  for (std::size_t i = 0; i < owned; ++i) place_[static_cast<std::size_t>(nodes_.members[i])] = i;
  bases_.resize(basis_size * numbers_.of_node.size());
  dropped_.resize(modes * static_cast<std::size_t>(nodes_.count()));
  motions_.resize(static_cast<std::size_t>(nodes_.count()));
}

void Aggregates::create_matrix() {
  auto pairs = coupled_aggregates(space_, numbers_.of_node);
  pairs.insert(pairs.end(), coupled_.begin(), coupled_.end());
  matrix_ = std::make_unique<AggregateMatrix>(space_.comm(), nodes_.count(), pairs, kernels_);
}

double Aggregates::mean_neighbours() const {
  PetscInt neighbours = 0;
  matrix_->visit_places([&](PetscInt row, PetscInt column) {
    if (row != column) neighbours += matrix_->own(column) ? 2 : 1;
  });
  return static_cast<double>(petsc::reduced(space_.comm(), MPI_SUM, neighbours)) / static_cast<double>(numbers_.all);
}

void Aggregates::set_bases(std::span<const Vec3> positions) {
  RigidColumns columns;
  for (PetscInt a = 0; a < nodes_.count(); ++a) {
    const auto members = nodes_.of(a);
    Vec3 centre{};
    for (const PetscInt node : members)
      for (std::size_t c = 0; c < 3; ++c)
        centre[c] += positions[static_cast<std::size_t>(node)][c] / static_cast<double>(members.size());
    std::array<double, modes> sizes{};
    for (std::size_t mode = 0; mode < modes; ++mode) {
      columns[mode].clear();
      for (const PetscInt node : members) {
        const Vec3 value = rigid_motion(mode, positions[static_cast<std::size_t>(node)], centre);
        for (std::size_t c = 0; c < 3; ++c) {
          columns[mode].push_back(constraints_.held(3 * static_cast<std::size_t>(node) + c) ? 0 : value[c]);
          sizes[mode] += value[c] * value[c];
        }
      }
    }
    const auto dropped = orthonormalise(columns, sizes);
    std::copy(dropped.begin(), dropped.end(), dropped_.begin() + static_cast<std::ptrdiff_t>(modes) * a);
    for (std::size_t i = 0; i < members.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t mode = 0; mode < modes; ++mode)
          basis(static_cast<std::size_t>(members[i]))[modes * c + mode] = static_cast<float>(columns[mode][3 * i + c]);
  }
  spread_bases();
}

void Aggregates::spread_bases() {
  if (petsc::ranks_of(space_.comm()) == 1) return;
  const auto owned = static_cast<std::size_t>(space_.owned_nodes());
  std::vector<float> by_node(basis_size * owned);
  for (std::size_t node = 0; node < owned; ++node)
    std::copy_n(basis(node), basis_size, by_node.begin() + static_cast<std::ptrdiff_t>(basis_size * node));
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check(MPI_Type_contiguous(static_cast<int>(basis_size), MPI_FLOAT, &type));
  check(MPI_Type_commit(&type));
  float* ghosts = bases_.data() + basis_size * owned;
  check(PetscSFBcastBegin(space_.node_sf(), type, by_node.data(), ghosts, MPI_REPLACE));
  check(PetscSFBcastEnd(space_.node_sf(), type, by_node.data(), ghosts, MPI_REPLACE));
  check(MPI_Type_free(&type));
}

void Aggregates::complete_bases(bool complete) {
  for (const DependentEntry& d : constraints_.dependent()) {
    float* Q = basis(d.entry / 3);
    for (std::size_t m = 0; m < modes; ++m) {
      double sum = 0;
      for (std::size_t c = 0; complete && c < 3; ++c) sum += d.slopes[c] * static_cast<double>(Q[modes * c + m]);
      Q[modes * (d.entry % 3) + m] = static_cast<float>(sum);
    }
  }
}

template <class T>
bool Aggregates::update(const Tangent& tangent, Shifts s, const NodeBlocks& blocks,
                        std::span<const NodeCouplings> couplings, std::span<const T> u) {
  const bool renewed = make_places(couplings);
  std::vector<Vec3> positions(space_.coordinates().begin(), space_.coordinates().begin() + space_.owned_nodes());
  for (std::size_t node = 0; node < positions.size(); ++node)
    for (std::size_t c = 0; c < 3; ++c) positions[node][c] += static_cast<double>(u[3 * node + c]);
  set_bases(positions);
  matrix_->clear();
  soft_.update(tangent.displacement(), tangent.history());
  complete_bases(true);
  add_cells(tangent, s);
  complete_bases(false);
  add_node_blocks(blocks);
  for (const NodeCouplings& each : couplings) add_couplings(each);
  matrix_->assemble();
  scale();
  decouple_dropped();
  set_motions(positions);
  return renewed;
}

/// Scales the matrix: PETSc treats pivots below 2e-14 as zero, in any units.
void Aggregates::scale() {
  double stiffest = 0;
  for (PetscInt aggregate = numbers_.first; aggregate < numbers_.first + nodes_.count(); ++aggregate) {
    const Block own = matrix_->diagonal_block(aggregate);
    for (std::size_t m = 0; m < modes; ++m) stiffest = std::max(stiffest, std::abs(own[(modes + 1) * m]));
  }
  stiffest = petsc::reduced(space_.comm(), MPI_MAX, stiffest);
  int exponent = 0;
  if (stiffest > 0 && std::isfinite(stiffest)) (void)std::frexp(stiffest, &exponent);
  scale_ = std::ldexp(1.0, -exponent);
  matrix_->scale(scale_);
}

void Aggregates::decouple_dropped() {
  for (std::size_t a = 0; a < static_cast<std::size_t>(nodes_.count()); ++a) {
    const PetscInt aggregate = numbers_.first + static_cast<PetscInt>(a);
    const Block own = matrix_->diagonal_block(aggregate);
    Block on_diagonal{};
    double stiff = 0;
    for (std::size_t m = 0; m < modes; ++m) stiff = std::max(stiff, own[(modes + 1) * m]);
    for (std::size_t m = 0; m < modes; ++m)
      if (dropped_[modes * a + m]) on_diagonal[(modes + 1) * m] = stiff > 0 ? stiff : 1;
    matrix_->add(aggregate, aggregate, on_diagonal);
  }
}

void Aggregates::add_node_blocks(const NodeBlocks& blocks) {
  for (std::size_t i = 0; i < blocks.count(); ++i) {
    const auto node = static_cast<std::size_t>(blocks.node(i));
    const auto B = whole(blocks.block(i));
    const float* Q = basis(node);
    Block to{};
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t d = 0; d < 3; ++d)
        for (std::size_t l = 0; l < modes; ++l)
          for (std::size_t m = 0; m < modes; ++m)
            to[modes * l + m] +=
                static_cast<double>(Q[modes * c + l]) * B[3 * c + d] * static_cast<double>(Q[modes * d + m]);
    matrix_->add(numbers_.of_node[node], numbers_.of_node[node], to);
  }
}

void Aggregates::set_motions(std::span<const Vec3> positions) {
  Vec3 centre{};
  for (const auto& x : positions)
    for (std::size_t c = 0; c < 3; ++c) centre[c] += x[c] / static_cast<PetscReal>(space_.global_nodes());
  check(MPI_Allreduce(MPI_IN_PLACE, centre.data(), 3, MPIU_REAL, MPI_SUM, space_.comm()));
  for (RigidMotions& motions : motions_) motions.fill(0);
  for (std::size_t node = 0; node < positions.size(); ++node) {
    const float* Q = basis(node);
    RigidMotions& motions = motions_[static_cast<std::size_t>(numbers_.of_node[node] - numbers_.first)];
    for (std::size_t mode = 0; mode < modes; ++mode) {
      const Vec3 value = rigid_motion(mode, positions[node], centre);
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t m = 0; m < modes; ++m)
          motions[modes * m + mode] += static_cast<double>(Q[modes * c + m]) * value[c];
    }
  }
}

// The sums are in double: rounded sums would leave the forces on an aggregate out of equilibrium, and bend slender
// bodies.
template <class T>
void Aggregates::restrict_residual(const T* b, const T* product, Vec coarse) const {
  petsc::WriteView values(coarse);
  const float* Q = bases_.data();
  for (PetscInt a = 0; a < nodes_.count(); ++a) {
    std::array<double, basis_size> sums{};
    for (const PetscInt node : nodes_.of(a)) {
      std::array<T, 3> r{};
      for (std::size_t c = 0; c < 3; ++c) r[c] = b[3 * node + c] - product[3 * node + c];
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t m = 0; m < modes; ++m)
          sums[modes * c + m] += static_cast<double>(Q[modes * c + m]) * static_cast<double>(r[c]);
      Q += basis_size;
    }
    for (std::size_t m = 0; m < modes; ++m)
      values[modes * static_cast<std::size_t>(a) + m] = sums[m] + sums[modes + m] + sums[2 * modes + m];
  }
}

template <class T>
void Aggregates::prolong(Vec coarse, double factor, T* fine) const {
  const petsc::ReadView values(coarse);
  const float* Q = bases_.data();
  for (PetscInt a = 0; a < nodes_.count(); ++a) {
    std::array<T, modes> y{};
    for (std::size_t m = 0; m < modes; ++m)
      y[m] = static_cast<T>(scale_ * factor * values[modes * static_cast<std::size_t>(a) + m]);
    for (const PetscInt node : nodes_.of(a)) {
      std::array<T, basis_size> parts{};
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t m = 0; m < modes; ++m) parts[modes * c + m] = Q[modes * c + m] * y[m];
      for (std::size_t c = 0; c < 3; ++c) {
        const T* part = parts.data() + modes * c;
        fine[3 * node + c] += ((part[0] + part[1]) + (part[2] + part[3])) + (part[4] + part[5]);
      }
      Q += basis_size;
    }
  }
}

template bool Aggregates::update(const Tangent&, Shifts, const NodeBlocks&, std::span<const NodeCouplings>,
                                 std::span<const float>);
template bool Aggregates::update(const Tangent&, Shifts, const NodeBlocks&, std::span<const NodeCouplings>,
                                 std::span<const double>);
template void Aggregates::restrict_residual(const float*, const float*, Vec) const;
template void Aggregates::restrict_residual(const double*, const double*, Vec) const;
template void Aggregates::prolong(Vec, double, float*) const;
template void Aggregates::prolong(Vec, double, double*) const;

}  // namespace gearshift::solid
