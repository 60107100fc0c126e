#include "expression/functions.hpp"

#include <cmath>
#include <limits>

namespace gearshift::expression {

Derivatives differentiate(Op op, PetscReal a) {
  switch (op) {
    case Op::sin:
      return {std::sin(a), std::cos(a), -std::sin(a)};
    case Op::cos:
      return {std::cos(a), -std::sin(a), -std::cos(a)};
    case Op::tan: {
      const PetscReal f = std::tan(a), f1 = 1 + f * f;
      return {f, f1, 2 * f * f1};
    }
    case Op::asin: {
      const PetscReal s = 1 / std::sqrt((1 - a) * (1 + a));
      return {std::asin(a), s, a * s * s * s};
    }
    case Op::acos: {
      const PetscReal s = 1 / std::sqrt((1 - a) * (1 + a));
      return {std::acos(a), -s, -a * s * s * s};
    }
    case Op::atan: {
      const PetscReal s = 1 / (1 + a * a);
      return {std::atan(a), s, -2 * a * s * s};
    }
    case Op::sinh:
      return {std::sinh(a), std::cosh(a), std::sinh(a)};
    case Op::cosh:
      return {std::cosh(a), std::sinh(a), std::cosh(a)};
    case Op::tanh: {
      const PetscReal f = std::tanh(a), s = 1 / std::cosh(a);
      return {f, s * s, -2 * f * s * s};
    }
    case Op::exp:
      return {std::exp(a), std::exp(a), std::exp(a)};
    case Op::log:
      return {std::log(a), 1 / a, -1 / (a * a)};
    case Op::sqrt: {
      const PetscReal f = std::sqrt(a);
      return {f, 0.5 / f, -0.25 / (f * a)};
    }
    case Op::ramp:
      if (a <= 0) return {0, 0, 0};
      if (a >= 1) return {1, 0, 0};
      return {a * a * a * (10 + a * (6 * a - 15)), 30 * a * a * (1 - a) * (1 - a), 60 * a * (1 - a) * (1 - 2 * a)};
    case Op::step:
      return {std::isnan(a) ? a : (a >= 0 ? 1.0 : 0.0), 0, 0};
    default:
      return {std::numeric_limits<PetscReal>::quiet_NaN(), 0, 0};
  }
}

bool compare(Op op, PetscReal a, PetscReal b) {
  switch (op) {
    case Op::less:
      return a < b;
    case Op::less_equal:
      return a <= b;
    case Op::greater:
      return a > b;
    case Op::greater_equal:
      return a >= b;
    case Op::equal:
      return a == b;
    case Op::not_equal:
      return a != b;
    case Op::logical_and:
      return a != 0 && b != 0;
    default:
      return a != 0 || b != 0;
  }
}

}  // namespace gearshift::expression
