#pragma once

/// @file
/// From text to instructions.

#include "expression/program.hpp"

#include <string>

namespace gearshift::expression {

/// Compiles a formula. OptionError with a caret under the place, and what was expected there.
Program parse(const std::string& text);

}  // namespace gearshift::expression
