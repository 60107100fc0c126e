#pragma once

/// @file
/// Rotations of bodies: results must not depend on the orientation.

#include <gearshift/solid/stress.hpp>

#include "solid/helpers.hpp"

#include <Eigen/Geometry>
#include <random>
#include <vector>

namespace gearshift::solid::test {

struct Turn {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();

  static Vec3 times(const Eigen::Matrix3d& A, const Vec3& x) {
    const Eigen::Vector3d y = A * Eigen::Vector3d(x[0], x[1], x[2]);
    return {y[0], y[1], y[2]};
  }
  Vec3 operator()(const Vec3& x) const { return times(R, x); }
  Vec3 back(const Vec3& x) const { return times(R.transpose(), x); }
  /// R s R'
  Symmetric operator()(const Symmetric& s) const {
    Eigen::Matrix3d S;
    S << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
    S = R * S * R.transpose();
    return {S(0, 0), S(1, 1), S(2, 2), S(0, 1), S(1, 2), S(0, 2)};
  }
  /// Returns the displacement of the rotated body that corresponds to u of the original one.
  template <class Displacement>
  auto of(Displacement u) const {
    return [turn = *this, u](const Vec3& X) { return turn(Vec3(u(turn.back(X)))); };
  }
};

/// Returns uniformly distributed rotations, the same ones each time.
inline std::vector<Turn> random_turns(int count, unsigned seed = 7) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<Turn> turns;
  for (int i = 0; i < count; ++i) {
    double q[4];
    for (double& x : q) x = normal(engine);
    turns.push_back({Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix()});
  }
  return turns;
}

/// The original orientation, and a random one.
inline std::vector<Turn> turns() { return {Turn{}, random_turns(1).front()}; }

/// x -> y -> z -> x
inline Turn renamed_axes() {
  Turn turn;
  turn.R << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  return turn;
}

/// Rotates a mesh about the origin, then shifts it.
inline void apply(const Turn& turn, const Mesh& mesh, const Vec3& shift = {}) {
  Vec coordinates = nullptr;
  check(DMGetCoordinatesLocal(mesh.dm(), &coordinates));
  {
    petsc::WriteView x(coordinates);
    for (std::size_t i = 0; i + 2 < x.size(); i += 3) {
      const Vec3 moved = turn(Vec3{x[i], x[i + 1], x[i + 2]});
      for (std::size_t c = 0; c < 3; ++c) x[i + c] = moved[c] + shift[c];
    }
  }
  check(DMSetCoordinatesLocal(mesh.dm(), coordinates));
}

}  // namespace gearshift::solid::test
