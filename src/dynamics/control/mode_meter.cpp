#include "dynamics/control/mode_meter.hpp"

#include <gearshift/bdf/stability.hpp>
#include <gearshift/dynamics/bdf_scheme.hpp>

#include "dynamics/control/constants.hpp"
#include "dynamics/newton/newton_forms.hpp"
#include "dynamics/newton/newton_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <span>
#include <tuple>

namespace gearshift {

ModeMeter::Mode ModeMeter::measure(Vec e, PetscReal enough, bool look_for_damping) {
  const Shifts parts = quadratic_forms(problem_, e, {1, 0, 1});
  products_ += 2;
  if (!(parts.a > 0) || !(parts.q > 0)) return {};  // no mass, or physical growth
  const PetscReal frequency = std::sqrt(parts.q / parts.a);
  const PetscReal known = known_.ratio(frequency);
  PetscReal damping = known;
  // Other damping only adds to the known one. If it was not found last time, it is measured again only now and then.
  if (known < enough &&
      (look_for_damping || !more_damping_unlikely_ || ++looks_ % control::looks_between_dampings == 0)) {
    damping = quadratic_forms(problem_, e, {0, 1, 0}).v / (2 * std::sqrt(parts.q * parts.a));
    ++products_;
    more_damping_unlikely_ = std::abs(damping - known) < control::no_damping;
  }
  return {frequency, std::max<PetscReal>(damping, 0), damping >= -1e-8 && damping < 1};
}

namespace {

using Complex = std::complex<PetscReal>;

/// Returns the roots of a s^2 + b s + c = 0.
std::array<Complex, 2> roots(Complex a, Complex b, Complex c) {
  const Complex root = std::sqrt(b * b - PetscReal{4} * a * c);
  const Complex sum = std::real(std::conj(b) * root) >= 0 ? b + root : b - root;  // avoids cancellation
  if (std::abs(sum) == 0) return {};
  return {-sum / (PetscReal{2} * a), PetscReal{-2} * c / sum};
}

ModeMeter::Mode mode_of(Complex s) {
  const PetscReal size = std::abs(s);
  if (!(size > 0) || !std::isfinite(size)) return {};
  const PetscReal damping = -s.real() / size;
  return {size, damping, std::abs(damping) < 1};
}

}  // namespace

bool ModeMeter::symmetric() const { return problem_.system().symmetric(); }

ModeMeter::Mode ModeMeter::measure_plane(Vec error_q, Vec error_v, PetscReal apparent) {
  const PlaneForms forms = plane_forms(problem_, {error_q, error_v}, true);
  products_ += 6;
  PetscReal frequency = apparent;
  Complex s;
  for (int round = 0; round < control::rounds && frequency > 0 && std::isfinite(frequency); ++round) {
    const Complex weight(0, -1 / frequency);
    const auto between = [&](const PlaneForms::Form& form) {
      return form[0][0] + weight * form[0][1] + std::conj(weight) * form[1][0] + std::norm(weight) * form[1][1];
    };
    const Complex mass = between(forms.a);
    if (!(std::abs(mass) > 0)) return {};
    const std::array<Complex, 2> both = roots(mass, between(forms.v), between(forms.q));
    const Complex expected(0, frequency);
    s = std::abs(both[0] - expected) < std::abs(both[1] - expected) ? both[0] : both[1];
    const PetscReal found = std::abs(s);
    if (std::abs(found - frequency) <= 1e-8 * frequency) break;
    frequency = found;
  }
  return mode_of(s);
}

ModeMeter::Mode ModeMeter::measure_first_order(Vec error, Vec error_before) {
  const PlaneForms forms = plane_forms(problem_, {error, error_before}, false);
  products_ += 4;
  const auto& [V, Q] = std::tie(forms.v, forms.q);
  const PetscReal quadratic = V[0][0] * V[1][1] - V[0][1] * V[1][0], constant = Q[0][0] * Q[1][1] - Q[0][1] * Q[1][0],
                  linear = V[0][0] * Q[1][1] + Q[0][0] * V[1][1] - V[0][1] * Q[1][0] - Q[0][1] * V[1][0];
  if (!(std::abs(quadratic) > 0)) return {};
  const std::array<Complex, 2> both = roots(quadratic, linear, constant);
  return mode_of(both[0].imag() > both[1].imag() ? both[0] : both[1]);
}

double growth_of_bdf(int order, PetscReal h, const ModeMeter::Mode& mode) {
  std::array<double, BdfScheme::max_order + 1> times{};
  for (int j = 0; j <= order; ++j) times[j] = j - order;
  const PetscReal zeta = std::clamp<PetscReal>(mode.damping, -1, 1);
  const std::complex<double> z = h * mode.frequency * std::complex<double>(-zeta, std::sqrt(1 - zeta * zeta));
  return bdf::growth_factor(std::span<const double>(times.data(), static_cast<std::size_t>(order) + 1), z);
}

void ModeMeter::archive_numbers(Archive& state) {
  state("more_damping_unlikely", more_damping_unlikely_);
  state("products", products_);
  state("looks", looks_);
}

}  // namespace gearshift
