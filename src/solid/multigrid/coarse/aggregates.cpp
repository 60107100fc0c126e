#include "solid/multigrid/coarse/aggregates.hpp"

#include <gearshift/petsc/views.hpp>

#include "solid/multigrid/coarse/near_nodes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace gearshift::solid {

using petsc::check;

Aggregates::Aggregates(const Space& corners, const Supports& held, const MaterialTable& material, std::size_t most,
                       bool apart, SoftBulk soft, const Kernels& kernels)
    : space_(corners), held_(held), soft_(std::move(soft)), apart_(apart) {
  const StiffParts parts(corners, material);
  unlike_ = parts.unlike();
  group_nodes(parts, most);
  couplings_ = GroupCouplings(corners, parts, material, group_, {first_, first_ + count_});
  create_matrix(kernels);
}

void Aggregates::group_nodes(const StiffParts& parts, std::size_t most) {
  const auto owned = static_cast<std::size_t>(space_.owned_nodes());
  const auto points = space_.coordinates().first(owned);
  if (apart_) {
    const NearNodes near(space_);
    nodes_ = make_groups(points, most, near.among(parts.connections()), near.gaps());
  } else {
    nodes_ = make_groups(points, most, parts.connections());
  }
  count_ = nodes_.count();
  group_.resize(static_cast<std::size_t>(space_.local_nodes()));
  for (PetscInt a = 0; a < count_; ++a)
    for (const PetscInt node : nodes_.of(a)) group_[static_cast<std::size_t>(node)] = a;

  check(MPI_Exscan(&count_, &first_, 1, MPIU_INT, MPI_SUM, space_.comm()));
  int rank = 0;
  MPI_Comm_rank(space_.comm(), &rank);
  if (rank == 0) first_ = 0;
  check(MPI_Allreduce(&count_, &global_, 1, MPIU_INT, MPI_SUM, space_.comm()));
  for (std::size_t node = 0; node < owned; ++node) group_[node] += first_;
  check(PetscSFBcastBegin(space_.exchange(), MPIU_INT, group_.data(), group_.data() + owned, MPI_REPLACE));
  check(PetscSFBcastEnd(space_.exchange(), MPIU_INT, group_.data(), group_.data() + owned, MPI_REPLACE));
  place_.resize(group_.size());
  std::iota(place_.begin(), place_.end(), std::size_t{0});
  for (std::size_t i = 0; i < owned; ++i) place_[static_cast<std::size_t>(nodes_.members[i])] = i;
  bases_.resize(basis_size * group_.size());
  dropped_.resize(modes * static_cast<std::size_t>(count_));
  motions_.resize(static_cast<std::size_t>(count_));
}

void Aggregates::create_matrix(const Kernels& kernels) {
  std::vector<GroupMatrix::Pair> pairs;
  std::vector<PetscInt> groups;  // of a cell
  for (PetscInt cell = 0; cell < space_.cells(); ++cell) {
    groups.clear();
    for (const PetscInt node : space_.cell_nodes(cell)) groups.push_back(group_[static_cast<std::size_t>(node)]);
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    for (auto a = groups.begin(); a != groups.end(); ++a)
      for (auto b = a; b != groups.end(); ++b) pairs.push_back({*a, *b});
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  matrix_ = std::make_unique<GroupMatrix>(space_.comm(), count_, pairs, kernels);
  PetscInt neighbours = 0;
  matrix_->visit_places([&](PetscInt row, PetscInt column) {
    if (row != column) neighbours += matrix_->own(column) ? 2 : 1;
  });
  check(MPI_Allreduce(MPI_IN_PLACE, &neighbours, 1, MPIU_INT, MPI_SUM, space_.comm()));
  thin_ = apart_ || neighbours <= 10 * global_;
}

void Aggregates::set_bases(std::span<const Vec3> positions) {
  RigidColumns columns;
  for (PetscInt a = 0; a < count_; ++a) {
    const auto members = nodes_.of(a);
    Vec3 centre{};
    for (const PetscInt node : members)
      for (std::size_t c = 0; c < 3; ++c)
        centre[c] += positions[static_cast<std::size_t>(node)][c] / static_cast<double>(members.size());
    std::array<double, modes> sizes{};
    for (std::size_t mode = 0; mode < modes; ++mode) {
      columns[mode].clear();
      for (const PetscInt node : members) {
        const Vec3 value = rigid(mode, positions[static_cast<std::size_t>(node)], centre);
        for (std::size_t c = 0; c < 3; ++c) {
          columns[mode].push_back(held_.held(3 * static_cast<std::size_t>(node) + c) ? 0 : value[c]);
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
  int ranks = 1;
  MPI_Comm_size(space_.comm(), &ranks);
  if (ranks == 1) return;
  const auto owned = static_cast<std::size_t>(space_.owned_nodes());
  std::vector<float> by_node(basis_size * owned);
  for (std::size_t node = 0; node < owned; ++node)
    std::copy_n(basis(node), basis_size, by_node.begin() + static_cast<std::ptrdiff_t>(basis_size * node));
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check(MPI_Type_contiguous(static_cast<int>(basis_size), MPI_FLOAT, &type));
  check(MPI_Type_commit(&type));
  float* ghosts = bases_.data() + basis_size * owned;
  check(PetscSFBcastBegin(space_.exchange(), type, by_node.data(), ghosts, MPI_REPLACE));
  check(PetscSFBcastEnd(space_.exchange(), type, by_node.data(), ghosts, MPI_REPLACE));
  check(MPI_Type_free(&type));
}

template <class T>
void Aggregates::update(const Tangent& tangent, Shifts s, const NodeBlocks& blocks, std::span<const T> u) {
  std::vector<Vec3> positions(space_.coordinates().begin(), space_.coordinates().begin() + space_.owned_nodes());
  for (std::size_t node = 0; node < positions.size(); ++node)
    for (std::size_t c = 0; c < 3; ++c) positions[node][c] += static_cast<double>(u[3 * node + c]);
  set_bases(positions);
  matrix_->clear();
  soft_.update(tangent.displacement(), tangent.history());
  tangent.corner_matrices(s, soft_, [&](PetscInt cell, const double* K) {
    const auto nodes = space_.cell_nodes(cell);
    const std::size_t corners = nodes.size(), rows = 3 * corners;
    // The cell's groups, and K Q for each of them.
    std::array<PetscInt, 8> groups{};
    std::array<std::size_t, 8> of{};
    std::size_t count = 0;
    std::array<std::array<double, 24 * modes>, 8> KQ;
    for (std::size_t j = 0; j < corners; ++j) {
      const PetscInt group = group_[static_cast<std::size_t>(nodes[j])];
      const auto known = std::find(groups.begin(), groups.begin() + count, group) - groups.begin();
      of[j] = static_cast<std::size_t>(known);
      if (of[j] == count) {
        groups[count] = group;
        KQ[count++].fill(0);
      }
      const float* Q = basis(static_cast<std::size_t>(nodes[j]));
      double* to = KQ[of[j]].data();
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t c = 0; c < 3; ++c) {
          const double k = K[rows * row + 3 * j + c];
          for (std::size_t m = 0; m < modes; ++m) to[modes * row + m] += k * static_cast<double>(Q[modes * c + m]);
        }
    }
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = 0; b < count; ++b) {
        if (groups[b] < groups[a]) continue;
        Block block{};
        for (std::size_t i = 0; i < corners; ++i) {
          if (of[i] != a) continue;
          const float* Q = basis(static_cast<std::size_t>(nodes[i]));
          for (std::size_t c = 0; c < 3; ++c) {
            const double* from = KQ[b].data() + modes * (3 * i + c);
            for (std::size_t l = 0; l < modes; ++l) {
              const double q = static_cast<double>(Q[modes * c + l]);
              for (std::size_t m = 0; m < modes; ++m) block[modes * l + m] += q * from[m];
            }
          }
        }
        matrix_->add(groups[a], groups[b], block);
      }
  });
  add_node_blocks(blocks);
  matrix_->assemble();
  decouple_dropped();
  set_motions(positions);
}

void Aggregates::decouple_dropped() {
  for (std::size_t a = 0; a < static_cast<std::size_t>(count_); ++a) {
    const PetscInt group = first_ + static_cast<PetscInt>(a);
    const Block own = matrix_->diagonal_block(group);
    Block on_diagonal{};
    double stiff = 0;
    for (std::size_t m = 0; m < modes; ++m) stiff = std::max(stiff, own[(modes + 1) * m]);
    for (std::size_t m = 0; m < modes; ++m)
      if (dropped_[modes * a + m]) on_diagonal[(modes + 1) * m] = stiff > 0 ? stiff : 1;
    matrix_->add(group, group, on_diagonal);
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
    matrix_->add(group_[node], group_[node], to);
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
    RigidMotions& motions = motions_[static_cast<std::size_t>(group_[node] - first_)];
    for (std::size_t mode = 0; mode < modes; ++mode) {
      const Vec3 value = rigid(mode, positions[node], centre);
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t m = 0; m < modes; ++m)
          motions[modes * m + mode] += static_cast<double>(Q[modes * c + m]) * value[c];
    }
  }
}

std::vector<Vec3> Aggregates::centres() const {
  std::vector<Vec3> result(static_cast<std::size_t>(count_));
  for (PetscInt a = 0; a < count_; ++a)
    for (const PetscInt node : nodes_.of(a))
      for (std::size_t c = 0; c < 3; ++c)
        result[static_cast<std::size_t>(a)][c] +=
            space_.coordinates()[static_cast<std::size_t>(node)][c] / static_cast<double>(nodes_.of(a).size());
  return result;
}

// Sums in double: rounded ones would not leave the forces on a group in equilibrium, and bend slender bodies.
template <class T>
void Aggregates::restrict_residual(const T* b, const T* product, Vec coarse) const {
  petsc::WriteView values(coarse);
  const float* Q = bases_.data();
  for (PetscInt a = 0; a < count_; ++a) {
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
  for (PetscInt a = 0; a < count_; ++a) {
    std::array<T, modes> y{};
    for (std::size_t m = 0; m < modes; ++m)
      y[m] = static_cast<T>(factor * values[modes * static_cast<std::size_t>(a) + m]);
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

template void Aggregates::update(const Tangent&, Shifts, const NodeBlocks&, std::span<const float>);
template void Aggregates::update(const Tangent&, Shifts, const NodeBlocks&, std::span<const double>);
template void Aggregates::restrict_residual(const float*, const float*, Vec) const;
template void Aggregates::restrict_residual(const double*, const double*, Vec) const;
template void Aggregates::prolong(Vec, double, float*) const;
template void Aggregates::prolong(Vec, double, double*) const;

}  // namespace gearshift::solid
