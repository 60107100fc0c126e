#pragma once

#include <gearshift/dynamics/state.hpp>
#include <gearshift/dynamics/stepper_options.hpp>

#include <petscsnes.h>

#include <string_view>

namespace gearshift {

/// Distinguishes tolerances of a SNES and its linear solver that are PETSc's defaults from those that options, the
/// System or the program have chosen. Chosen tolerances are never loosened.
class ChosenTolerances {
 public:
  static constexpr PetscReal default_rtol = 1e-8;  ///< PETSc's, of the residual

  /// @param test only the automatic test may stop early
  explicit ChosenTolerances(NewtonTest test) : may_tie_(test == NewtonTest::automatic) {}

  /// Notes the options that are given.
  void read(SNES snes, std::string_view prefix, bool from_options);

  /// Returns true if all tolerances are PETSc's defaults.
  bool are_default() const;
  /// Returns true if a tolerance of the residual is chosen but none of the increments.
  bool residual_alone() const;
  /// Returns true if Newton's method may stop at an error that its solution may have, instead of PETSc's tolerances.
  bool may_stop_early() const;
  /// Returns true if the linear systems of an equilibrium may be solved to other tolerances than the linear solver's.
  bool may_loosen(const Shifts& slope) const;

 private:
  SNES snes_ = nullptr;  // nullptr: a host's, whose tolerances are never loosened
  bool may_tie_, may_loosen_ = false, residual_asked_ = false, increment_asked_ = false;
};

}  // namespace gearshift
