#pragma once

#include "preconditioner.hpp"
#include "problem.hpp"

#include <functional>
#include <string>

namespace bench {

/// The work and the results of one run. Counts of forces, products and so on are in the problem.
struct Run {
  Handle<Vec> q, v;  ///< the final state
  long steps = 0;
  long rejected = 0;  ///< attempts rejected by the error test or by Newton's method
  long newton = 0;
  long krylov = 0;
  int order = 0;                ///< of the last step
  PetscInt length = 0;          ///< of the Krylov vectors
  PetscInt krylov_vectors = 0;  ///< maximum number of vectors in one linear solve; 0: unknown
  double factor_nonzeros = 0;
  double memory = 0;  ///< growth of the peak of the resident memory [MB]
  double cpu = 0, wall = 0, flops = 0;
  std::string failure;  ///< empty: the run succeeded
};

/// Settings of a run, from the command line and the table of solvers.
struct Settings {
  std::string label;  ///< name in the output
  std::string kind;   ///< the program that runs, see solvers.cpp
  double tolerance = 1e-4;
  PetscInt steps = 0;  ///< fixed steps, for integrators that have them; 0: error-controlled
};

/// Measures time, flops and memory between construction and stop().
class Meter {
 public:
  Meter();
  void stop(Run& run) const;

 private:
  double cpu_, wall_, memory_;
  PetscLogDouble flops_ = 0;
};

/// Runs a callback for a C library: returns 0, or prints the message and returns `code` if it throws.
int guarded(int code, const std::function<void()>& body);

/// @name The integrators; each starts from the problem's initial state
/// @{
Run run_sundials(Problem& problem, const Settings& settings);   ///< kinds cvode, ida, dirk, erk
Run run_petsc_ts(Problem& problem, const Settings& settings);   ///< kinds ts1 (first-order form), ts2 (second-order)
Run run_gearshift(Problem& problem, const Settings& settings);  ///< kind gear
Run run_two_n(Problem& problem, const Settings& settings);      ///< kind two_n: BDF2 of gearshift on twice the unknowns
/// @}

}  // namespace bench
