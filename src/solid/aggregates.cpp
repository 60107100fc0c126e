#include "solid/aggregates.hpp"

#include <gearshift/petsc/views.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace gearshift::solid {

using petsc::check;

namespace {

/// lambda over mu, at most: where rigid groups part they change in volume, which nearly incompressible bodies do not, and
/// P' A P would be far stiffer than what it stands for. Half and double of this took as many iterations at nu = 0.49.
constexpr double most_in_bulk = 8;

/// Value of a rigid motion at x: three translations, three rotations about the origin.
Vec3 rigid(std::size_t mode, const Vec3& x) {
  Vec3 value{};
  if (mode < 3) {
    value[mode] = 1;
  } else {
    const std::size_t i = (mode + 1) % 3, j = (mode + 2) % 3;
    value[i] = -x[j];
    value[j] = x[i];
  }
  return value;
}

/// Halves nodes across their longest extent until no part has more than `most`; parts come out one after the other.
void bisect(std::span<const Vec3> x, std::span<PetscInt> nodes, std::size_t most, std::vector<std::size_t>& sizes) {
  if (nodes.size() <= most) {
    sizes.push_back(nodes.size());
    return;
  }
  Vec3 low = x[static_cast<std::size_t>(nodes[0])], high = low;
  for (const PetscInt node : nodes)
    for (std::size_t c = 0; c < 3; ++c) {
      low[c] = std::min(low[c], x[static_cast<std::size_t>(node)][c]);
      high[c] = std::max(high[c], x[static_cast<std::size_t>(node)][c]);
    }
  std::size_t axis = 0;
  for (std::size_t c = 1; c < 3; ++c)
    if (high[c] - low[c] > 1.0001 * (high[axis] - low[axis])) axis = c;
  const std::size_t half = nodes.size() / 2;
  std::nth_element(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(half), nodes.end(),
                   [&](PetscInt a, PetscInt b) {
                     const auto &p = x[static_cast<std::size_t>(a)], &q = x[static_cast<std::size_t>(b)];
                     return p[axis] != q[axis] ? p[axis] < q[axis] : a < b;
                   });
  bisect(x, nodes.first(half), most, sizes);
  bisect(x, nodes.subspan(half), most, sizes);
}

}  // namespace

Aggregates::Aggregates(const Space& corners, const Supports& held, std::size_t most) : space_(corners), held_(held) {
  group_nodes(most);
  create_matrix();
}

void Aggregates::group_nodes(std::size_t most) {
  const auto owned = static_cast<std::size_t>(space_.owned_nodes());
  members_.resize(owned);
  std::iota(members_.begin(), members_.end(), 0);
  std::vector<std::size_t> sizes;
  if (owned > 0) bisect(space_.coordinates(), members_, most, sizes);
  std::vector<PetscInt> part(owned), root(owned);
  std::size_t at = 0;
  for (std::size_t p = 0; p < sizes.size(); ++p)
    for (std::size_t i = 0; i < sizes[p]; ++i)
      part[static_cast<std::size_t>(members_[at++])] = static_cast<PetscInt>(p);
  // Neighbours in space that no cell joins, as on the two sides of a slot, do not move together.
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](PetscInt node) {
    while (root[static_cast<std::size_t>(node)] != node)
      node = root[static_cast<std::size_t>(node)] =
          root[static_cast<std::size_t>(root[static_cast<std::size_t>(node)])];
    return node;
  };
  for (PetscInt cell = 0; cell < space_.cells(); ++cell) {
    const auto nodes = space_.cell_nodes(cell);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (nodes[i] < space_.owned_nodes() && nodes[j] < space_.owned_nodes() &&
            part[static_cast<std::size_t>(nodes[i])] == part[static_cast<std::size_t>(nodes[j])]) {
          const PetscInt a = find(nodes[i]), b = find(nodes[j]);
          root[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
        }
  }
  std::vector<PetscInt> number(owned, -1);
  group_.resize(static_cast<std::size_t>(space_.local_nodes()));
  for (const PetscInt node : members_) {
    PetscInt& own = number[static_cast<std::size_t>(find(node))];
    if (own < 0) own = count_++;
    group_[static_cast<std::size_t>(node)] = own;
  }
  std::stable_sort(members_.begin(), members_.end(), [&](PetscInt a, PetscInt b) {
    return group_[static_cast<std::size_t>(a)] < group_[static_cast<std::size_t>(b)];
  });
  begins_.assign(static_cast<std::size_t>(count_) + 1, 0);
  for (std::size_t node = 0; node < owned; ++node) ++begins_[static_cast<std::size_t>(group_[node]) + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());

  check(MPI_Exscan(&count_, &first_, 1, MPIU_INT, MPI_SUM, space_.comm()));
  int rank = 0;
  MPI_Comm_rank(space_.comm(), &rank);
  if (rank == 0) first_ = 0;
  check(MPI_Allreduce(&count_, &global_, 1, MPIU_INT, MPI_SUM, space_.comm()));
  for (std::size_t node = 0; node < owned; ++node) group_[node] += first_;
  check(PetscSFBcastBegin(space_.exchange(), MPIU_INT, group_.data(), group_.data() + owned, MPI_REPLACE));
  check(PetscSFBcastEnd(space_.exchange(), MPIU_INT, group_.data(), group_.data() + owned, MPI_REPLACE));
  bases_.resize(basis_size * static_cast<std::size_t>(space_.local_nodes()));
  dropped_.resize(modes * static_cast<std::size_t>(count_));
}

std::size_t Aggregates::slot(PetscInt row, PetscInt column) {
  const auto key = static_cast<unsigned long long>(row) * static_cast<unsigned long long>(global_) +
                   static_cast<unsigned long long>(column);
  const auto [place, fresh] = slots_.try_emplace(key, pairs_.size());
  if (fresh) pairs_.push_back({row, column});
  return place->second;
}

void Aggregates::create_matrix() {
  for (PetscInt cell = 0; cell < space_.cells(); ++cell) {
    const auto nodes = space_.cell_nodes(cell);
    for (const PetscInt i : nodes)
      for (const PetscInt j : nodes) slot(group_[static_cast<std::size_t>(i)], group_[static_cast<std::size_t>(j)]);
  }
  for (PetscInt a = 0; a < count_; ++a) slot(first_ + a, first_ + a);
  blocks_.resize(pairs_.size());
  const auto count = static_cast<std::size_t>(count_);
  std::vector<PetscInt> diagonal(count), other(count);
  std::vector<char> shared(count);
  const auto own = [&](PetscInt group) { return group >= first_ && group < first_ + count_; };
  for (const auto& [row, column] : pairs_)
    if (own(row)) ++(own(column) ? diagonal : other)[static_cast<std::size_t>(row - first_)];
  // Cells of other ranks add couplings that this rank does not see.
  const PetscInt* shares = nullptr;
  check(PetscSFComputeDegreeBegin(space_.exchange(), &shares));
  check(PetscSFComputeDegreeEnd(space_.exchange(), &shares));
  for (PetscInt node = 0; node < space_.owned_nodes(); ++node)
    if (shares[node] > 0) shared[static_cast<std::size_t>(group_[static_cast<std::size_t>(node)] - first_)] = 1;
  for (std::size_t a = 0; a < count; ++a)
    if (shared[a]) {
      diagonal[a] = std::min(diagonal[a] + 8, count_);
      other[a] = std::min(other[a] + 16, global_ - count_);
    }
  const auto six = static_cast<PetscInt>(modes);
  check(MatCreate(space_.comm(), matrix_.out()));
  check(MatSetSizes(matrix_.get(), six * count_, six * count_, PETSC_DETERMINE, PETSC_DETERMINE));
  check(MatSetType(matrix_.get(), MATAIJ));
  check(MatSetBlockSize(matrix_.get(), six));
  check(MatXAIJSetPreallocation(matrix_.get(), six, diagonal.data(), other.data(), nullptr, nullptr));
  check(MatSetOption(matrix_.get(), MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  check(MatSetOption(matrix_.get(), MAT_SPD, PETSC_TRUE));
}

void Aggregates::set_bases(std::span<const Vec3> positions) {
  std::vector<double> columns[modes];
  for (std::size_t a = 0; a < static_cast<std::size_t>(count_); ++a) {
    const std::span members(members_.data() + begins_[a], static_cast<std::size_t>(begins_[a + 1] - begins_[a]));
    Vec3 centre{};
    for (const PetscInt node : members)
      for (std::size_t c = 0; c < 3; ++c)
        centre[c] += positions[static_cast<std::size_t>(node)][c] / static_cast<double>(members.size());
    for (std::size_t mode = 0; mode < modes; ++mode) {
      auto& column = columns[mode];
      column.clear();
      double before = 0;
      for (const PetscInt node : members) {
        Vec3 x = positions[static_cast<std::size_t>(node)];
        for (std::size_t c = 0; c < 3; ++c) x[c] -= centre[c];
        const Vec3 value = rigid(mode, x);
        for (std::size_t c = 0; c < 3; ++c) {
          const bool held = held_.held(3 * static_cast<std::size_t>(node) + c);
          column.push_back(held ? 0 : value[c]);
          before += value[c] * value[c];
        }
      }
      for (int pass = 0; pass < 2; ++pass)
        for (std::size_t other = 0; other < mode; ++other) {
          const double product = std::inner_product(column.begin(), column.end(), columns[other].begin(), 0.0);
          for (std::size_t i = 0; i < column.size(); ++i) column[i] -= product * columns[other][i];
        }
      const double after = std::inner_product(column.begin(), column.end(), column.begin(), 0.0);
      const bool drop = !(after > 1e-6 * before);
      dropped_[modes * a + mode] = drop;
      for (double& number : column) number = drop ? 0 : number / std::sqrt(after);
      for (std::size_t i = 0; i < members.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c)
          basis(static_cast<std::size_t>(members[i]))[modes * c + mode] = static_cast<float>(column[3 * i + c]);
    }
  }
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check(MPI_Type_contiguous(static_cast<int>(basis_size), MPI_FLOAT, &type));
  check(MPI_Type_commit(&type));
  float* ghosts = basis(static_cast<std::size_t>(space_.owned_nodes()));
  check(PetscSFBcastBegin(space_.exchange(), type, bases_.data(), ghosts, MPI_REPLACE));
  check(PetscSFBcastEnd(space_.exchange(), type, bases_.data(), ghosts, MPI_REPLACE));
  check(MPI_Type_free(&type));
}

void Aggregates::update(const Tangent& tangent, Shifts s, std::span<const float> u) {
  std::vector<Vec3> positions(space_.coordinates().begin(), space_.coordinates().begin() + space_.owned_nodes());
  for (std::size_t node = 0; node < positions.size(); ++node)
    for (std::size_t c = 0; c < 3; ++c) positions[node][c] += static_cast<double>(u[3 * node + c]);
  set_bases(positions);
  for (Block& block : blocks_) block.fill(0);
  tangent.corner_matrices(s, most_in_bulk, [&](PetscInt cell, const double* K) {
    const auto nodes = space_.cell_nodes(cell);
    // The cell's groups, and K Q for each of them.
    std::array<PetscInt, 8> groups{};
    std::array<std::size_t, 8> of{};
    std::size_t count = 0;
    std::array<std::array<double, 24 * modes>, 8> KQ;
    for (std::size_t j = 0; j < 8; ++j) {
      const PetscInt group = group_[static_cast<std::size_t>(nodes[j])];
      const auto known = std::find(groups.begin(), groups.begin() + count, group) - groups.begin();
      of[j] = static_cast<std::size_t>(known);
      if (of[j] == count) {
        groups[count] = group;
        KQ[count++].fill(0);
      }
      const float* Q = basis(static_cast<std::size_t>(nodes[j]));
      double* to = KQ[of[j]].data();
      for (std::size_t row = 0; row < 24; ++row)
        for (std::size_t c = 0; c < 3; ++c) {
          const double k = K[24 * row + 3 * j + c];
          for (std::size_t m = 0; m < modes; ++m) to[modes * row + m] += k * static_cast<double>(Q[modes * c + m]);
        }
    }
    for (std::size_t b = 0; b < count; ++b) {
      std::array<std::size_t, 8> places{};
      for (std::size_t a = 0; a < count; ++a) places[a] = slot(groups[a], groups[b]);
      for (std::size_t i = 0; i < 8; ++i) {
        const float* Q = basis(static_cast<std::size_t>(nodes[i]));
        double* to = blocks_[places[of[i]]].data();
        for (std::size_t c = 0; c < 3; ++c) {
          const double* from = KQ[b].data() + modes * (3 * i + c);
          for (std::size_t l = 0; l < modes; ++l) {
            const double q = static_cast<double>(Q[modes * c + l]);
            for (std::size_t m = 0; m < modes; ++m) to[modes * l + m] += q * from[m];
          }
        }
      }
    }
  });
  check(MatZeroEntries(matrix_.get()));
  for (std::size_t i = 0; i < pairs_.size(); ++i)
    check(MatSetValuesBlocked(matrix_.get(), 1, &pairs_[i][0], 1, &pairs_[i][1], blocks_[i].data(), ADD_VALUES));
  // What was dropped stands alone, about as stiff as the rest of its group.
  for (std::size_t a = 0; a < static_cast<std::size_t>(count_); ++a) {
    const PetscInt group = first_ + static_cast<PetscInt>(a);
    const Block& own = blocks_[slot(group, group)];
    double stiff = 0;
    for (std::size_t m = 0; m < modes; ++m) stiff = std::max(stiff, own[(modes + 1) * m]);
    for (std::size_t m = 0; m < modes; ++m) {
      const PetscInt row = static_cast<PetscInt>(modes) * group + static_cast<PetscInt>(m);
      if (dropped_[modes * a + m]) check(MatSetValue(matrix_.get(), row, row, stiff > 0 ? stiff : 1, ADD_VALUES));
    }
  }
  check(MatAssemblyBegin(matrix_.get(), MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(matrix_.get(), MAT_FINAL_ASSEMBLY));
  set_near_null_space(positions);
}

void Aggregates::set_near_null_space(std::span<const Vec3> positions) {
  Vec3 centre{};
  for (const auto& x : positions)
    for (std::size_t c = 0; c < 3; ++c) centre[c] += x[c] / static_cast<PetscReal>(space_.global_nodes());
  check(MPI_Allreduce(MPI_IN_PLACE, centre.data(), 3, MPIU_REAL, MPI_SUM, space_.comm()));
  std::vector<petsc::Handle<Vec>> raw(modes);
  for (std::size_t mode = 0; mode < modes; ++mode) {
    check(MatCreateVecs(matrix_.get(), nullptr, raw[mode].out()));
    check(VecZeroEntries(raw[mode].get()));
    petsc::WriteView values(raw[mode].get());
    for (std::size_t node = 0; node < positions.size(); ++node) {
      Vec3 x = positions[node];
      for (std::size_t c = 0; c < 3; ++c) x[c] -= centre[c];
      const Vec3 value = rigid(mode, x);
      const float* Q = basis(node);
      const auto group = static_cast<std::size_t>(group_[node] - first_);
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t m = 0; m < modes; ++m)
          values[modes * group + m] += static_cast<double>(Q[modes * c + m]) * value[c];
    }
  }
  set_orthonormal_modes(matrix_.get(), std::move(raw));
}

void Aggregates::restrict_residual(const float* b, const float* product, Vec coarse) const {
  petsc::WriteView values(coarse);
  for (std::size_t a = 0; a < static_cast<std::size_t>(count_); ++a) {
    std::array<double, modes> sum{};
    for (PetscInt i = begins_[a]; i < begins_[a + 1]; ++i) {
      const auto node = static_cast<std::size_t>(members_[static_cast<std::size_t>(i)]);
      const float* Q = basis(node);
      for (std::size_t c = 0; c < 3; ++c) {
        const auto r = static_cast<double>(b[3 * node + c] - product[3 * node + c]);
        for (std::size_t m = 0; m < modes; ++m) sum[m] += static_cast<double>(Q[modes * c + m]) * r;
      }
    }
    std::copy(sum.begin(), sum.end(), values.begin() + static_cast<std::ptrdiff_t>(modes * a));
  }
}

void Aggregates::prolong(Vec coarse, double factor, float* fine) const {
  const petsc::ReadView values(coarse);
  for (std::size_t a = 0; a < static_cast<std::size_t>(count_); ++a)
    for (PetscInt i = begins_[a]; i < begins_[a + 1]; ++i) {
      const auto node = static_cast<std::size_t>(members_[static_cast<std::size_t>(i)]);
      const float* Q = basis(node);
      for (std::size_t c = 0; c < 3; ++c) {
        double sum = 0;
        for (std::size_t m = 0; m < modes; ++m) sum += static_cast<double>(Q[modes * c + m]) * values[modes * a + m];
        fine[3 * node + c] += static_cast<float>(factor * sum);
      }
    }
}

}  // namespace gearshift::solid
