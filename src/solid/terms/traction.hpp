#pragma once

/// @file
/// Tractions on faces.

#include "solid/terms/dead_load.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace gearshift::solid {

/// f = int T(t, X) . phi over a face of the undeformed body, T per reference area [force/length^2].
class Traction : public DeadLoad {
 public:
  /// Creates a traction on T.face. Throws MeshError for an unknown face.
  Traction(const Space& space, TimeHistory T);

  /// Creates a pressure p(t, X) > 0 that pushes on the body: T = -p N of the undeformed face. Throws MeshError on all
  /// ranks for a face between two cells. Collective.
  static std::unique_ptr<Traction> of_pressure(const Space& space, TimeHistory p);

  /// Creates a force F(t) distributed uniformly over the undeformed area A of its face: T = F / A. Collective.
  static std::unique_ptr<Traction> of_force(const Space& space, TimeHistory F);

  /// Creates a couple M(t) on its face: T = a x (X - c) of the undeformed face, c its centroid, J a = M with J = int |X
  /// - c|^2 - (X - c) (X - c)' dA, so that the forces have no resultant and have the moment M about any point.
  /// Collective.
  static std::unique_ptr<Traction> of_torque(const Space& space, TimeHistory M);

  /// Creates the inertia force of a mass m, distributed uniformly over the face, under an acceleration a(t, X): T = m a
  /// / A. It does not count as a load of the face. Collective.
  static std::unique_ptr<Traction> of_mass(const Space& space, PetscReal m, TimeHistory a);

  std::string add_forces(PetscReal t, NodalSum& sum) const override;
  const std::string& place() const override { return place_; }

 private:
  /// A quadrature point of a face and the shape functions there, the same for all cells of one kind.
  struct ShapedPoint {
    FacePoint point;
    std::vector<double> shapes;
  };
  /// Calls use(cell, point, area, normal) for the points of this rank's facets, with the reference area of each point
  /// and the unit normal out of the cell.
  template <class Use>
  void for_points(Use&& use) const;
  /// Returns the area of the whole undeformed face. Collective.
  double area() const;

  const Space& space_;
  std::string place_;
  bool normal_ = false;                                          // a pressure, whose values are in component 0
  const char* kind_ = "traction";                                // the name used in messages
  std::vector<std::array<std::vector<ShapedPoint>, 6>> points_;  // [kind of cells][face]
};

}  // namespace gearshift::solid
