#pragma once

/// @file
/// The arithmetic that the machine is able to do.

#include "solid/numerics/lanes.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// `rounds` of independent multiply-adds, as many as fill the machine; returns their number of operations.
inline double multiply_adds(long rounds) {
  constexpr int chains = 12;  // two units, latency of four or five
  Lanes x[chains], factor(0.999999999), shift(1e-9);
  for (int i = 0; i < chains; ++i) x[i] = Lanes(1.0 + i);
  for (long round = 0; round < rounds; ++round)
    for (auto& value : x) value = value * factor + shift;
  Lanes sum(0.0);
  for (const auto& value : x) sum += value;
  // Not to be optimised away: the sum is never NaN.
  return sum.v[0] == sum.v[0] ? 2.0 * chains * lanes * static_cast<double>(rounds) : 0;
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
