#include "expression/parser.hpp"

#include "petsc/options/nearest.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <numbers>
#include <string_view>
#include <utility>

namespace gearshift::expression {
namespace {

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

constexpr int max_nesting = 200;

/// Recursive descent over the text, one function for each level of precedence; emits postfix instructions.
class Parser {
 public:
  Parser(const std::string& text, const Tables& tables, Program& program,
         std::vector<std::shared_ptr<const Table>>& used)
      : text_(text), tables_(tables), program_(program), used_(used) {}

  void parse() {
    skip_blanks();
    if (at_end()) fail("expected a number, a variable (t, x, y, z) or a function; the expression is empty");
    parse_or();
    if (!at_end()) fail(std::string("expected an operator or the end, found '") + text_[at_] + "'");
  }

 private:
  /// Replaces bytes that cannot be printed in one line by blanks, so that the caret stays under the error.
  static std::string in_a_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, ' ');
    return text;
  }

  [[noreturn]] void fail(const std::string& expected) const { fail(expected, at_); }

  [[noreturn]] void fail(const std::string& expected, std::size_t at) const {
    throw OptionError("wrong expression, column " + std::to_string(at + 1) + ": " + in_a_line(expected) + "\n  " +
                      in_a_line(text_) + "\n  " + std::string(at, ' ') + "^");
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
    if (const auto table = tables_.find(name); function == functions.end() && table != tables_.end()) {
      parse_arguments({table->first, Op::table, 1}, start);
      program_.back().table = table->second.get();
      used_.push_back(table->second);
      return;
    }
    if (function == functions.end())
      fail("'" + name + "' is unknown; " + meant(name) + "there are t, x, y, z, pi and the functions " +
               function_names() + table_names(),
           start);
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
               (function.arguments == 1 ? " argument" : " arguments") + ", got " + std::to_string(count),
           start);
    emit(function.op, count);
  }

  /// Returns a question about the nearest function or table, or an empty string.
  std::string meant(const std::string& name) const {
    std::vector<std::string> known{"pi"};
    for (const Function& f : functions) known.emplace_back(f.name);
    for (const auto& [table, values] : tables_) known.push_back(table);
    return petsc::meant(name, known);
  }

  static std::string function_names() {
    std::string names;
    for (const Function& f : functions) names += (names.empty() ? "" : " ") + std::string(f.name);
    return names;
  }

  std::string table_names() const {
    std::string names;
    for (const auto& [name, table] : tables_) names += " " + name;
    return names.empty() ? "" : ", and the tables" + names;
  }

  const std::string& text_;
  const Tables& tables_;
  Program& program_;
  std::vector<std::shared_ptr<const Table>>& used_;
  std::size_t at_ = 0;
  int depth_ = 0, nesting_ = 0;
};

}  // namespace

Program parse(const std::string& text, const Tables& tables, std::vector<std::shared_ptr<const Table>>& used) {
  Program program;
  Parser(text, tables, program, used).parse();
  return program;
}

void check_table_name(std::string_view name) {
  const bool word =
      !name.empty() && !(name[0] >= '0' && name[0] <= '9') && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
      });
  if (!word) throw OptionError("'" + std::string(name) + "' cannot be the name of a table; use letters, digits and _");
  const bool taken = std::any_of(functions.begin(), functions.end(), [&](const Function& f) { return f.name == name; });
  if (taken || name == "t" || name == "x" || name == "y" || name == "z" || name == "pi")
    throw OptionError("'" + std::string(name) + "' cannot be the name of a table: it is a built-in name of formulas");
}

}  // namespace gearshift::expression
