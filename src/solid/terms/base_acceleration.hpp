#pragma once

/// @file
/// The inertia of a body whose motion is told relative to a shaken base.

#include "solid/material/material_table.hpp"
#include "solid/terms/dead_load.hpp"

#include <vector>

namespace gearshift::solid {

/// f = -a(t) int rho phi over the undeformed body, a the acceleration of the base [length/time^2], the same everywhere:
/// with it M q'' + F(q) = f is the motion relative to the base. int rho phi is found once.
class BaseAcceleration : public DeadLoad {
 public:
  BaseAcceleration(const Space& space, const MaterialTable& material, TimeHistory a)
      : DeadLoad(std::move(a)), space_(space), material_(material) {}

  std::string add_forces(PetscReal t, NodalSum& sum) const override;
  static double bytes(const Space& space) { return sizeof(double) * static_cast<double>(space.local_nodes()); }

 private:
  void find_masses() const;

  const Space& space_;
  const MaterialTable& material_;
  mutable std::vector<double> masses_;  // this rank's cells' parts at local nodes; empty: not known yet
};

}  // namespace gearshift::solid
