#pragma once

#include "preconditioner.hpp"
#include "problem.hpp"

#include <functional>
#include <string>

namespace bench {

/// What one run asked for and found. Counts of forces, products and so on are in the problem.
struct Run {
  Handle<Vec> q, v;  ///< the state at the end
  long steps = 0;
  long rejected = 0;  ///< attempts given up for the error or for Newton
  long newton = 0;
  long krylov = 0;
  int order = 0;                ///< of the last step
  PetscInt length = 0;          ///< of the Krylov vectors
  PetscInt krylov_vectors = 0;  ///< most that one linear solve kept; 0: not known
  double factor_nonzeros = 0;
  double memory = 0;  ///< growth of the resident memory's peak [MB]
  double cpu = 0, wall = 0, flops = 0;
  std::string failure;  ///< empty: none
};

/// How to run, from the command line and the table of solvers.
struct Settings {
  std::string label;  ///< name in the output
  std::string kind;   ///< which program runs, see solvers.cpp
  double tolerance = 1e-4;
  PetscInt steps = 0;  ///< fixed steps, for those who can; 0: error-controlled
};

/// Time, flops and memory of what lies between construction and stop().
class Meter {
 public:
  Meter();
  void stop(Run& run) const;

 private:
  double cpu_, wall_, memory_;
  PetscLogDouble flops_ = 0;
};

/// Runs a callback for a C library: 0, or `code` with a printed message when it throws.
int guarded(int code, const std::function<void()>& body);

/// @name The integrators; each starts from the problem's initial state
/// @{
Run run_sundials(Problem& problem, const Settings& settings);   ///< kinds cvode, ida, dirk, erk
Run run_petsc_ts(Problem& problem, const Settings& settings);   ///< kinds ts1 (first-order form), ts2 (second-order)
Run run_gearshift(Problem& problem, const Settings& settings);  ///< kind gear
Run run_two_n(Problem& problem, const Settings& settings);      ///< kind two_n: our BDF2 on twice the unknowns
/// @}

}  // namespace bench
