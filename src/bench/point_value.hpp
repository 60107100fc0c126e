#pragma once

/// @file
/// The value of a field at one point.

#include <gearshift/solid/material_point.hpp>

#include <vector>

namespace gearshift::bench {

/// Evaluates fields at one reference point. Collective. Throws OptionError if no cell contains the point.
class PointValue {
 public:
  PointValue(const solid::Space& space, const solid::Vec3& X);
  solid::Vec3 of(Vec field);

 private:
  const solid::Space& space_;
  solid::MaterialPoint point_;
  std::vector<double> local_;
};

}  // namespace gearshift::bench
