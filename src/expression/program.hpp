#pragma once

/// @file
/// A compiled formula: instructions in postfix order.

#include <gearshift/expression/expression.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gearshift::expression {

/// The operations, sorted by their number of operands; run() and branches_of() compare positions in this order.
enum class Op : std::uint8_t {
  // operands: none
  number,
  t,
  x,
  y,
  z,
  // one
  negate,
  logical_not,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  step,
  table,
  ramp,
  // two
  add,
  subtract,
  multiply,
  divide,
  power,
  atan2,
  min,
  max,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  // three
  select
};

using Program = std::vector<Expression::Instruction>;

/// Maximum number of pending operands on the stack.
constexpr std::size_t max_stack = 64;

inline Op operation(const Expression::Instruction& instruction) { return static_cast<Op>(instruction.operation); }

}  // namespace gearshift::expression
