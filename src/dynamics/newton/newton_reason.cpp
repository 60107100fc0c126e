#include <gearshift/dynamics/report.hpp>

#include <array>
#include <cstddef>

namespace gearshift {

const char* to_string(NewtonReason reason) {
  constexpr std::array words{"none",
                             "petsc",
                             "equilibrium",
                             "residual_initial",
                             "residual_successive",
                             "residual_absolute",
                             "increment_relative",
                             "increment_absolute",
                             "increment_sum",
                             "wrms",
                             "truncation",
                             "rounding",
                             "diverged"};
  static_assert(words.size() == static_cast<std::size_t>(NewtonReason::diverged) + 1);
  return words[static_cast<std::size_t>(reason)];
}

}  // namespace gearshift
