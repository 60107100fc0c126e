#pragma once

#include <span>

namespace bench {

/// A solver of the benchmark: its program and options.
struct Solver {
  const char* name;
  const char* kind;     ///< as in run.hpp
  const char* options;  ///< defaults; the command line takes precedence
  const char* what;     ///< one line for -list
};

std::span<const Solver> solvers();

/// Returns a solver of the table. Throws gearshift::OptionError for an unknown name.
const Solver& find_solver(const char* name);

}  // namespace bench
