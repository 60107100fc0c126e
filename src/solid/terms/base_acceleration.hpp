#pragma once

/// @file
/// The inertia force of a body whose motion is described relative to a moving base (base excitation).

#include "solid/material/material_table.hpp"
#include "solid/terms/dead_load.hpp"

#include <vector>

namespace gearshift::solid {

/// f = -a(t) int rho phi over the undeformed body, with a the acceleration of the base [length/time^2], the same
/// everywhere: with it M q'' + F(q) = f describes the motion relative to the base. int rho phi is computed only once.
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
  mutable std::vector<double> masses_;  // contributions of this rank's cells at local nodes; empty: not computed yet
};

}  // namespace gearshift::solid
