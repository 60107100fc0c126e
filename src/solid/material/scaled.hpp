#pragma once

/// @file
/// Scaling of the stiffness and density of materials.

#include "solid/material/law_description.hpp"

namespace gearshift::solid {

/// Returns the material with its density times `mass` and all moduli, and so all stresses, times `stiffness`. The
/// parameters of registered laws remain unchanged, because they need not be moduli.
inline Material scaled(Material m, PetscReal stiffness, PetscReal mass) {
  for (const LawParameter& known : known_parameters())
    if (known.member && known.is_stress()) m.*known.member *= stiffness;
  m.rho *= mass;
  if (is_registered(m.law)) return m;
  std::size_t further = 0;
  for (const LawParameter& own : description_of(m.law).parameters)
    if (!own.member) m.parameters[further++] *= own.is_stress() ? stiffness : 1;
  return m;
}

}  // namespace gearshift::solid
