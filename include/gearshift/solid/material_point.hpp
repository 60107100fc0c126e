#pragma once

/// @file
/// Single points of a body.

#include <gearshift/solid/space.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace gearshift::solid {

/// A point that moves with the body, u(X) = sum_i N_i u_i over the nodes of its cell. It belongs to one rank: the
/// lowest one of those that share a boundary there.
class GEARSHIFT_EXPORT MaterialPoint {
 public:
  /// @param what its name in messages, such as "probe tip". @param X reference position [length]. Throws OptionError
  /// with the mesh's bounding box if the point lies outside the body. Collective.
  MaterialPoint(const Space& space, std::string_view what, const Vec3& X);

  const Vec3& X() const { return X_; }
  /// Returns true if the point belongs to this rank; the functions below are valid only then.
  bool mine() const { return mine_; }
  PetscInt cell() const { return cell_; }
  /// Returns N_i of the cell's nodes.
  std::span<const double> shape() const { return shape_; }

 private:
  Vec3 X_;
  bool mine_ = false;
  PetscInt cell_ = 0;
  std::vector<double> shape_;
};

}  // namespace gearshift::solid
