#pragma once

/// @file
/// Materials that are stiffer and heavier.

#include "solid/material/law_description.hpp"

namespace gearshift::solid {

/// The same law with all moduli, and so all stresses, times `stiffness` and the density times `mass`. Not of registered
/// laws, whose parameters need not be moduli.
inline Material scaled(Material m, PetscReal stiffness, PetscReal mass) {
  for (const LawParameter& known : known_parameters())
    if (known.member && known.is_stress()) m.*known.member *= stiffness;
  std::size_t further = 0;
  for (const LawParameter& own : description_of(m.law).parameters)
    if (!own.member) m.parameters[further++] *= own.is_stress() ? stiffness : 1;
  m.rho *= mass;
  return m;
}

}  // namespace gearshift::solid
