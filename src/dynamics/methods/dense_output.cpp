#include "dynamics/methods/dense_output.hpp"

#include <algorithm>
#include <array>

namespace gearshift {

using petsc::check;

namespace {

/// Returns the weights of the values at both ends of a step of size h, and of the slopes there, in the time derivative
/// of the cubic Hermite polynomial at theta = 0 .. 1.
std::array<PetscScalar, 4> hermite_derivative(PetscReal theta, PetscReal h) {
  const PetscReal s = theta, r = 1 - s;
  return {-6 * s * r / h, 6 * s * r / h, r * (1 - 3 * s), s * (3 * s - 2)};
}

}  // namespace

void StepRecord::archive(Archive& state) {
  const Archive::Group group(state, "last_step");
  state("any", any);
  state("method", method);
  state("points", points);
  state("dt", dt);
}

bool DenseOutput::needs_stages(const StepRecord& record) const {
  if (!record.any || record.method == Method::bdf) return false;
  return record.method == Method::esdirk || !history_.slope_before_known();
}

void DenseOutput::interpolate(const StepRecord& record, PetscReal t, int level, Vec out) const {
  const BdfScheme& scheme = history_.scheme();
  if (!record.any || record.method == Method::bdf) {
    scheme.interpolate(level, record.points, t, out);
    return;
  }
  const bool top = level + 1 == history_.levels();
  Vec before = scheme.past(2, level), now = scheme.past(1, level);
  if (record.method == Method::esdirk || (top && !history_.slope_before_known()))
    one_step_.of(record.method).interpolate(level, (t - scheme.time()) / record.dt + 1, record.dt, before, now, out);
  else
    scheme.interpolate_two_sided(level, t, top ? history_.slope_before() : scheme.past(2, level + 1),
                                 top ? history_.slope() : scheme.past(1, level + 1), out);
}

void DenseOutput::interpolate_internal(const StepRecord& record, PetscReal t, Vec out) const {
  const InternalHistory& internal = history_.internal();
  const BdfScheme& scheme = internal.scheme();
  if (internal.follow_path() && record.any)
    scheme.interpolate(0, 2, t, out);  // closest to a path with a kink within the step
  else if (!record.any || record.method == Method::bdf)
    scheme.interpolate(0, record.points, t, out);
  else if (needs_stages(record))
    one_step_.of(record.method)
        .interpolate(SdirkMethod::internal_level, (t - scheme.time()) / record.dt + 1, record.dt, scheme.past(2, 0),
                     scheme.past(1, 0), out);
  else
    scheme.interpolate_two_sided(0, t, internal.slope_before(), internal.slope(), out);
}

void DenseOutput::interpolate(const StepRecord& record, PetscReal t, Vec q, Vec v) const {
  if (q) interpolate(record, t, 0, q);
  if (v && history_.levels() == 2) interpolate(record, t, 1, v);
}

void DenseOutput::slope(const StepRecord& record, PetscReal t, Vec out) const {
  const BdfScheme& scheme = history_.scheme();
  const int level = history_.levels() - 1;
  if (!record.any || record.method == Method::bdf) {
    scheme.interpolate_derivative(level, std::min(record.points, scheme.size()), t, out);
    return;
  }
  const PetscReal h = record.dt, theta = (t - scheme.time()) / h + 1;
  Vec before = scheme.past(2, level), now = scheme.past(1, level);
  if (needs_stages(record)) {
    one_step_.of(record.method).interpolate_derivative(level, theta, h, before, now, out);
    return;
  }
  const std::array<PetscScalar, 4> w = hermite_derivative(theta, h);
  std::array<Vec, 4> x{before, now, history_.slope_before(), history_.slope()};
  check(VecSet(out, 0));
  check(VecMAXPY(out, 4, w.data(), x.data()));
}

}  // namespace gearshift
