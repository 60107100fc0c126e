#include <gearshift/dynamics/report.hpp>

namespace gearshift {

const char* to_string(NewtonReason reason) {
  switch (reason) {
    case NewtonReason::none:
      return "none";
    case NewtonReason::petsc:
      return "petsc";
    case NewtonReason::equilibrium:
      return "equilibrium";
    case NewtonReason::residual_initial:
      return "residual_initial";
    case NewtonReason::residual_successive:
      return "residual_successive";
    case NewtonReason::residual_absolute:
      return "residual_absolute";
    case NewtonReason::increment_relative:
      return "increment_relative";
    case NewtonReason::increment_absolute:
      return "increment_absolute";
    case NewtonReason::increment_sum:
      return "increment_sum";
    case NewtonReason::wrms:
      return "wrms";
    case NewtonReason::truncation:
      return "truncation";
    case NewtonReason::rounding:
      return "rounding";
    case NewtonReason::diverged:
      return "diverged";
  }
  return "unknown";
}

}  // namespace gearshift
