#pragma once

/// @file
/// Materials that are stiffer and heavier.

#include <gearshift/solid/material.hpp>

namespace gearshift::solid {

/// The same law with all moduli, and so all stresses, times `stiffness` and the density times `mass`. Not of registered
/// laws, whose parameters need not be moduli.
inline Material scaled(Material m, PetscReal stiffness, PetscReal mass) {
  for (PetscReal* modulus :
       {&m.E, &m.mu1, &m.mu2, &m.mu3, &m.c1, &m.c2, &m.c3, &m.k1, &m.bulk, &m.yield, &m.hardening, &m.voce_saturation})
    *modulus *= stiffness;
  m.rho *= mass;
  return m;
}

}  // namespace gearshift::solid
