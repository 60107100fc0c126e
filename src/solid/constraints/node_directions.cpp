#include "solid/constraints/node_directions.hpp"

#include "solid/element/vectors.hpp"
#include "solid/space/combine_over_ranks.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace gearshift::solid {

namespace {

constexpr double significant = 0.1;  // eigenvalue ratio tan^2(35 degrees / 2)

/// Returns the eigenvectors of the significant eigenvalues, that of the largest eigenvalue first.
std::vector<Vec3> main_directions(const DirectionSum& s) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> parts(
      (Eigen::Matrix3d() << s[0], s[1], s[2], s[1], s[3], s[4], s[2], s[4], s[5]).finished());
  std::vector<Vec3> result;
  for (Eigen::Index i = 2; i >= 0 && parts.eigenvalues()[i] > significant * parts.eigenvalues()[2]; --i) {
    const Eigen::Vector3d n = parts.eigenvectors().col(i);
    result.push_back({n[0], n[1], n[2]});
  }
  return result;
}

/// Returns a vector without its components along orthonormal directions.
Vec3 without(Vec3 x, const std::vector<Vec3>& directions) {
  for (const Vec3& n : directions) x = x - dot(n, x) * n;
  return x;
}

/// Chooses directions of single supports that span the directions of all.
NodeDirections choose(const std::vector<std::pair<std::size_t, DirectionSum>>& supports) {
  DirectionSum all{};
  for (const auto& [support, sum] : supports)
    for (std::size_t k = 0; k < 6; ++k) all[k] += sum[k];
  const std::vector<Vec3> span = main_directions(all);
  std::vector<std::pair<std::size_t, Vec3>> candidates;
  for (const auto& [support, sum] : supports)
    for (const Vec3& n : main_directions(sum)) candidates.emplace_back(support, n - without(n, span));
  for (const Vec3& n : span) candidates.emplace_back(supports.back().first, n);
  NodeDirections result;
  std::vector<Vec3> taken;  // the chosen directions, made orthonormal
  while (taken.size() < span.size()) {
    double best = 0;
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const Vec3 rest = without(candidates[i].second, taken);
      if (const double size = std::sqrt(dot(rest, rest)); size > best * equal_sizes) {
        best = size;
        chosen = i;
      }
    }
    const auto& [support, n] = candidates[chosen];
    taken.push_back((1 / best) * without(n, taken));
    result.directions.push_back((1 / std::sqrt(dot(n, n))) * n);
    result.supports.push_back(support);
  }
  return result;
}

}  // namespace

std::map<PetscInt, NodeDirections> node_directions(const Space& space,
                                                   const std::vector<std::pair<std::string, AddDirections>>& supports) {
  std::map<PetscInt, std::vector<std::pair<std::size_t, DirectionSum>>> held;
  std::vector<DirectionSum> sums;
  for (std::size_t s = 0; s < supports.size(); ++s) {
    sums.assign(static_cast<std::size_t>(space.local_nodes()), DirectionSum{});
    supports[s].second(space, supports[s].first, sums);
    combine_over_ranks(space, 6, MPI_SUM, sums.empty() ? nullptr : sums.front().data());
    for (std::size_t node = 0; node < sums.size(); ++node)
      if (sums[node][0] + sums[node][3] + sums[node][5] > 0)
        held[static_cast<PetscInt>(node)].emplace_back(s, sums[node]);
  }
  std::map<PetscInt, NodeDirections> result;
  for (const auto& [node, of_supports] : held) result.emplace(node, choose(of_supports));
  return result;
}

}  // namespace gearshift::solid
