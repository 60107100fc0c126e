#pragma once

#include "problem.hpp"

#include <memory>
#include <string>
#include <vector>

namespace bench {

/// Creates one of bar, bar0 (undamped), steep (a steepening wave), cant2, cant3, pend. If `nodes` is not empty it
/// replaces the numbers of nodes along the axes. Throws gearshift::OptionError for another name.
std::unique_ptr<Problem> make_problem(const std::string& name, const std::vector<PetscInt>& nodes);

}  // namespace bench
