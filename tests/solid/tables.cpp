// Tables: values between, at and beyond their points, as text, and in formulas.

#include <gearshift/solid/expression.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace {

using gearshift::OptionError;
using gearshift::solid::Expression;
using gearshift::solid::Jet;
using gearshift::solid::Table;
using gearshift::solid::Tables;
using gearshift::solid::VectorExpression;

std::string message(const std::function<void()>& action) {
  try {
    action();
  } catch (const OptionError& error) {
    return error.what();
  }
  return "";
}

void expect(const Jet& jet, double f, double f_t, double f_tt, double tolerance = 0) {
  EXPECT_NEAR(jet.f, f, tolerance);
  EXPECT_NEAR(jet.f_t, f_t, tolerance);
  EXPECT_NEAR(jet.f_tt, f_tt, tolerance);
}

Tables with(const char* name, Table table) { return {{name, std::make_shared<const Table>(std::move(table))}}; }

const Table& pulse() {
  static const Table table({0, 1, 1, 3, 4}, {2, 4, -1, 1, 2});  // a jump at 1, and no visible kink at 3
  return table;
}

TEST(Table, StraightLines) {
  expect(pulse().at(-5), 2, 0, 0);
  expect(pulse().at(0.5), 3, 2, 0);
  expect(pulse().at(1), -1, 1, 0);
  expect(pulse().at(std::nextafter(1, 0)), 4, 2, 0, 1e-14);
  expect(pulse().at(2.5), 0.5, 1, 0);
  expect(pulse().at(4), 2, 0, 0);
  EXPECT_TRUE(std::isnan(pulse().at(NAN).f));
}

TEST(Table, Splines) {
  const Table line({0, 1}, {1, 3}, Table::Kind::spline);
  expect(line.at(0.25), 1.5, 2, 0);
  // Many points of sin on [0, pi], where sin'' vanishes at both ends: orders 4, 3 and 2.
  const auto error = [](int n, int derivative) {
    std::vector<double> a, s;
    for (int i = 0; i <= n; ++i) {
      a.push_back(std::numbers::pi * i / n);
      s.push_back(std::sin(a.back()));
    }
    const Table table(a, s, Table::Kind::spline);
    double worst = 0;
    for (int i = 0; i < 997; ++i) {
      const double t = std::numbers::pi * (i + 0.5) / 997;
      const Jet jet = table.at(t);
      worst = std::max(worst, std::abs(derivative == 0   ? jet.f - std::sin(t)
                                       : derivative == 1 ? jet.f_t - std::cos(t)
                                                         : jet.f_tt + std::sin(t)));
    }
    return worst;
  };
  for (int d = 0; d < 3; ++d) EXPECT_NEAR(std::log2(error(10, d) / error(20, d)), 4 - d, 0.3) << d;
}

/// The two sides of a jump are independent splines; f'' is continuous elsewhere.
TEST(Table, SplinesWithAJump) {
  const Table table({0, 1, 2, 2, 3, 5}, {0, 1, 0, 7, 8, 7}, Table::Kind::spline);
  const Table left({0, 1, 2}, {0, 1, 0}, Table::Kind::spline), right({2, 3, 5}, {7, 8, 7}, Table::Kind::spline);
  for (const double a : {0.2, 1.7, 2.3, 4.0}) {
    const Jet one = table.at(a), other = (a < 2 ? left : right).at(a);
    expect(one, other.f, other.f_t, other.f_tt);
  }
  EXPECT_EQ(table.at(2).f, 7);
  const Jet before = table.at(std::nextafter(1, 0)), after = table.at(1);
  expect(before, after.f, after.f_t, after.f_tt, 1e-12);
}

TEST(Table, OfText) {
  const Table table = Table::from_text("\xEF\xBB\xBF# a record\r\n\r\ntime; value\r\n0;1\r\n 1 ; +2e0\r\n", "a.csv");
  EXPECT_EQ(table.size(), 2U);
  expect(table.at(0.5), 1.5, 1, 0);
  expect(Table::from_text("0 1\t5\n2\t1 7", "a.txt", 3).at(1), 6, 1, 0);
  const auto say = [](const char* text, int column = 2) {
    return message([&] { (void)Table::from_text(text, "q.csv", column); });
  };
  EXPECT_EQ(say("0,1\n1,a\n"), "table 'q.csv', line 2: 'a' is not a number");
  EXPECT_EQ(say("0;1\n1;2,5\n"), "table 'q.csv', line 2: '2,5' is not a number; write a point before the decimals");
  EXPECT_NE(say("t,f\nt,f\n0,1\n").find("line 2: 't' is not a number"), std::string::npos);
  EXPECT_NE(say("0,1\n1,nan\n").find("'nan' is not a number"), std::string::npos);
  EXPECT_NE(say("0,1\n\n1\n").find("line 3: it has 1 column, and column 2 is asked for"), std::string::npos);
  EXPECT_NE(say("0,1\n1,1\n0.5,1").find("line 3: its first number is less"), std::string::npos);
  EXPECT_NE(say("0,1\n1,1\n1,2\n1,3").find("line 4: it is the third row"), std::string::npos);
  EXPECT_NE(say("").find("'q.csv' has no row of numbers"), std::string::npos);
  EXPECT_NE(say("1,2").find("has one row of numbers; give two or more"), std::string::npos);
  EXPECT_NE(message([] { Table({0, 1}, {0}); }).find("two points or more"), std::string::npos);
  EXPECT_NE(message([] { Table({0, NAN}, {0, 1}); }).find("point 2 of a table: it is not finite"), std::string::npos);
}

TEST(Table, Names) {
  using gearshift::expression::check_table_name;
  EXPECT_EQ(message([] { check_table_name("quake_2"); }), "");
  for (const char* bad : {"", "2x", "a-b", "t", "pi", "sin", "ramp"})
    EXPECT_NE(message([&] { check_table_name(bad); }).find("cannot be the name of a table"), std::string::npos) << bad;
}

TEST(TableInFormula, ValuesAndDerivatives) {
  const Expression e("3*f(2*t)+x", with("f", pulse()));
  EXPECT_TRUE(e.depends_on_time());
  expect(e.jet(0.25, {10, 0, 0}), 19, 12, 0);
  const Expression inner("f(t^2)", with("f", Table({0, 1, 2}, {0, 1, 0}, Table::Kind::spline)));
  const Jet s = Table({0, 1, 2}, {0, 1, 0}, Table::Kind::spline).at(0.49);
  expect(inner.jet(0.7, {}), s.f, s.f_t * 1.4, s.f_tt * 1.96 + s.f_t * 2, 1e-14);
  EXPECT_NE(message([] { Expression("g(t)", with("f", pulse())); }).find("and the tables f"), std::string::npos);
  EXPECT_NE(message([] { Expression("f(t,1)", with("f", pulse())); }).find("f takes 1 argument, got 2"),
            std::string::npos);
  const VectorExpression vector("0,f(t),0", with("f", pulse()));
  EXPECT_EQ(vector(0.5, {})[1], 3);
}

/// Returns all discontinuities up to `until`, with their kind.
std::string rough(const Expression& e, double t, double until, const gearshift::expression::Place& X = {}) {
  std::string all;
  while (const auto next = e.next_rough_time(t, until, X)) {
    char text[64];
    std::snprintf(text, sizeof text, "%.10g:%d ", next->t, next->derivative);
    all += text;
    if (!(next->t > t)) return all + "stuck";
    t = next->t;
  }
  return all;
}

TEST(TableInFormula, RoughTimes) {
  const Tables tables = with("f", pulse());
  EXPECT_EQ(rough(Expression("f(t)", tables), -1, 10), "0:1 1:0 4:1 ");
  EXPECT_EQ(rough(Expression("f(t)", tables), 1, INFINITY), "4:1 ");
  EXPECT_EQ(rough(Expression("f(2*t-1)", tables), 0, 10), "0.5:1 1:0 2.5:1 ");
  EXPECT_EQ(rough(Expression("f(5-t)", tables), 0, 10), "1:1 4:0 5:1 ");
  EXPECT_EQ(rough(Expression("f(t-x)", tables), 0, 10, {0.25, 0, 0}), "0.25:1 1.25:0 4.25:1 ");
  EXPECT_EQ(rough(Expression("f(t^2)", tables), 0.1, 10), "1:0 2:1 ");
  EXPECT_EQ(rough(Expression("f(2*sin(t))", tables), 0.1, 3), "0.5235987756:0 2.617993878:0 ");
  EXPECT_EQ(rough(Expression("f(t)", with("f", Table({0, 1, 2}, {0, 1, 0}, Table::Kind::spline))), -1, 9), "0:1 2:1 ");
  EXPECT_EQ(rough(Expression("step(t-20)*f(t)", tables), -1, 10), "");
  // The first number after the jump, to the last bit, consistent with the value.
  const Expression shifted("f((t-0.1)*3)", tables);
  const double jump = shifted.next_rough_time(0.2, 1, {})->t;
  EXPECT_EQ(shifted(jump, {}), -1 + ((jump - 0.1) * 3 - 1));
  EXPECT_GT(shifted(std::nextafter(jump, 0), {}), 3.9);
}

/// A record of 1e5 points costs one look-up per corner.
TEST(TableInFormula, LongRecords) {
  std::vector<double> t, f;
  for (int i = 0; i < 100000; ++i) {
    t.push_back(0.01 * i);
    f.push_back(i % 2);
  }
  const Expression e("f(t)", with("f", Table(t, f)));
  int count = 0;
  double at = 500;
  while (const auto next = e.next_rough_time(at, 510, {})) {
    at = next->t;
    ++count;
  }
  EXPECT_EQ(count, 1000);
}

}  // namespace
