#include <gearshift/expression/expression.hpp>

#include "expression/parser.hpp"
#include "expression/run.hpp"

#include <algorithm>
#include <utility>

namespace gearshift::expression {

Expression::Expression(std::string text, const Tables& tables)
    : text_(std::move(text)), program_(parse(text_, tables, tables_)) {}

PetscReal Expression::operator()(PetscReal t, const Place& X) const { return run<PetscReal>(program_, t, X); }

Jet Expression::jet(PetscReal t, const Place& X) const { return run<Jet>(program_, Jet{t, 1, 0}, X, NoWatch{}, true); }

Jet Expression::along(PetscReal t, const Place& X, const Place& direction) const {
  return run<Jet>(program_, Jet{t},
                  std::array{Jet{X[0], direction[0]}, Jet{X[1], direction[1]}, Jet{X[2], direction[2]}});
}

bool Expression::depends_on_time() const {
  return std::any_of(program_.begin(), program_.end(), [](const Instruction& i) { return operation(i) == Op::t; });
}

bool Expression::depends_on_place() const {
  return std::any_of(program_.begin(), program_.end(), [](const Instruction& i) {
    const Op op = operation(i);
    return op == Op::x || op == Op::y || op == Op::z;
  });
}

}  // namespace gearshift::expression
