#pragma once

/// @file
/// Single points of a body.

#include <gearshift/solid/space.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace gearshift::solid {

/// A point that moves with the body, u(X) = sum_i N_i u_i over the nodes of its cell. One rank has it: of those that
/// share a boundary, the lowest.
class GEARSHIFT_EXPORT MaterialPoint {
 public:
  /// @param what as messages call it, such as "probe tip". @param X reference position [length]. Throws OptionError
  /// with the mesh's bounding box for a point outside of it. Collective.
  MaterialPoint(const Space& space, std::string_view what, const Vec3& X);

  const Vec3& X() const { return X_; }
  /// Whether this rank has it; only then the following say something.
  bool mine() const { return mine_; }
  PetscInt cell() const { return cell_; }
  /// N_i of the cell's nodes.
  std::span<const double> shape() const { return shape_; }

 private:
  Vec3 X_;
  bool mine_ = false;
  PetscInt cell_ = 0;
  std::vector<double> shape_;
};

}  // namespace gearshift::solid
