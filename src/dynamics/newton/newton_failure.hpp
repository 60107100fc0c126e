#pragma once

#include <string>

namespace gearshift {

class NewtonSolver;

/// Why a nonlinear solve failed.
struct NewtonFailure {
  std::string text;          ///< for StepReport::failure
  bool unsupported = false;  ///< the body, at rest, can move rigidly
};

/// Describes the failure of the last solve. Collective. @param indefinite it met an indefinite tangent
NewtonFailure describe_failure(NewtonSolver& newton, bool indefinite);

}  // namespace gearshift
