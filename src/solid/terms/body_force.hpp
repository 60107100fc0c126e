#pragma once

/// @file
/// Gravity and other forces per mass.

#include "solid/material/material_table.hpp"
#include "solid/terms/dead_load.hpp"

namespace gearshift::solid {

/// f = int rho b(t, X) . phi over the undeformed body, b per unit mass [length/time^2].
class BodyForce : public DeadLoad {
 public:
  BodyForce(const Space& space, const MaterialTable& material, TimeHistory b)
      : DeadLoad(std::move(b)), space_(space), material_(material) {}

  std::string add_forces(PetscReal t, NodalSum& sum) const override;

 private:
  const Space& space_;
  const MaterialTable& material_;
};

}  // namespace gearshift::solid
