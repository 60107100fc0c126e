#pragma once

#include "run.hpp"

#include <string>

namespace bench {

/// Relative differences in the 2-norm to a reference.
struct Errors {
  double q = -1, v = -1;  ///< negative: not known
};

void save_state(const std::string& file, const Run& run);

/// Errors against the state in `file`; not known when the name is empty. Throws gearshift::IoError without the file.
Errors compare(const std::string& file, const Problem& problem, const Run& run);

/// One JSON object on one line.
std::string json_line(const Problem& problem, const Settings& settings, const Run& run, const Errors& errors);

}  // namespace bench
