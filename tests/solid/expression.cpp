#include <gearshift/solid/expression.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

using gearshift::OptionError;
using gearshift::solid::Expression;
using gearshift::solid::Jet;
using gearshift::solid::Vec3;
using gearshift::solid::VectorExpression;

namespace {

constexpr Vec3 X{0.3, -0.7, 1.9};

double at(const std::string& text, double t = 0.25) { return Expression(text)(t, X); }

void expect_jet(const std::string& text, double t, double f, double f_t, double f_tt) {
  const Jet jet = Expression(text).jet(t, X);
  EXPECT_NEAR(jet.f, f, 1e-13 * std::max(1.0, std::abs(f))) << text;
  EXPECT_NEAR(jet.f_t, f_t, 1e-13 * std::max(1.0, std::abs(f_t))) << text;
  EXPECT_NEAR(jet.f_tt, f_tt, 1e-13 * std::max(1.0, std::abs(f_tt))) << text;
  EXPECT_DOUBLE_EQ(jet.f, Expression(text)(t, X)) << text;
}

std::string message(const std::function<void()>& body) {
  try {
    body();
  } catch (const OptionError& error) {
    return error.what();
  }
  return "no error";
}

void expect_error(const std::string& text, int column, const std::string& part) {
  const std::string what = message([&] { Expression e(text); });
  EXPECT_NE(what.find("column " + std::to_string(column) + ":"), std::string::npos) << text << "\n" << what;
  EXPECT_NE(what.find(part), std::string::npos) << what;
  EXPECT_NE(what.find("\n  " + text + "\n  " + std::string(column - 1, ' ') + "^"), std::string::npos) << what;
}

}  // namespace

TEST(Expression, Values) {
  EXPECT_EQ(at("1+2*3"), 7);
  EXPECT_EQ(at("8/4/2"), 1);
  EXPECT_EQ(at("8-4-2"), 2);
  EXPECT_EQ(at("-2^2"), -4);
  EXPECT_EQ(at("2^3^2"), 512);
  EXPECT_EQ(at("2^-1"), 0.5);
  EXPECT_EQ(at("2*-3"), -6);
  EXPECT_EQ(at(" ( 1 + 2 ) * 3 "), 9);
  EXPECT_EQ(at("1e-3"), 1e-3);
  EXPECT_EQ(at(".5 + 1.5E+2"), 150.5);
  EXPECT_EQ(at("pi"), std::numbers::pi);
  EXPECT_EQ(at("t+10*x+100*y+1000*z"), 0.25 + 3 - 70 + 1900);
  EXPECT_EQ(at("min(3,1,2)"), 1);
  EXPECT_EQ(at("max(3,1,2)"), 3);
  EXPECT_EQ(at("step(t-0.25)"), 1);
  EXPECT_EQ(at("step(t-0.26)"), 0);
  EXPECT_EQ(at("if(t < 1 && x > 0, 5, 6)"), 5);
  EXPECT_EQ(at("if(t >= 1 || !(x > 0), 5, 6)"), 6);
  EXPECT_EQ(at("if(x<0, sqrt(x-1), 2)"), 2);
  EXPECT_EQ(at("(1 == 1) + (1 != 1) + (2 <= 2) + (3 > 4)"), 2);
  EXPECT_EQ(at("ramp(-1)"), 0);
  EXPECT_EQ(at("ramp(0.5)"), 0.5);
  EXPECT_EQ(at("ramp(2)"), 1);
  EXPECT_NEAR(at("atan2(1,-1)"), 0.75 * std::numbers::pi, 1e-15);
  EXPECT_EQ(at("pow(2,10)"), 1024);
  EXPECT_EQ(at("abs(-3)"), 3);
  EXPECT_TRUE(std::isnan(at("sqrt(-1)")));
  EXPECT_TRUE(std::isnan(at("max(sqrt(-1),0)")));
  EXPECT_TRUE(std::isnan(at("max(0,sqrt(-1))")));
}

TEST(Expression, DerivativesInTime) {
  const double t = 0.4, w = 3;
  expect_jet("sin(3*t)", t, std::sin(w * t), w * std::cos(w * t), -w * w * std::sin(w * t));
  expect_jet("cos(3*t)", t, std::cos(w * t), -w * std::sin(w * t), -w * w * std::cos(w * t));
  expect_jet("t^3 - 2*t", t, t * t * t - 2 * t, 3 * t * t - 2, 6 * t);
  expect_jet("x*t^2", t, X[0] * t * t, 2 * X[0] * t, 2 * X[0]);
  expect_jet("t^2.5", t, std::pow(t, 2.5), 2.5 * std::pow(t, 1.5), 3.75 * std::sqrt(t));
  expect_jet("t^1", 0, 0, 1, 0);
  expect_jet("t^2", 0, 0, 0, 2);
  expect_jet("1/(1+t)", t, 1 / (1 + t), -1 / std::pow(1 + t, 2), 2 / std::pow(1 + t, 3));
  expect_jet("exp(2*t)", t, std::exp(2 * t), 2 * std::exp(2 * t), 4 * std::exp(2 * t));
  expect_jet("log(t)", t, std::log(t), 1 / t, -1 / (t * t));
  expect_jet("sqrt(t)", t, std::sqrt(t), 0.5 / std::sqrt(t), -0.25 / (t * std::sqrt(t)));
  expect_jet("2^t", t, std::pow(2, t), std::log(2) * std::pow(2, t), std::log(2) * std::log(2) * std::pow(2, t));
  expect_jet("t^t", t, std::pow(t, t), std::pow(t, t) * (std::log(t) + 1),
             std::pow(t, t) * (std::pow(std::log(t) + 1, 2) + 1 / t));
  expect_jet("tan(t)", t, std::tan(t), 1 / std::pow(std::cos(t), 2), 2 * std::tan(t) / std::pow(std::cos(t), 2));
  expect_jet("asin(t)", t, std::asin(t), 1 / std::sqrt(1 - t * t), t / std::pow(1 - t * t, 1.5));
  expect_jet("acos(t)", t, std::acos(t), -1 / std::sqrt(1 - t * t), -t / std::pow(1 - t * t, 1.5));
  expect_jet("atan(t)", t, std::atan(t), 1 / (1 + t * t), -2 * t / std::pow(1 + t * t, 2));
  expect_jet("atan2(t,1)", t, std::atan(t), 1 / (1 + t * t), -2 * t / std::pow(1 + t * t, 2));
  expect_jet("atan2(sin(3*t),cos(3*t))", t, w * t, w, 0);
  expect_jet("sinh(t)", t, std::sinh(t), std::cosh(t), std::sinh(t));
  expect_jet("cosh(t)", t, std::cosh(t), std::sinh(t), std::cosh(t));
  expect_jet("tanh(t)", t, std::tanh(t), 1 / std::pow(std::cosh(t), 2), -2 * std::tanh(t) / std::pow(std::cosh(t), 2));
  expect_jet("abs(0-t^2)", t, t * t, 2 * t, 2);
  expect_jet("min(t,1)", t, t, 1, 0);
  // Where branches meet, the derivatives are those just after the time, whatever the order of the operands.
  for (const char* text : {"min(t,1)", "min(1,t)", "1-max(1-t,0)", "(t+1-abs(t-1))/2"}) expect_jet(text, 1, 1, 0, 0);
  for (const char* text : {"max(t,1)", "max(1,t)", "1-min(1-t,0)", "(t+1+abs(1-t))/2"}) expect_jet(text, 1, 1, 1, 0);
  expect_jet("max(t^2,2*t-1)", 1, 1, 2, 2);
  // Not in directions of space, where no branch comes after the other.
  EXPECT_EQ(Expression("abs(x)").along(0, {0, 0, 0}, {1, 0, 0}).f_t, 0);
  EXPECT_EQ(Expression("min(x,y)").along(0, {1, 1, 0}, {0, 1, 0}).f_t, 0);
  expect_jet("max(t^2,1)", t, 1, 0, 0);
  expect_jet("if(t<1,t^2,7)", t, t * t, 2 * t, 2);
  expect_jet("ramp(t/0.5)", t, 0.94208, 0.768 * 2, -5.76 * 4);
  expect_jet("step(t)*t", t, t, 1, 0);
  expect_jet("sqrt(x-0.3)", t, 0, 0, 0);
  expect_jet("-t*(1-cos(t))", t, -t * (1 - std::cos(t)), -(1 - std::cos(t)) - t * std::sin(t),
             -2 * std::sin(t) - t * std::cos(t));
}

TEST(Expression, DependsOnTime) {
  EXPECT_TRUE(Expression("x+t").depends_on_time());
  EXPECT_FALSE(Expression("x+tan(y)").depends_on_time());
  EXPECT_TRUE(VectorExpression("0,0,t").depends_on_time());
  EXPECT_FALSE(VectorExpression("0,x,1").depends_on_time());
}

struct Rough {
  PetscReal t;
  int derivative;
};

std::vector<Rough> rough_times(const std::string& text, PetscReal from, PetscReal until,
                               PetscReal window = PETSC_INFINITY) {
  const Expression e(text);
  std::vector<Rough> found;
  for (PetscReal begin = from; begin < until; begin += window)
    for (PetscReal t = begin, end = std::min(begin + window, until); t < end;) {
      const auto next = e.next_rough_time(t, end, X);
      if (!next) break;
      found.push_back({next->t, next->derivative});
      t = next->t;
    }
  return found;
}

void expect_rough(const std::string& text, const std::vector<Rough>& expected) {
  const auto found = rough_times(text, 0, 3);
  ASSERT_EQ(found.size(), expected.size()) << text;
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].t, expected[i].t, 3e-16) << text;
    EXPECT_EQ(found[i].derivative, expected[i].derivative) << text;
  }
}

TEST(Expression, RoughTimes) {
  expect_rough("step(t-0.1)", {{0.1, 0}});
  expect_rough("2*step((t-0.1)/0.01) - 2*step(0.3-t)", {{0.1, 0}, {0.3, 0}});
  expect_rough("if(t<0.002, 2e5*sin(pi*t/0.002), 0)", {{0.002, 1}});
  expect_rough("2e5*sin(pi*t/0.002)*step(0.002-t)", {{0.002, 1}});
  expect_rough("if(t<=0.25 || t>0.5, 1, 0)", {{0.25, 0}, {0.5, 0}});
  expect_rough("abs(t-1)", {{1, 1}});
  expect_rough("abs(t-1)*(t-1)", {{1, 2}});
  expect_rough("min(max(t/2,0),1)", {{2, 1}});
  expect_rough("ramp((t-0.5)/2)", {{0.5, 3}, {2.5, 3}});
  expect_rough("step(t^2-2)", {{std::sqrt(2.0), 0}});
  // A branch that is multiplied by 0 or not chosen has no effect; the start and earlier times do not count either.
  expect_rough("0*step(t-1) + if(t<5, 1, abs(t-2)) + step(t) + step(t+1)", {});
  expect_rough("exp(-t)*cos(t)", {});
  // Arguments linear in t are solved for t, however far away.
  EXPECT_NEAR(rough_times("step(t-1e5)", 0, PETSC_INFINITY).at(0).t, 1e5, 0);
}

TEST(Expression, RoughAtTimeZero) {
  const auto found = Expression("abs(t)+step(t)").next_rough_time(-1, 1, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->t, 0);
  EXPECT_EQ(found->derivative, 0);
}

/// Periodic jumps are found if the search looks ahead a little at a time.
TEST(Expression, PeriodicRoughTimes) {
  const auto square = rough_times("step(sin(2*pi*50*t))", 0, 0.995, 0.05);
  ASSERT_EQ(square.size(), 99u);
  for (std::size_t i = 0; i < square.size(); ++i) EXPECT_NEAR(square[i].t, 0.01 * static_cast<double>(i + 1), 1e-15);
  // Two sign changes within one interval of the search.
  EXPECT_EQ(rough_times("step(cos(2*pi*t)-0.99999999)", 0.5, 1.4).size(), 2u);
}

TEST(VectorExpression, RoughTimesOfPlaces) {
  const VectorExpression front("0, step(t-x/5), step(t-0.5)");
  const auto first = front.next_rough_time(0, 1, {1, 0, 0}), then = front.next_rough_time(0.2, 1, {1, 0, 0});
  ASSERT_TRUE(first && then);
  EXPECT_NEAR(first->t, 0.2, 1e-16);
  EXPECT_FALSE(first->everywhere);
  EXPECT_EQ(then->t, 0.5);
  EXPECT_TRUE(then->everywhere);
  // One component is 1 up to 0.1, another one from 0.1 on.
  const auto both = VectorExpression("step(t-0.1), step(0.1-t), 0").next_rough_time(0, 1, X);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->t, std::nextafter(0.1, 1.0));
}

TEST(Expression, Errors) {
  expect_error("sin(t", 6, "expected ')'");
  expect_error("2*", 3, "found the end");
  expect_error("2*)", 3, "found ')'");
  expect_error("foo+1", 1, "'foo' is unknown");
  expect_error("1+nan", 3, "'nan' is unknown");
  expect_error("2 t", 3, "expected an operator");
  expect_error("sin t", 5, "expected '('");
  expect_error("sin(t,1)", 1, "takes 1 argument, got 2");
  expect_error("atan2(t)", 1, "takes 2 arguments, got 1");
  expect_error("min(t)", 1, "two or more");
  expect_error("if(t,1)", 1, "takes 3 arguments");
  expect_error("1 < t < 2", 7, "do not chain");
  expect_error("t = 1", 3, "'=='");
  expect_error("1e999", 1, "double precision");
  expect_error("1 # 2", 3, "expected an operator");
  EXPECT_NE(message([] { Expression e(""); }).find("empty"), std::string::npos);
  EXPECT_NE(message([] { Expression e(std::string(5000, '(')); }).find("nested too deeply"), std::string::npos);
  std::string tall = "1";
  for (int i = 0; i < 70; ++i) tall = "1+(" + tall + ")";
  EXPECT_NE(message([&] { Expression e(tall); }).find("unfinished operands"), std::string::npos);
}

TEST(VectorExpression, ComponentsFieldAndMotion) {
  const VectorExpression e("sin(2*t), max(x,0), atan2(y,z)");
  const Vec3 v = e.field()(0.5, X);
  EXPECT_DOUBLE_EQ(v[0], std::sin(1.0));
  EXPECT_DOUBLE_EQ(v[1], X[0]);
  EXPECT_DOUBLE_EQ(v[2], std::atan2(X[1], X[2]));
  const auto m = e.motion()(0.5, X);
  EXPECT_DOUBLE_EQ(m.g[0], std::sin(1.0));
  EXPECT_DOUBLE_EQ(m.g_t[0], 2 * std::cos(1.0));
  EXPECT_DOUBLE_EQ(m.g_tt[0], -4 * std::sin(1.0));
  EXPECT_EQ(m.g_t[1], 0);
}

TEST(VectorExpression, Errors) {
  const auto say = [](const std::string& text) { return message([&] { VectorExpression e(text); }); };
  EXPECT_NE(say("1,2").find("expected three components separated by commas (x,y,z), found 2"), std::string::npos);
  EXPECT_NE(say("").find("found 0"), std::string::npos);
  EXPECT_NE(say("0,,1").find("component y"), std::string::npos);
  EXPECT_NE(say("0,0,sin(").find("component z"), std::string::npos);
}
