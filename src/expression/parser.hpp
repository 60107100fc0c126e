#pragma once

/// @file
/// Compiler of formulas: from text to instructions.

#include "expression/program.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gearshift::expression {

/// Compiles a formula. Throws OptionError with a caret under the error and the text expected there.
/// @param used receives the tables that the formula calls
Program parse(const std::string& text, const Tables& tables, std::vector<std::shared_ptr<const Table>>& used);

}  // namespace gearshift::expression
