#include <gearshift/petsc/options.hpp>
#include <gearshift/solid/expression.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string_view>
#include <utility>

namespace gearshift::solid {
namespace {

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

struct Function {
  std::string_view name;
  Op op;
  int arguments;  // -2: two or more
};

constexpr std::array functions{
    Function{"sin", Op::sin, 1},   Function{"cos", Op::cos, 1},     Function{"tan", Op::tan, 1},
    Function{"asin", Op::asin, 1}, Function{"acos", Op::acos, 1},   Function{"atan", Op::atan, 1},
    Function{"sinh", Op::sinh, 1}, Function{"cosh", Op::cosh, 1},   Function{"tanh", Op::tanh, 1},
    Function{"exp", Op::exp, 1},   Function{"log", Op::log, 1},     Function{"sqrt", Op::sqrt, 1},
    Function{"abs", Op::abs, 1},   Function{"step", Op::step, 1},   Function{"ramp", Op::ramp, 1},
    Function{"pow", Op::power, 2}, Function{"atan2", Op::atan2, 2}, Function{"min", Op::min, -2},
    Function{"max", Op::max, -2},  Function{"if", Op::select, 3}};

constexpr std::size_t max_stack = 64;
constexpr int max_nesting = 200;

/// Recursive descent over the text, one function per level of precedence; emits postfix instructions.
class Parser {
 public:
  Parser(const std::string& text, std::vector<Expression::Instruction>& program) : text_(text), program_(program) {}

  void parse() {
    skip_blanks();
    if (at_end()) fail("expected a number, a variable (t, x, y, z) or a function; the expression is empty");
    parse_or();
    if (!at_end()) fail(std::string("expected an operator or the end, found '") + text_[at_] + "'");
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const { fail(expected, at_); }

  [[noreturn]] void fail(const std::string& expected, std::size_t at) const {
    throw OptionError("wrong expression, column " + std::to_string(at + 1) + ": " + expected + "\n  " + text_ + "\n  " +
                      std::string(at, ' ') + "^");
  }

  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }

  void skip_blanks() {
    while (!at_end() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }

  bool accept(std::string_view token) {
    if (text_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    skip_blanks();
    return true;
  }

  void emit(Op op, int operands, PetscReal number = 0) {
    depth_ += 1 - operands;
    if (depth_ > static_cast<int>(max_stack)) fail("too many unfinished operands; split the expression");
    program_.push_back({static_cast<std::uint8_t>(op), number});
  }

  void parse_or() {
    parse_and();
    while (accept("||")) {
      parse_and();
      emit(Op::logical_or, 2);
    }
  }

  void parse_and() {
    parse_comparison();
    while (accept("&&")) {
      parse_comparison();
      emit(Op::logical_and, 2);
    }
  }

  bool accept_comparison(Op& op) {
    using Pair = std::pair<std::string_view, Op>;
    constexpr std::array<Pair, 6> comparisons{Pair{"<=", Op::less_equal}, Pair{">=", Op::greater_equal},
                                              Pair{"==", Op::equal},      Pair{"!=", Op::not_equal},
                                              Pair{"<", Op::less},        Pair{">", Op::greater}};
    for (const auto& [token, candidate] : comparisons)
      if (accept(token)) {
        op = candidate;
        return true;
      }
    return false;
  }

  void parse_comparison() {
    parse_sum();
    Op op{};
    if (!accept_comparison(op)) {
      if (peek() == '=') fail("expected '==' for a comparison");
      return;
    }
    parse_sum();
    emit(op, 2);
    const std::size_t second = at_;
    if (accept_comparison(op)) fail("comparisons do not chain; write a < b && b < c", second);
  }

  void parse_sum() {
    parse_product();
    for (;;) {
      if (accept("+")) {
        parse_product();
        emit(Op::add, 2);
      } else if (accept("-")) {
        parse_product();
        emit(Op::subtract, 2);
      } else {
        return;
      }
    }
  }

  void parse_product() {
    parse_unary();
    for (;;) {
      if (accept("*")) {
        parse_unary();
        emit(Op::multiply, 2);
      } else if (accept("/")) {
        parse_unary();
        emit(Op::divide, 2);
      } else {
        return;
      }
    }
  }

  void parse_unary() {
    if (++nesting_ > max_nesting) fail("nested too deeply");
    if (accept("-")) {
      parse_unary();
      emit(Op::negate, 1);
    } else if (accept("+")) {
      parse_unary();
    } else if (peek() == '!' && text_.compare(at_, 2, "!=") != 0) {
      accept("!");
      parse_unary();
      emit(Op::logical_not, 1);
    } else {
      parse_primary();
      if (accept("^")) {
        parse_unary();
        emit(Op::power, 2);
      }
    }
    --nesting_;
  }

  void parse_primary() {
    const char c = peek();
    if (accept("(")) {
      parse_or();
      if (!accept(")")) fail("expected ')' or an operator");
    } else if ((c >= '0' && c <= '9') || c == '.') {
      parse_number();
    } else if (is_letter(c)) {
      parse_name();
    } else {
      fail(at_end() ? "expected a number, a variable (t, x, y, z) or a function, found the end"
                    : std::string("expected a number, a variable (t, x, y, z) or a function, found '") + c + "'");
    }
  }

  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

  void parse_number() {
    PetscReal value = 0;
    const char* const end = text_.data() + text_.size();
    const auto [stop, error] = std::from_chars(text_.data() + at_, end, value);
    if (error != std::errc()) fail("expected a number that fits into double precision");
    at_ = static_cast<std::size_t>(stop - text_.data());
    skip_blanks();
    emit(Op::number, 0, value);
  }

  void parse_name() {
    const std::size_t start = at_;
    while (!at_end() && (is_letter(text_[at_]) || (text_[at_] >= '0' && text_[at_] <= '9'))) ++at_;
    const std::string name = text_.substr(start, at_ - start);
    skip_blanks();
    using Pair = std::pair<std::string_view, Op>;
    for (const auto& [variable, op] : {Pair{"t", Op::t}, Pair{"x", Op::x}, Pair{"y", Op::y}, Pair{"z", Op::z}})
      if (name == variable) return emit(op, 0);
    if (name == "pi") return emit(Op::number, 0, std::numbers::pi);
    const auto* const function =
        std::find_if(functions.begin(), functions.end(), [&](const Function& f) { return f.name == name; });
    if (function == functions.end())
      fail("'" + name + "' is unknown; there are t, x, y, z, pi and the functions " + function_names(), start);
    parse_arguments(*function, start);
  }

  void parse_arguments(const Function& function, std::size_t start) {
    const std::string name(function.name);
    if (!accept("(")) fail("expected '(' after the function " + name);
    int count = 1;
    parse_or();
    while (accept(",")) {
      parse_or();
      ++count;
      if (function.arguments == -2) emit(function.op, 2);
    }
    if (!accept(")")) fail("expected ')' or ',' in the arguments of " + name);
    if (function.arguments == -2 && count < 2) fail(name + " needs two or more arguments", start);
    if (function.arguments == -2) return;
    if (count != function.arguments)
      fail(name + " takes " + std::to_string(function.arguments) +
               (function.arguments == 1 ? " argument" : " arguments") + ", here are " + std::to_string(count),
           start);
    emit(function.op, count);
  }

  static std::string function_names() {
    std::string names;
    for (const Function& f : functions) names += (names.empty() ? "" : " ") + std::string(f.name);
    return names;
  }

  const std::string& text_;
  std::vector<Expression::Instruction>& program_;
  std::size_t at_ = 0;
  int depth_ = 0, nesting_ = 0;
};

// --- Arithmetic of plain numbers and of jets -------------------------------------------------------------------------

PetscReal value(PetscReal a) { return a; }
PetscReal value(const Jet& a) { return a.f; }

/// f(a) by the chain rule, from f, f' and f'' at a. A derivative that is not needed may be infinite (sqrt at x = 0).
PetscReal chain(PetscReal, PetscReal f, PetscReal, PetscReal) { return f; }
Jet chain(const Jet& a, PetscReal f, PetscReal f1, PetscReal f2) {
  Jet r{f, 0, 0};
  if (a.f_t != 0) {
    r.f_t = f1 * a.f_t;
    r.f_tt = f2 * a.f_t * a.f_t;
  }
  if (a.f_tt != 0) r.f_tt += f1 * a.f_tt;
  return r;
}

PetscReal negate(PetscReal a) { return -a; }
Jet negate(const Jet& a) { return {-a.f, -a.f_t, -a.f_tt}; }
PetscReal add(PetscReal a, PetscReal b) { return a + b; }
Jet add(const Jet& a, const Jet& b) { return {a.f + b.f, a.f_t + b.f_t, a.f_tt + b.f_tt}; }
PetscReal multiply(PetscReal a, PetscReal b) { return a * b; }
Jet multiply(const Jet& a, const Jet& b) {
  return {a.f * b.f, a.f_t * b.f + a.f * b.f_t, a.f_tt * b.f + 2 * a.f_t * b.f_t + a.f * b.f_tt};
}
PetscReal divide(PetscReal a, PetscReal b) { return a / b; }
Jet divide(const Jet& a, const Jet& b) {
  Jet r;
  r.f = a.f / b.f;
  r.f_t = (a.f_t - r.f * b.f_t) / b.f;
  r.f_tt = (a.f_tt - 2 * r.f_t * b.f_t - r.f * b.f_tt) / b.f;
  return r;
}

PetscReal power(PetscReal a, PetscReal b) { return std::pow(a, b); }
Jet power(const Jet& a, const Jet& b) {
  if (b.f_t == 0 && b.f_tt == 0) {
    const PetscReal n = b.f;
    return chain(a, std::pow(a.f, n), n == 0 ? 0 : n * std::pow(a.f, n - 1),
                 n == 0 || n == 1 ? 0 : n * (n - 1) * std::pow(a.f, n - 2));
  }
  const Jet logarithm = chain(a, std::log(a.f), 1 / a.f, -1 / (a.f * a.f));
  const Jet exponent = multiply(b, logarithm);
  const PetscReal f = std::pow(a.f, b.f);
  return chain(exponent, f, f, f);
}

PetscReal arctangent(PetscReal y, PetscReal x) { return std::atan2(y, x); }
Jet arctangent(const Jet& y, const Jet& x) {
  const PetscReal r2 = x.f * x.f + y.f * y.f;
  Jet r{std::atan2(y.f, x.f), 0, 0};
  if (y.f_t == 0 && y.f_tt == 0 && x.f_t == 0 && x.f_tt == 0) return r;
  r.f_t = (x.f * y.f_t - y.f * x.f_t) / r2;
  r.f_tt = (x.f * y.f_tt - y.f * x.f_tt - 2 * r.f_t * (x.f * x.f_t + y.f * y.f_t)) / r2;
  return r;
}

/// f, f' and f'' of a function of one variable.
struct Derivatives {
  PetscReal f, f1, f2;
};

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
    case Op::abs:
      return {std::abs(a), static_cast<PetscReal>((a > 0) - (a < 0)), 0};
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

/// Where a branch is chosen: the switch is on where `value` >= 0 (or > 0).
template <class Number>
struct Branch {
  Number value{};
  bool strict = false;
  bool smooth = false;  // ramp: even the second derivative is continuous
};

struct NoWatch {
  template <class Number>
  void operator()(const Branch<Number>&) const {}
};

/// `watch` is told of each branch.
template <class Number, class Watch = NoWatch>
Number run(const std::vector<Expression::Instruction>& program, const Number& t, const Vec3& X, Watch watch = {}) {
  std::array<Number, max_stack> stack;
  Number* top = stack.data();  // one past the last operand
  for (const Expression::Instruction& instruction : program) {
    const Op op = static_cast<Op>(instruction.operation);
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
      // Written so that a NaN among the operands is not lost.
      case Op::min:
        --top;
        watch(Branch<Number>{add(top[-1], negate(top[0]))});
        if (!(value(top[-1]) <= value(top[0])) && !std::isnan(value(top[-1]))) top[-1] = top[0];
        break;
      case Op::max:
        --top;
        watch(Branch<Number>{add(top[-1], negate(top[0]))});
        if (!(value(top[-1]) >= value(top[0])) && !std::isnan(value(top[-1]))) top[-1] = top[0];
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
      default: {
        if (op == Op::abs || op == Op::step) watch(Branch<Number>{top[-1]});
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

// --- Times where a branch changes -------------------------------------------------------------------------------------

/// What an operand depends on.
struct Dependence {
  bool on_time = false, on_place = false;
  bool affine = true;  // in t

  Dependence with(const Dependence& other) const {
    return {on_time || other.on_time, on_place || other.on_place, affine && other.affine};
  }
};

/// Dependence of the branches of a program, in the order in which run() meets them.
std::vector<Dependence> branches_of(const std::vector<Expression::Instruction>& program) {
  std::vector<Dependence> branches;
  std::vector<Dependence> stack;
  const auto pop = [&stack] {
    const Dependence last = stack.back();
    stack.pop_back();
    return last;
  };
  for (const Expression::Instruction& instruction : program) {
    const Op op = static_cast<Op>(instruction.operation);
    if (op == Op::number) {
      stack.push_back({});
    } else if (op == Op::t) {
      stack.push_back({true, false, true});
    } else if (op <= Op::z) {
      stack.push_back({false, true, true});
    } else if (op <= Op::ramp) {
      Dependence a = pop();
      if (op == Op::abs || op == Op::step || op == Op::ramp) branches.push_back(a);
      if (op == Op::ramp) branches.push_back(a);
      a.affine = a.affine && (op == Op::negate || !a.on_time);
      stack.push_back(a);
    } else if (op == Op::select) {
      const Dependence b = pop(), a = pop(), condition = pop();
      Dependence all = a.with(b).with(condition);
      all.affine = !all.on_time;
      stack.push_back(all);
    } else {
      const Dependence b = pop(), a = pop();
      Dependence both = a.with(b);
      if (op == Op::min || op == Op::max || (op >= Op::less && op <= Op::greater_equal)) branches.push_back(both);
      const bool keeps = op == Op::add || op == Op::subtract || (op == Op::multiply && !(a.on_time && b.on_time)) ||
                         (op == Op::divide && !b.on_time);
      both.affine = both.affine && (keeps || !both.on_time);
      stack.push_back(both);
    }
  }
  return branches;
}

/// Finds where branches of a program change, at one place.
class SwitchFinder {
 public:
  SwitchFinder(const std::vector<Expression::Instruction>& program, const Vec3& X)
      : program_(program), X_(X), depends_(branches_of(program)), now_(depends_.size()), next_(depends_.size()) {}

  /// The first change in (from, until] of a branch that may matter. The branch is in `which`.
  std::optional<PetscReal> first(PetscReal from, PetscReal until, std::size_t& which) {
    std::optional<PetscReal> found;
    const auto take = [&](std::size_t k, PetscReal t) {
      if (t > from && t <= until && (!found || t < *found)) {
        found = t;
        which = k;
      }
    };
    bool others = false;
    look(from, now_);
    for (std::size_t k = 0; k < depends_.size(); ++k) {
      others = others || (depends_[k].on_time && !depends_[k].affine);
      if (!depends_[k].on_time || !depends_[k].affine || now_[k].value.f_t == 0) continue;
      const PetscReal root = from - now_[k].value.f / now_[k].value.f_t;
      const PetscReal margin = 16 * PETSC_MACHINE_EPSILON * std::max({std::abs(root), std::abs(from), root - from});
      if (!(root > from - margin) || !(root <= until + margin)) continue;
      const PetscReal a = std::max(from, root - margin), b = root + margin;
      if (on(k, a) != on(k, b)) take(k, flip(k, a, b));
    }
    if (!others || !std::isfinite(until)) return found;
    for (int i = 1; i <= cells && !(found && *found <= from + (until - from) * (i - 1) / cells); ++i) {
      const PetscReal a = from + (until - from) * (i - 1) / cells,
                      b = i == cells ? until : from + (until - from) * i / cells;
      look(b, next_);
      for (std::size_t k = 0; k < depends_.size(); ++k) {
        if (!depends_[k].on_time || depends_[k].affine) continue;
        if (on(now_[k]) != on(next_[k])) {
          take(k, flip(k, a, b));
        } else if (const PetscReal turn = turns(k, a, b); turn > a && on(k, turn) != on(now_[k])) {
          take(k, flip(k, a, turn));
        }
      }
      now_.swap(next_);
    }
    return found;
  }

  const Dependence& dependence(std::size_t k) const { return depends_[k]; }
  bool smooth(std::size_t k) const { return now_[k].smooth; }

 private:
  static constexpr int cells = 256;  // of the time searched, for arguments that are not affine in t

  static bool on(const Branch<Jet>& branch) { return branch.strict ? branch.value.f > 0 : branch.value.f >= 0; }
  bool on(std::size_t k, PetscReal t) const {
    std::size_t i = 0;
    bool result = false;
    (void)run<PetscReal>(program_, t, X_, [&](const Branch<PetscReal>& branch) {
      if (i++ == k) result = branch.strict ? branch.value > 0 : branch.value >= 0;
    });
    return result;
  }
  void look(PetscReal t, std::vector<Branch<Jet>>& branches) const {
    std::size_t i = 0;
    (void)run<Jet>(program_, Jet{t, 1, 0}, X_, [&](const Branch<Jet>& branch) { branches[i++] = branch; });
  }
  PetscReal slope(std::size_t k, PetscReal t) const {
    std::size_t i = 0;
    PetscReal result = 0;
    (void)run<Jet>(program_, Jet{t, 1, 0}, X_, [&](const Branch<Jet>& branch) {
      if (i++ == k) result = branch.value.f_t;
    });
    return result;
  }

  /// The first of the numbers after `a` where the branch is as at `b`.
  PetscReal flip(std::size_t k, PetscReal a, PetscReal b) const {
    const bool target = on(k, b);
    for (PetscReal middle = a + (b - a) / 2; middle > a && middle < b; middle = a + (b - a) / 2)
      (on(k, middle) == target ? b : a) = middle;
    return b;
  }

  /// Where the argument, of the same sign at both ends, comes nearest to zero in between; a where it does not turn.
  PetscReal turns(std::size_t k, PetscReal a, PetscReal b) const {
    const PetscReal sign = now_[k].value.f < 0 ? -1 : 1;
    if (!(sign * now_[k].value.f_t < 0) || !(sign * next_[k].value.f_t > 0)) return a;
    for (int i = 0; i < 50; ++i) {
      const PetscReal middle = a + (b - a) / 2;
      (sign * slope(k, middle) < 0 ? a : b) = middle;
    }
    return b;
  }

  const std::vector<Expression::Instruction>& program_;
  const Vec3& X_;
  std::vector<Dependence> depends_;
  std::vector<Branch<Jet>> now_, next_;
};

/// The lowest derivative that is not continuous from `before` to `after`, which are `gap` apart; 3: none up to f''.
int rough_derivative(const Jet& before, const Jet& after, PetscReal gap) {
  const auto differ = [](PetscReal a, PetscReal b, PetscReal allowed) { return !(std::abs(a - b) <= allowed); };
  const PetscReal slope = std::abs(before.f_t) + std::abs(after.f_t),
                  curvature = std::abs(before.f_tt) + std::abs(after.f_tt);
  if (differ(before.f, after.f, 64 * slope * gap + 1e-12 * (std::abs(before.f) + std::abs(after.f)))) return 0;
  if (differ(before.f_t, after.f_t, 64 * curvature * gap + 1e-10 * slope)) return 1;
  return differ(before.f_tt, after.f_tt, 1e-6 * curvature) ? 2 : 3;
}

std::array<Expression, 3> compile_components(const std::string& text) {
  const std::vector<std::string> parts = petsc::split_top_level(text);
  if (parts.size() != 3)
    throw OptionError("expected three components separated by commas (x,y,z), found " +
                      std::to_string(text.empty() ? 0 : parts.size()) + " in \"" + text + "\"");
  const auto compile = [&](std::size_t i) {
    try {
      return Expression(parts[i]);
    } catch (const OptionError& error) {
      throw OptionError("component " + std::string(1, "xyz"[i]) + " of \"" + text + "\": " + error.what());
    }
  };
  return {compile(0), compile(1), compile(2)};
}

}  // namespace

Expression::Expression(std::string text) : text_(std::move(text)) { Parser(text_, program_).parse(); }

PetscReal Expression::operator()(PetscReal t, const Vec3& X) const { return run<PetscReal>(program_, t, X); }

Jet Expression::jet(PetscReal t, const Vec3& X) const { return run<Jet>(program_, Jet{t, 1, 0}, X); }

bool Expression::depends_on_time() const {
  return std::any_of(program_.begin(), program_.end(),
                     [](const Instruction& i) { return static_cast<Op>(i.operation) == Op::t; });
}

bool Expression::depends_on_place() const {
  return std::any_of(program_.begin(), program_.end(), [](const Instruction& i) {
    const Op op = static_cast<Op>(i.operation);
    return op == Op::x || op == Op::y || op == Op::z;
  });
}

std::optional<RoughTime> Expression::next_rough_time(PetscReal t, PetscReal until, const Vec3& X) const {
  if (!depends_on_time()) return std::nullopt;
  SwitchFinder finder(program_, X);
  std::size_t which = 0;
  while (const std::optional<PetscReal> found = finder.first(t, until, which)) {
    const PetscReal apart =
        4 * PETSC_MACHINE_EPSILON * std::max(std::abs(*found), PETSC_MIN_REAL / PETSC_MACHINE_EPSILON);
    int derivative = rough_derivative(jet(*found - apart, X), jet(*found + apart, X), 2 * apart);
    if (finder.smooth(which) && derivative == 2) derivative = 3;  // what f'' gains across a gap of rounding
    // What another branch hides does not count.
    if (derivative < 3 || finder.smooth(which))
      return RoughTime{*found, derivative, !finder.dependence(which).on_place};
    t = *found;
  }
  return std::nullopt;
}

void RoughTime::merge(std::optional<RoughTime>& first, const std::optional<RoughTime>& other) {
  if (!other) return;
  const PetscReal same = 3 * PETSC_MACHINE_EPSILON * std::abs(other->t);
  if (!first || other->t < first->t - same) {
    first = other;
  } else if (other->t <= first->t + same) {
    first->t = std::max(first->t, other->t);
    first->everywhere = first->everywhere && other->everywhere;
    first->derivative = std::min(first->derivative, other->derivative);
  }
}

VectorExpression::VectorExpression(const std::string& text) : components_(compile_components(text)) {}

Vec3 VectorExpression::operator()(PetscReal t, const Vec3& X) const {
  return {components_[0](t, X), components_[1](t, X), components_[2](t, X)};
}

bool VectorExpression::depends_on_time() const {
  return std::any_of(components_.begin(), components_.end(), [](const Expression& c) { return c.depends_on_time(); });
}

bool VectorExpression::depends_on_place() const {
  return std::any_of(components_.begin(), components_.end(), [](const Expression& c) { return c.depends_on_place(); });
}

std::optional<RoughTime> VectorExpression::next_rough_time(PetscReal t, PetscReal until, const Vec3& X) const {
  std::optional<RoughTime> first;
  for (const Expression& component : components_) RoughTime::merge(first, component.next_rough_time(t, until, X));
  return first;
}

Field VectorExpression::field() const {
  return [*this](PetscReal t, const Vec3& X) { return (*this)(t, X); };
}

Motion VectorExpression::motion() const {
  return [components = components_](PetscReal t, const Vec3& X) {
    MotionValue m{};
    for (std::size_t i = 0; i < 3; ++i) {
      const Jet jet = components[i].jet(t, X);
      m.g[i] = jet.f;
      m.g_t[i] = jet.f_t;
      m.g_tt[i] = jet.f_tt;
    }
    return m;
  };
}

}  // namespace gearshift::solid
