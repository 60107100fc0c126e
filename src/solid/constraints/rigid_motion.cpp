#include "solid/constraints/rigid_motion.hpp"

#include <gearshift/petsc/views.hpp>

#include <Eigen/Dense>
#include <array>

namespace gearshift::solid {

namespace {

template <std::size_t N>
void sum_up(MPI_Comm comm, std::array<PetscReal, N>& sums) {
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(N), MPIU_REAL, MPIU_SUM, comm);
}

Eigen::Vector3d vector(const PetscScalar* x) { return {x[0], x[1], x[2]}; }

/// The nodes started from X and are now at X + way.
Eigen::Vector3d place(const Space& space, std::size_t node) {
  const Vec3& X = space.coordinates()[node];
  return {X[0], X[1], X[2]};
}

/// Means of X, way and v over all nodes, and what remains of way and v without translation and rotation: the rotation
/// of way comes from the polar decomposition of sum (x - mean) (X - mean)', that of v from the angular momentum of
/// equal masses at the nodes.
void take_out_of_free_body(const Space& space, Vec way, Vec v) {
  const petsc::WriteView u(way), w(v);
  const std::size_t nodes = u.size() / 3;
  std::array<PetscReal, 10> means{};
  for (std::size_t node = 0; node < nodes; ++node)
    for (std::size_t c = 0; c < 3; ++c) {
      means[c] += space.coordinates()[node][c];
      means[3 + c] += u[3 * node + c];
      means[6 + c] += w[3 * node + c];
    }
  means[9] = static_cast<PetscReal>(nodes);
  sum_up(space.comm(), means);
  for (std::size_t i = 0; i < 9; ++i) means[i] /= means[9];
  const Eigen::Vector3d middle = vector(&means[0]), moved = vector(&means[3]), drift = vector(&means[6]);
  std::array<PetscReal, 21> moments{};
  Eigen::Map<Eigen::Matrix3d> turn(&moments[0]), inertia(&moments[9]);
  Eigen::Map<Eigen::Vector3d> momentum(&moments[18]);
  for (std::size_t node = 0; node < nodes; ++node) {
    const Eigen::Vector3d r = place(space, node) - middle, x = r + vector(&u[3 * node]) - moved;
    turn += x * r.transpose();
    inertia += x.squaredNorm() * Eigen::Matrix3d::Identity() - x * x.transpose();
    momentum += x.cross(vector(&w[3 * node]) - drift);
  }
  sum_up(space.comm(), moments);
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(turn, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d sign = Eigen::Matrix3d::Identity();
  if ((svd.matrixU() * svd.matrixV().transpose()).determinant() < 0) sign(2, 2) = -1;
  const Eigen::Matrix3d rotation = svd.matrixU() * sign * svd.matrixV().transpose();
  const Eigen::Vector3d spin = Eigen::Matrix3d(inertia).ldlt().solve(Eigen::Vector3d(momentum));
  for (std::size_t node = 0; node < nodes; ++node) {
    const Eigen::Vector3d r = place(space, node) - middle, x = r + vector(&u[3 * node]) - moved,
                          left = x - rotation * r, rate = vector(&w[3 * node]) - drift - spin.cross(x);
    for (std::size_t c = 0; c < 3; ++c) {
      u[3 * node + c] = left[static_cast<Eigen::Index>(c)];
      w[3 * node + c] = rate[static_cast<Eigen::Index>(c)];
    }
  }
}

}  // namespace

bool take_out_rigid_motion(const Space& space, const Supports& supports, Vec way, Vec v) {
  // For each axis: number and sum of the supported entries' motions, then of all entries'.
  std::array<PetscReal, 18> sums{};
  {
    const petsc::ReadView u(way), w(v);
    for (const PetscInt index : supports.entries()) {
      const auto entry = static_cast<std::size_t>(index), c = entry % 3;
      ++sums[c];
      sums[3 + c] += u[entry];
      sums[6 + c] += w[entry];
    }
    for (std::size_t entry = 0; entry < u.size(); ++entry) {
      ++sums[9 + entry % 3];
      sums[12 + entry % 3] += u[entry];
      sums[15 + entry % 3] += w[entry];
    }
  }
  sum_up(space.comm(), sums);
  if (sums[0] + sums[1] + sums[2] == 0) {
    take_out_of_free_body(space, way, v);
    return true;
  }
  if (supports.at_rest() && sums[0] > 0 && sums[1] > 0 && sums[2] > 0) return false;
  const petsc::WriteView u(way), w(v);
  for (std::size_t entry = 0; entry < u.size(); ++entry) {
    const std::size_t c = entry % 3, from = sums[c] > 0 ? 0 : 9;
    u[entry] -= sums[from + 3 + c] / sums[from + c];
    w[entry] -= sums[from + 6 + c] / sums[from + c];
  }
  return true;
}

}  // namespace gearshift::solid
