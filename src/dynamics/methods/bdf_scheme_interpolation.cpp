// Values between the stored states of a BdfScheme.

#include <gearshift/bdf/weights.hpp>
#include <gearshift/dynamics/bdf_scheme.hpp>

#include "petsc/combine.hpp"

#include <algorithm>

namespace gearshift {

using petsc::combine;

void BdfScheme::interpolate(int level, PetscReal t, Vec out) const { interpolate(level, order_ + 1, t, out); }

void BdfScheme::interpolate(int level, int points, PetscReal t, Vec out) const {
  sum_of_past(level, points, t, bdf::interpolation_weights, out);
}

void BdfScheme::interpolate_derivative(int level, int points, PetscReal t, Vec out) const {
  sum_of_past(level, points, t, bdf::derivative_weights, out);
}

/// Computes out = sum_j w_j x_j over the newest states, with weights of the requested kind.
void BdfScheme::sum_of_past(int level, int points, PetscReal t, Weights weights, Vec out) const {
  const int n = std::min(points, size(0));
  if (n == 0) throw Error("interpolate: no initial conditions yet");
  std::array<double, max_points> times{}, w{};
  std::array<Vec, max_points> x{};
  past_times(n, 0, times.data());
  for (int age = 1; age <= n; ++age) x[n - age] = slot(age, level);
  const auto count = static_cast<std::size_t>(n);
  weights(std::span<const double>(times.data(), count), t - time_, std::span<double>(w.data(), count));
  combine(out, {w.data(), count}, {x.data(), count});
}

void BdfScheme::interpolate_two_sided(int level, PetscReal t, Vec derivative_before, Vec derivative_now,
                                      Vec out) const {
  const PetscReal h = last_step(), s = (t - time_) / h + 1, r = 1 - s;  // s = 0 before, 1 now
  const std::array<PetscScalar, 4> w{(1 + 2 * s) * r * r, s * s * (3 - 2 * s), h * s * r * r, -h * s * s * r};
  std::array<Vec, 4> x{past(2, level), past(1, level), derivative_before, derivative_now};
  combine(out, {w.data(), w.size()}, {x.data(), x.size()});
}

}  // namespace gearshift
