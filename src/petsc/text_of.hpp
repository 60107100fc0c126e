#pragma once

/// @file
/// Real numbers in messages.

#include <petscsys.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

namespace gearshift::petsc {

/// Returns a real number with up to this number of significant digits, in exponential form if it is very small or very
/// large. (std::to_string() would turn 1e-9 into 0.000000.)
inline std::string text_of(PetscReal value, int digits = 6) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, static_cast<double>(value));
  return text.data();
}

/// Returns a count with its noun, such as "1 rank" or "4 ranks".
inline std::string count_of(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace gearshift::petsc
