#include <gearshift/bdf/weights.hpp>

#include <cmath>
#include <cstddef>
#include <sstream>
#include <stdexcept>
#include <string>

namespace gearshift::bdf {
namespace {

[[noreturn]] void refuse(const char* function, const std::string& why) {
  throw std::invalid_argument(std::string("gearshift::bdf::") + function + ": " + why);
}

std::string at(std::span<const double> times, std::size_t i) {
  std::ostringstream text;
  text.precision(17);
  text << "times[" << i << "] = " << times[i];
  return text.str();
}

/// Throws unless `times` is a strictly monotone sequence of `least` or more entries.
void require_monotone(const char* function, std::span<const double> times, std::size_t least) {
  if (times.size() < least)
    refuse(function, "got " + std::to_string(times.size()) + " times, needs " + std::to_string(least) +
                         (least == 2 ? " or more (order 1: the last time and the new one; there is no BDF of order 0)"
                                     : " or more"));
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!std::isfinite(times[i])) refuse(function, at(times, i) + " is not finite");
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (times[i] == times[i - 1])
      refuse(function, at(times, i) + " is repeated: every step must differ from zero in double precision");
    if ((times[i] > times[i - 1]) != (times[1] > times[0]))
      refuse(function, at(times, i) + " turns back: times must rise (or fall) strictly, oldest first");
  }
}

void require_size(const char* function, std::size_t times, std::size_t out) {
  if (times != out)
    refuse(function, "the output has " + std::to_string(out) + " entries for " + std::to_string(times) + " times");
}

void require_finite(const char* function, double t) {
  if (!std::isfinite(t)) refuse(function, "the time of evaluation is not finite");
}

/// Returns the difference of two doubles, rounded to extended precision.
long double difference(double x, double y) { return static_cast<long double>(x) - static_cast<long double>(y); }

/// Returns alpha = c_s = sum_{m<s} 1 / (t_s - t_m). All terms have one sign, so nothing cancels.
long double newest_weight(std::span<const double> times) {
  long double sum = 0;
  for (std::size_t m = 0; m + 1 < times.size(); ++m) sum += 1 / difference(times.back(), times[m]);
  return sum;
}

}  // namespace

void weights(std::span<const double> times, std::span<double> c) {
  require_monotone("weights", times, 2);
  require_size("weights", times.size(), c.size());
  const std::size_t s = times.size() - 1;
  for (std::size_t j = 0; j < s; ++j) {
    long double product = 1 / difference(times[j], times[s]);
    for (std::size_t m = 0; m < s; ++m)
      if (m != j) product *= difference(times[s], times[m]) / difference(times[j], times[m]);
    c[j] = static_cast<double>(product);
  }
  c[s] = static_cast<double>(newest_weight(times));
}

std::vector<double> weights(std::span<const double> times) {
  std::vector<double> c(times.size());
  weights(times, c);
  return c;
}

void interpolation_weights(std::span<const double> times, double t, std::span<double> values) {
  require_monotone("interpolation_weights", times, 1);
  require_size("interpolation_weights", times.size(), values.size());
  require_finite("interpolation_weights", t);
  for (std::size_t j = 0; j < times.size(); ++j) {
    long double value = 1;
    for (std::size_t m = 0; m < times.size(); ++m)
      if (m != j) value *= difference(t, times[m]) / difference(times[j], times[m]);
    values[j] = static_cast<double>(value);
  }
}

std::vector<double> interpolation_weights(std::span<const double> times, double t) {
  std::vector<double> values(times.size());
  interpolation_weights(times, t, values);
  return values;
}

void derivative_weights(std::span<const double> times, double t, std::span<double> values) {
  require_monotone("derivative_weights", times, 1);
  require_size("derivative_weights", times.size(), values.size());
  require_finite("derivative_weights", t);
  for (std::size_t j = 0; j < times.size(); ++j) {
    // The product rule, one factor after another.
    long double value = 1, derivative = 0;
    for (std::size_t m = 0; m < times.size(); ++m) {
      if (m == j) continue;
      const long double width = difference(times[j], times[m]);
      const long double factor = difference(t, times[m]) / width;
      derivative = derivative * factor + value / width;
      value *= factor;
    }
    values[j] = static_cast<double>(derivative);
  }
}

std::vector<double> derivative_weights(std::span<const double> times, double t) {
  std::vector<double> values(times.size());
  derivative_weights(times, t, values);
  return values;
}

double error_constant(std::span<const double> times) {
  require_monotone("error_constant", times, 2);
  const std::size_t s = times.size() - 1;
  long double constant = -1 / (newest_weight(times) * static_cast<long double>(s + 1));
  for (std::size_t j = 0; j < s; ++j) constant *= difference(times[s], times[j]) / static_cast<long double>(j + 1);
  return static_cast<double>(constant);
}

}  // namespace gearshift::bdf
