#include "dynamics/control/mode_meter.hpp"

#include <gearshift/bdf/stability.hpp>
#include <gearshift/dynamics/bdf_scheme.hpp>

#include "dynamics/newton/newton_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <span>

namespace gearshift {

namespace {

constexpr PetscReal no_damping = 2e-3;
constexpr PetscInt looks_between_dampings = 8;

}  // namespace

ModeMeter::Mode ModeMeter::measure(Vec e, PetscReal enough, bool look_for_damping) {
  const Shifts parts = problem_.quadratic_forms(e, {1, 0, 1});
  products_ += 2;
  if (!(parts.a > 0) || !(parts.q > 0)) return {};  // no mass, or physical growth
  const PetscReal frequency = std::sqrt(parts.q / parts.a);
  const PetscReal known = known_.ratio(frequency);
  PetscReal damping = known;
  // Other damping only adds to what is known and enough; where there was none, it is looked for only now and then.
  if (known < enough && (look_for_damping || !more_damping_unlikely_ || ++looks_ % looks_between_dampings == 0)) {
    damping = problem_.quadratic_forms(e, {0, 1, 0}).v / (2 * std::sqrt(parts.q * parts.a));
    ++products_;
    more_damping_unlikely_ = std::abs(damping - known) < no_damping;
  }
  return {frequency, std::max<PetscReal>(damping, 0), damping >= -1e-8 && damping < 1};
}

double growth_of_bdf(int order, PetscReal h, const ModeMeter::Mode& mode) {
  std::array<double, BdfScheme::max_order + 1> times{};
  for (int j = 0; j <= order; ++j) times[j] = j - order;
  const PetscReal zeta = std::min<PetscReal>(mode.damping, 1);
  const std::complex<double> z = h * mode.frequency * std::complex<double>(-zeta, std::sqrt(1 - zeta * zeta));
  return bdf::growth_factor(std::span<const double>(times.data(), static_cast<std::size_t>(order) + 1), z);
}

void ModeMeter::archive_numbers(Archive& state) {
  state("more_damping_unlikely", more_damping_unlikely_);
  state("products", products_);
  state("looks", looks_);
}

}  // namespace gearshift
