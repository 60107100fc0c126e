#include "solid/multigrid/coarse/aggregate_bases.hpp"

#include "petsc/queries.hpp"
#include "solid/element/vectors.hpp"
#include "solid/space/mean_of_nodes.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace gearshift::solid {

using petsc::check;

AggregateBases::AggregateBases(const Space& space, const Constraints& constraints, const StiffInclusions& parts,
                               bool apart)
    : space_(space),
      constraints_(constraints),
      nodes_(aggregate_nodes(space, parts, apart)),
      numbers_(number_over_ranks(space, nodes_)) {
  const auto owned = static_cast<std::size_t>(space_.owned_nodes());
  place_.resize(numbers_.of_node.size());
  std::iota(place_.begin(), place_.end(), std::size_t{0});
  for (std::size_t i = 0; i < owned; ++i) place_[static_cast<std::size_t>(nodes_.members[i])] = i;
  bases_.resize(size * numbers_.of_node.size());
  dropped_.resize(modes * static_cast<std::size_t>(nodes_.count()));
}

void AggregateBases::update(std::span<const Vec3> positions) {
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
  spread();
}

void AggregateBases::spread() {
  if (petsc::ranks_of(space_.comm()) == 1) return;
  const auto owned = static_cast<std::size_t>(space_.owned_nodes());
  std::vector<float> by_node(size * owned);
  for (std::size_t node = 0; node < owned; ++node)
    std::copy_n(of(node), size, by_node.begin() + static_cast<std::ptrdiff_t>(size * node));
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check(MPI_Type_contiguous(static_cast<int>(size), MPI_FLOAT, &type));
  check(MPI_Type_commit(&type));
  float* ghosts = bases_.data() + size * owned;
  check(PetscSFBcastBegin(space_.node_sf(), type, by_node.data(), ghosts, MPI_REPLACE));
  check(PetscSFBcastEnd(space_.node_sf(), type, by_node.data(), ghosts, MPI_REPLACE));
  check(MPI_Type_free(&type));
}

void AggregateBases::complete(bool complete) {
  for (const DependentEntry& d : constraints_.dependent()) {
    float* Q = basis(d.entry / 3);
    for (std::size_t m = 0; m < modes; ++m) {
      double sum = 0;
      for (std::size_t c = 0; complete && c < 3; ++c) sum += d.slopes[c] * static_cast<double>(Q[modes * c + m]);
      Q[modes * (d.entry % 3) + m] = static_cast<float>(sum);
    }
  }
}

std::vector<RigidMotions> AggregateBases::motions(std::span<const Vec3> positions) const {
  std::vector<RigidMotions> result(static_cast<std::size_t>(nodes_.count()));
  const Vec3 centre = mean_of_nodes(space_, [&](std::size_t i) { return positions[i / 3][i % 3]; });
  for (std::size_t node = 0; node < positions.size(); ++node) {
    const float* Q = of(node);
    RigidMotions& motions = result[static_cast<std::size_t>(numbers_.of_node[node] - numbers_.first)];
    for (std::size_t mode = 0; mode < modes; ++mode) {
      const Vec3 value = rigid_motion(mode, positions[node], centre);
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t m = 0; m < modes; ++m)
          motions[modes * m + mode] += static_cast<double>(Q[modes * c + m]) * value[c];
    }
  }
  return result;
}

// The sums are in double: rounded sums would leave the forces on an aggregate out of equilibrium, and bend slender
// bodies.
template <class T>
void AggregateBases::restrict_residual(const T* b, const T* product, Vec coarse) const {
  petsc::WriteView values(coarse);
  const float* Q = bases_.data();
  for (PetscInt a = 0; a < nodes_.count(); ++a) {
    std::array<double, size> sums{};
    for (const PetscInt node : nodes_.of(a)) {
      std::array<T, 3> r{};
      for (std::size_t c = 0; c < 3; ++c) r[c] = b[3 * node + c] - product[3 * node + c];
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t m = 0; m < modes; ++m)
          sums[modes * c + m] += static_cast<double>(Q[modes * c + m]) * static_cast<double>(r[c]);
      Q += size;
    }
    for (std::size_t m = 0; m < modes; ++m)
      values[modes * static_cast<std::size_t>(a) + m] = sums[m] + sums[modes + m] + sums[2 * modes + m];
  }
}

template <class T>
void AggregateBases::prolong(Vec coarse, double factor, T* fine) const {
  const petsc::ReadView values(coarse);
  const float* Q = bases_.data();
  for (PetscInt a = 0; a < nodes_.count(); ++a) {
    std::array<T, modes> y{};
    for (std::size_t m = 0; m < modes; ++m)
      y[m] = static_cast<T>(factor * values[modes * static_cast<std::size_t>(a) + m]);
    for (const PetscInt node : nodes_.of(a)) {
      std::array<T, size> parts{};
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t m = 0; m < modes; ++m) parts[modes * c + m] = Q[modes * c + m] * y[m];
      for (std::size_t c = 0; c < 3; ++c) {
        const T* part = parts.data() + modes * c;
        fine[3 * node + c] += ((part[0] + part[1]) + (part[2] + part[3])) + (part[4] + part[5]);
      }
      Q += size;
    }
  }
}

template void AggregateBases::restrict_residual(const float*, const float*, Vec) const;
template void AggregateBases::restrict_residual(const double*, const double*, Vec) const;
template void AggregateBases::prolong(Vec, double, float*) const;
template void AggregateBases::prolong(Vec, double, double*) const;

}  // namespace gearshift::solid
