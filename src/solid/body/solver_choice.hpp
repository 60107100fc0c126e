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
  SolverChoice(Solver wanted, int degree, std::string prefix)
      : wanted_(wanted), degree_(degree), prefix_(std::move(prefix)) {}

  /// Returns pmg, jacobi, or amg (the tangent is then assembled); never `automatic`. In single precision pmg is not a
  /// linear operator because of rounding, so that flexible GMRES is needed: plain GMRES would report convergence with a
  /// true error of 1e-6 to 1e-3, since it forms its solution with only one product of the preconditioner.
  Solver solver() const;
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
  std::string prefix_;
};

}  // namespace gearshift::solid
