#pragma once

/// @file
/// From text to instructions.

#include "expression/program.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gearshift::expression {

/// Compiles a formula. OptionError with a caret under the place, and what was expected there.
/// @param used receives the tables that it calls
Program parse(const std::string& text, const Tables& tables, std::vector<std::shared_ptr<const Table>>& used);

}  // namespace gearshift::expression
