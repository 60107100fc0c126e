#pragma once

/// @file
/// Materials with Maxwell branches, and internal variables for testing them.

#include "solid/plain_sum.hpp"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace gearshift::solid::test {

constexpr PetscReal infinite = std::numeric_limits<PetscReal>::infinity();

inline Material with_branches(Law law, std::vector<PetscReal> g, std::vector<PetscReal> tau) {
  Material m = material(law);
  m.prony_g = std::move(g);
  m.prony_tau = std::move(tau);
  return m;
}

inline const std::vector<PetscReal> two_g{0.3, 0.45}, two_tau{0.2, 3.0};

/// Returns internal variables that differ from entry to entry.
inline Handle<Vec> some_internal(const Body& body, double size) {
  Handle<Vec> z;
  check(VecDuplicate(body.internal_layout(), z.out()));
  petsc::WriteView values(z.get());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = size * std::sin(1.7 * static_cast<double>(i % 977) + 0.3);
  return z;
}

inline Handle<Vec> like(Vec other) {
  Handle<Vec> result;
  check(VecDuplicate(other, result.out()));
  return result;
}

}  // namespace gearshift::solid::test
