#pragma once

/// @file
/// The peak arithmetic performance of the machine.

#include "solid/numerics/lanes.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// Performs `rounds` of independent multiply-adds, enough to keep the machine busy; returns their number of operations.
inline double multiply_adds(long rounds) {
  constexpr int chains = 12;  // two units with a latency of four or five cycles
  Lanes x[chains], factor(0.999999999), shift(1e-9);
  for (int i = 0; i < chains; ++i) x[i] = Lanes(1.0 + i);
  for (long round = 0; round < rounds; ++round)
    for (auto& value : x) value = value * factor + shift;
  Lanes sum(0.0);
  for (const auto& value : x) sum += value;
  // The comparison prevents the loop from being optimised away: the sum is never NaN.
  return sum.v[0] == sum.v[0] ? 2.0 * chains * lanes * static_cast<double>(rounds) : 0;
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
