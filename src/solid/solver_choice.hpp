#pragma once

/// @file
/// The choice of a body's preconditioner.

#include <gearshift/solid/body.hpp>

#include <petscsnes.h>

#include <string>

namespace gearshift::solid {

/// The preconditioner that follows from a solver's options, found by their prefix, and the body's own setting.
class SolverChoice {
 public:
  SolverChoice(Solver wanted, int degree, bool single_levels, std::string prefix)
      : wanted_(wanted), degree_(degree), single_levels_(single_levels), prefix_(std::move(prefix)) {}

  /// Not `automatic`: pmg, jacobi, or amg, for which the tangent is assembled.
  Solver solver() const;
  /// Whether pmg's levels are PETSc's, in double precision.
  bool double_levels() const;
  /// Whether the preconditioner works in single precision. Rounded so, it is no linear operator, and GMRES that is not
  /// flexible would end with an error of 1e-3 to 1e-6 and not know it: its solution takes one product with the
  /// preconditioner for all of them.
  bool float_levels() const { return solver() == Solver::pmg && !double_levels(); }
  /// Whether the user wants products by differences of residuals: without a tangent there are no levels.
  bool by_differences() const;
  /// The vectors of GMRES, which takes the place of CG where the tangent is unsymmetric: of its whole basis.
  double basis_vectors() const;
  /// OptionError for what a body cannot do on so many ranks.
  void check_options(int ranks) const;
  /// Whether the options name no other preconditioner than GAMG.
  bool takes_gamg() const;
  /// The defaults of a preconditioner on the assembled tangent, before it reads its options: GAMG, or of the type that
  /// they name what CG needs.
  void prefer_assembled(PC pc) const;

 private:
  std::string option(const char* key) const;

  Solver wanted_;
  int degree_;
  bool single_levels_;
  std::string prefix_;
};

}  // namespace gearshift::solid
