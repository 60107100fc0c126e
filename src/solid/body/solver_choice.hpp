#pragma once

/// @file
/// The choice of a body's preconditioner.

#include <gearshift/solid/body.hpp>

#include <petscsnes.h>

#include <string>

namespace gearshift::solid {

/// The preconditioner that results from a solver's options, found by their prefix, and the body's own setting.
class SolverChoice {
 public:
  SolverChoice(Solver wanted, int degree, bool single_levels, std::string prefix)
      : wanted_(wanted), degree_(degree), single_levels_(single_levels), prefix_(std::move(prefix)) {}

  /// Returns pmg, jacobi, or amg (the tangent is then assembled); never `automatic`.
  Solver solver() const;
  /// Returns true if the levels of pmg are PETSc's, in double precision.
  bool double_levels() const;
  /// Returns true if the preconditioner works in single precision. Because of rounding it is not a linear operator, so
  /// that flexible GMRES is needed: plain GMRES would report convergence with a true error of 1e-6 to 1e-3, since it
  /// forms its solution with only one product of the preconditioner.
  bool float_levels() const { return solver() == Solver::pmg && !double_levels(); }
  /// Returns true if the user wants products by differences of residuals: without a tangent there are no levels.
  bool by_differences() const;
  /// Returns the number of vectors of GMRES (used instead of CG for an unsymmetric tangent), including its whole basis.
  double basis_vectors() const;
  /// Throws OptionError for options that do not work for a body on this number of ranks.
  void check_options(int ranks) const;
  /// Returns true if the options do not name a preconditioner other than GAMG.
  bool takes_gamg() const;
  /// Sets the defaults of a preconditioner on the assembled tangent before it reads its options: GAMG, or, for the type
  /// given in the options, the settings that CG needs.
  void prefer_assembled(PC pc) const;

 private:
  std::string option(const char* key) const;

  Solver wanted_;
  int degree_;
  bool single_levels_;
  std::string prefix_;
};

}  // namespace gearshift::solid
