#pragma once

#include <span>

namespace bench {

/// A solver of the benchmark: which program runs with which options.
struct Solver {
  const char* name;
  const char* kind;     ///< as in run.hpp
  const char* options;  ///< defaults; the command line wins
  const char* what;     ///< one line for -list
};

std::span<const Solver> solvers();

/// Throws gearshift::OptionError for a name that is not in the table.
const Solver& find_solver(const char* name);

}  // namespace bench
