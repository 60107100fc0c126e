/// Formulas: any text is refused with a caret at the error, or compiles; then it evaluates to the same number with and
/// without derivatives, and its discontinuities are in the interval of the search.

#include <gearshift/expression/expression.hpp>

#include "fuzz/target.hpp"

#include <bit>
#include <cmath>

using namespace gearshift::expression;
using gearshift::test::require;

namespace {

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

void evaluate(const Expression& formula) {
  for (const Place& X : {Place{0, 0, 0}, Place{0.5, -1, 1e300}})
    for (const double t : {0.0, 0.01, 1.0, -3.0, 1e9}) {
      const double value = formula(t, X);
      require(same(value, formula.jet(t, X).f), "the value is the same with derivatives: " + formula.text());
      if (!formula.depends_on_time()) require(same(value, formula(7, X)), "no dependence on time");
      if (!formula.depends_on_place()) require(same(value, formula(t, {1, 2, 3})), "no dependence on place");
    }
  double t = 0;
  for (int i = 0; i < 3; ++i) {
    const auto rough = formula.next_rough_time(t, 1, {0.5, -1, 2});
    if (!rough) break;
    require(rough->t > t && rough->t <= 1, "rough times lie in the interval that is searched: " + formula.text());
    t = rough->t;
  }
  const auto later = formula.next_rough_time(0, INFINITY, {0, 0, 0});
  require(!later || later->t > 0, "rough times lie behind the present one");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  static const Tables tables{
      {"quake", std::make_shared<const Table>(std::vector<double>{0, 0.25, 0.25, 1}, std::vector<double>{0, 1, 2, 0})},
      {"smooth", std::make_shared<const Table>(std::vector<double>{0, 0.3, 0.6, 1}, std::vector<double>{0, 1, 2, 0},
                                               Table::Kind::spline)}};
  try {
    evaluate(Expression(text, tables));
  } catch (const gearshift::OptionError& error) {
    const std::string message = error.what();
    require(message.starts_with("wrong expression, column ") && message.ends_with("^"), "a caret marks the place");
    require(std::stoul(message.substr(25)) <= size + 1, "the place is within the text: " + message);
  }
  return 0;
}
