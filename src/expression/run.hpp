#pragma once

/// @file
/// The interpreter of compiled formulas, for plain numbers or for jets.

#include "expression/functions.hpp"
#include "expression/jet.hpp"
#include "expression/program.hpp"

#include <array>
#include <cmath>

namespace gearshift::expression {

/// A branch of a formula. The switch is on if `value` >= 0 (strict: > 0).
template <class Number>
struct Branch {
  Number value{};
  bool strict = false;
  bool smooth = false;           // true for ramp, whose second derivative is continuous
  const Table* table = nullptr;  // table with the argument `value`; it has a switch at each of its points
};

struct NoWatch {
  template <class Number>
  void operator()(const Branch<Number>&) const {}
};

/// Runs the program. Calls `watch` at each branch. If `forward`, jets in time have the derivatives just after the time
/// where the branches of min, max or abs meet. `Coordinate` is Number if derivatives with respect to X are
/// computed, otherwise a plain number.
template <class Number, class Coordinate, class Watch = NoWatch>
Number run(const Program& program, const Number& t, const std::array<Coordinate, 3>& X, Watch watch = {},
           bool forward = false) {
  const auto less = [forward](const Number& a, const Number& b) { return forward ? below(a, b) : value(a) < value(b); };
  std::array<Number, max_stack> stack;
  Number* top = stack.data();  // one past the last operand
  for (const Expression::Instruction& instruction : program) {
    const Op op = operation(instruction);
    switch (op) {
      case Op::number:
        *top++ = Number{instruction.number};
        break;
      case Op::t:
        *top++ = t;
        break;
      case Op::x:
        *top++ = Number{X[0]};
        break;
      case Op::y:
        *top++ = Number{X[1]};
        break;
      case Op::z:
        *top++ = Number{X[2]};
        break;
      case Op::negate:
        top[-1] = negate(top[-1]);
        break;
      case Op::logical_not:
        top[-1] = Number{value(top[-1]) == 0 ? 1.0 : 0.0};
        break;
      case Op::table: {
        watch(Branch<Number>{top[-1], false, false, instruction.table});
        const Jet f = instruction.table->at(value(top[-1]));
        top[-1] = chain(top[-1], f.f, f.f_t, f.f_tt);
        break;
      }
      case Op::add:
        --top;
        top[-1] = add(top[-1], top[0]);
        break;
      case Op::subtract:
        --top;
        top[-1] = add(top[-1], negate(top[0]));
        break;
      case Op::multiply:
        --top;
        top[-1] = multiply(top[-1], top[0]);
        break;
      case Op::divide:
        --top;
        top[-1] = divide(top[-1], top[0]);
        break;
      case Op::power:
        --top;
        top[-1] = power(top[-1], top[0]);
        break;
      case Op::atan2:
        --top;
        top[-1] = arctangent(top[-1], top[0]);
        break;
      // These forms keep a NaN among the operands.
      case Op::min:
        --top;
        watch(Branch<Number>{add(top[-1], negate(top[0]))});
        if ((less(top[0], top[-1]) || std::isnan(value(top[0]))) && !std::isnan(value(top[-1]))) top[-1] = top[0];
        break;
      case Op::max:
        --top;
        watch(Branch<Number>{add(top[-1], negate(top[0]))});
        if ((less(top[-1], top[0]) || std::isnan(value(top[0]))) && !std::isnan(value(top[-1]))) top[-1] = top[0];
        break;
      case Op::less:
      case Op::less_equal:
      case Op::greater:
      case Op::greater_equal:
      case Op::equal:
      case Op::not_equal:
      case Op::logical_and:
      case Op::logical_or:
        --top;
        if (op >= Op::less && op <= Op::greater_equal)
          watch(Branch<Number>{add(top[-1], negate(top[0])), op == Op::less_equal || op == Op::greater});
        top[-1] = Number{compare(op, value(top[-1]), value(top[0])) ? 1.0 : 0.0};
        break;
      case Op::select:
        top -= 2;
        top[-1] = value(top[-1]) != 0 ? top[0] : top[1];
        break;
      case Op::abs:
        watch(Branch<Number>{top[-1]});
        if (less(top[-1], Number{0.0}))
          top[-1] = negate(top[-1]);
        else if (!forward && value(top[-1]) == 0)
          top[-1] = Number{0.0};
        break;
      default: {
        if (op == Op::step) watch(Branch<Number>{top[-1]});
        if (op == Op::ramp) {
          watch(Branch<Number>{top[-1], false, true});
          watch(Branch<Number>{add(top[-1], Number{-1.0}), false, true});
        }
        const Derivatives d = differentiate(op, value(top[-1]));
        top[-1] = chain(top[-1], d.f, d.f1, d.f2);
      }
    }
  }
  return stack[0];
}

}  // namespace gearshift::expression
