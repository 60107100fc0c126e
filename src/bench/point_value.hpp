#pragma once

/// @file
/// The value of a field at one point.

#include <gearshift/solid/space.hpp>

#include <optional>

namespace gearshift::bench {

/// Evaluates fields at one reference point. Collective. Throws OptionError if no cell contains the point.
class PointValue {
 public:
  PointValue(const solid::Space& space, const solid::Vec3& X);
  solid::Vec3 of(Vec field);

 private:
  const solid::Space& space_;
  bool mine_ = false;
  PetscInt cell_ = 0;
  std::vector<double> shape_, local_;
};

}  // namespace gearshift::bench
