#pragma once

/// @file
/// What a compiled formula is made of: instructions in postfix order.

#include <gearshift/expression/expression.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gearshift::expression {

/// The operations in the order of their number of operands; run() and branches_of() compare positions in it.
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

/// Operands that are not yet used up, at most.
constexpr std::size_t max_stack = 64;

inline Op operation(const Expression::Instruction& instruction) { return static_cast<Op>(instruction.operation); }

}  // namespace gearshift::expression
