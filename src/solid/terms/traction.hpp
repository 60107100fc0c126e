#pragma once

/// @file
/// Tractions on faces.

#include "solid/terms/dead_load.hpp"

#include <array>
#include <vector>

namespace gearshift::solid {

/// f = int T(t, X) . phi over a face of the undeformed body, T per reference area [force/length^2].
class Traction : public DeadLoad {
 public:
  /// On T.face; MeshError for an unknown one.
  Traction(const Space& space, TimeCourse T);

  std::string add_forces(PetscReal t, NodalSum& sum) const override;

 private:
  /// A quadrature point of a face and the shape functions there, the same for all cells of a kind.
  struct ShapedPoint {
    FacePoint point;
    std::vector<double> shapes;
  };
  const Space& space_;
  std::vector<std::array<std::vector<ShapedPoint>, 6>> points_;  // of each kind of cells and face
};

}  // namespace gearshift::solid
