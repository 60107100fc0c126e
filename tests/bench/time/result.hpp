#pragma once

#include "run.hpp"

#include <string>

namespace bench {

/// Relative differences from a reference in the 2-norm.
struct Errors {
  double q = -1, v = -1;  ///< negative: unknown
};

void save_state(const std::string& file, const Run& run);

/// Returns errors relative to the state in `file`; unknown if the name is empty. Throws
/// gearshift::IoError if the file is missing.
Errors compare(const std::string& file, const Problem& problem, const Run& run);

/// Returns one JSON object on one line.
std::string json_line(const Problem& problem, const Settings& settings, const Run& run, const Errors& errors);

}  // namespace bench
