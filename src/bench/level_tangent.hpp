#pragma once

/// @file
/// The tangent of the multigrid levels.

#include <gearshift/solid/space.hpp>

#include "solid/constraints/constraints.hpp"
#include "solid/operator/level_operator.hpp"

#include <vector>

namespace gearshift::bench {

/// Multiplies the stiffness of a body at u by x, without supports, entirely in single precision.
class LevelTangent {
 public:
  /// Linearizes at u and copies x. Collective.
  LevelTangent(const solid::Space& space, const solid::Material& material, const solid::KernelOptions& kernels, Vec u,
               Vec x);
  void run() { operator_.apply(in_.data(), out_.data()); }

 private:
  solid::Constraints constraints_;
  solid::MaterialTable material_;
  solid::LevelOperator<float> operator_;
  std::vector<float> in_, out_;
};

}  // namespace gearshift::bench
