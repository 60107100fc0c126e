#pragma once

#include <gearshift/petsc/handle.hpp>

#include <petscsnes.h>

#include <array>
#include <string_view>

namespace gearshift {

/// While it lives, a SNES takes whole Newton steps, halved only where the state is invalid. A static solve begins so:
/// the residual of a slender body first has to rise, and a search that wants it to fall creeps. Steps that go round
/// among a few residuals, as across a jump of the force, end the solve.
///
/// Nothing changes where somebody has chosen: another SNES than newtonls, another search than PETSc's default, the key
/// -snes_linesearch_type, or checks of the step.
class FullSteps {
 public:
  struct Past {
    std::array<PetscReal, 8> norms{};  // of the last residuals, in turn
    int returns = 0;
  };

  /// @param patience so many times the iterations are allowed
  FullSteps(SNES snes, std::string_view prefix, bool from_options, PetscInt patience = 1);
  ~FullSteps();
  FullSteps(const FullSteps&) = delete;
  FullSteps& operator=(const FullSteps&) = delete;

  bool active() const { return static_cast<bool>(former_); }

 private:
  SNES snes_;
  petsc::Handle<SNESLineSearch> former_;
  mutable Past past_;  // written by the search
  PetscReal divergence_ = 0;
  PetscInt max_iterations_ = 0;
};

}  // namespace gearshift
