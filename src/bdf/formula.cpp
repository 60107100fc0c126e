#include <gearshift/bdf/formula.hpp>

#include <stdexcept>
#include <string>

namespace gearshift::bdf {
namespace {

void require_points(const char* name, std::span<const double> times, std::size_t count) {
  if (times.size() != count)
    throw std::invalid_argument(std::string("gearshift::bdf::") + name + ": needs " + std::to_string(count) +
                                " times, got " + std::to_string(times.size()));
}

}  // namespace

Formula bdf_formula(std::span<const double> times) {
  Formula f;
  if (times.size() > f.c.size()) throw std::invalid_argument("gearshift::bdf::bdf_formula: more than 13 times");
  f.points = static_cast<int>(times.size()) - 1;
  f.order = f.points;
  weights(times, std::span<double>(f.c.data(), times.size()));
  f.defect = -1;
  for (std::size_t j = 0; j + 1 < times.size(); ++j) f.defect *= times.back() - times[j];
  return f;
}

double bdf_inverse_error_constant(int order) {
  double inverse = 0;
  for (int j = 1; j <= order; ++j) inverse += static_cast<double>(order + 1) / j;
  return inverse;
}

Formula ndf2_formula(std::span<const double> times) {
  require_points("ndf2_formula", times, 4);
  const Formula lower = bdf_formula(times.subspan(1)), higher = bdf_formula(times);
  Formula f = higher;
  f.order = 2;
  for (std::size_t j = 0; j < 4; ++j) f.c[j] = 0.5 * (higher.c[j] + (j > 0 ? lower.c[j - 1] : 0));
  f.defect = 0.5 * lower.defect;
  return f;
}

Formula bdf_alpha_formula(std::span<const double> times, double rho_inf) {
  require_points("bdf_alpha_formula", times, 3);
  if (!(rho_inf >= 0 && rho_inf <= 1))
    throw std::invalid_argument("gearshift::bdf::bdf_alpha_formula: rho_inf must be in [0, 1], not " +
                                std::to_string(rho_inf));
  Formula f = bdf_formula(times);
  const double h = times[2] - times[1], part = 1 - rho_inf;
  f.c[0] *= part;
  f.c[1] = part * f.c[1] - rho_inf * 2 / h;
  f.c[2] = part * f.c[2] + rho_inf * 2 / h;
  f.d = -rho_inf;
  f.defect = part * f.defect - rho_inf * h * h;  // the trapezoidal rule leaves -h^2/6 x'''
  return f;
}

void divided_difference_weights(std::span<const double> times, std::span<double> w) {
  require_points("divided_difference_weights", times, w.size());
  for (std::size_t j = 0; j < times.size(); ++j) {
    w[j] = 1;
    for (std::size_t m = 0; m < times.size(); ++m)
      if (m != j) w[j] /= times[j] - times[m];
  }
}

}  // namespace gearshift::bdf
