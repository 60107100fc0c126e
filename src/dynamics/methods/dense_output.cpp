#include "dynamics/methods/dense_output.hpp"

#include "dynamics/methods/constants.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

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

void DenseOutput::push(const StepRecord& step) { before_ = std::exchange(last_, step); }

void DenseOutput::pop() {
  last_ = before_;
  if (last_.method != Method::bdf) use_states(4);
}

void DenseOutput::forget() {
  last_ = before_ = {};
  since_look_ = {};
}

void DenseOutput::use_states(int points) {
  last_ = {last_.any, Method::bdf, std::min(points, history_.scheme().size()), last_.dt};
}

bool DenseOutput::needs_stages() const {
  if (!last_.any || last_.method == Method::bdf) return false;
  return last_.method == Method::esdirk || !history_.slopes().before_known();
}

void DenseOutput::interpolate(PetscReal t, int level, Vec out) const {
  const BdfScheme& scheme = history_.scheme();
  if (!last_.any || last_.method == Method::bdf) {
    scheme.interpolate(level, last_.points, t, out);
    return;
  }
  const bool top = level + 1 == history_.levels();
  Vec before = scheme.past(2, level), now = scheme.past(1, level);
  if (last_.method == Method::esdirk || (top && !history_.slopes().before_known()))
    methods_.of(last_.method).interpolate(level, (t - scheme.time()) / last_.dt + 1, last_.dt, before, now, out);
  else
    scheme.interpolate_two_sided(level, t, top ? history_.slopes().before() : scheme.past(2, level + 1),
                                 top ? history_.slopes().now() : scheme.past(1, level + 1), out);
}

void DenseOutput::interpolate_internal(PetscReal t, Vec out) const {
  const InternalHistory& internal = history_.internal();
  const BdfScheme& scheme = internal.scheme();
  if (internal.follow_path() && last_.any)
    scheme.interpolate(0, 2, t, out);  // closest to a path with a kink within the step
  else if (!last_.any || last_.method == Method::bdf)
    scheme.interpolate(0, last_.points, t, out);
  else if (needs_stages())
    methods_.of(last_.method)
        .interpolate(SdirkMethod::internal_level, (t - scheme.time()) / last_.dt + 1, last_.dt, scheme.past(2, 0),
                     scheme.past(1, 0), out);
  else
    scheme.interpolate_two_sided(0, t, internal.slope_before(), internal.slope(), out);
}

void DenseOutput::interpolate(PetscReal t, Vec q, Vec v) const {
  if (q) interpolate(t, 0, q);
  if (v && history_.levels() == 2) interpolate(t, 1, v);
}

void DenseOutput::slope(PetscReal t, Vec out) const {
  const BdfScheme& scheme = history_.scheme();
  const int level = history_.levels() - 1;
  if (!last_.any || last_.method == Method::bdf) {
    scheme.interpolate_derivative(level, std::min(last_.points, scheme.size()), t, out);
    return;
  }
  const PetscReal h = last_.dt, theta = (t - scheme.time()) / h + 1;
  Vec before = scheme.past(2, level), now = scheme.past(1, level);
  if (needs_stages()) {
    methods_.of(last_.method).interpolate_derivative(level, theta, h, before, now, out);
    return;
  }
  const std::array<PetscScalar, 4> w = hermite_derivative(theta, h);
  std::array<Vec, 4> x{before, now, history_.slopes().before(), history_.slopes().now()};
  check(VecSet(out, 0));
  check(VecMAXPY(out, 4, w.data(), x.data()));
}

/// Returns the dense output as a state with this Vec for a; prescribed entries are interpolated, too.
State DenseOutput::place(PetscReal t, Vec a) {
  for (auto* vec : {&q_, &v_})
    if (!*vec) *vec = petsc::duplicate(history_.slopes().now());
  interpolate(t, q_.get(), v_.get());
  slope(t, a);
  return {t, q_.get(), v_.get(), a};
}

/// Computes the internal variables inside the step. Path-dependent ones are advanced from the beginning of the step to
/// the point, as they are to its end.
InternalState DenseOutput::internal_at(State inside) {
  const InternalHistory& internal = history_.internal();
  if (!internal.any()) return {};
  if (!internal_) internal_ = petsc::duplicate(internal.slope());
  Vec z = internal_.get();
  const PetscReal since = inside.t - (history_.time() - last_.dt);
  if (!internal.follow_path()) {
    interpolate_internal(inside.t, z);
  } else if (since > 0) {
    inside.internal = {internal.scheme().past(2, 0), 1, 1 / since};
    methods_.solver().system().parts().internal->internal_variables(inside, z);
  } else {
    check(VecCopy(internal.scheme().past(2, 0), z));
  }
  return {.base = z};
}

State DenseOutput::state_at(PetscReal t) {
  if (history_.levels() != 2 || !last_.any) return history_.state();
  petsc::CallbackGuard& guard = methods_.solver().system().guard();
  if (!a_) a_ = petsc::duplicate(history_.slopes().now());
  State inside = place(t, a_.get());
  methods_.solver().motion().prescribe(t, inside.q, inside.v, inside.a);
  guard.agree();
  if (!history_.internal().any()) return inside;
  inside.internal = internal_at(inside);
  guard.agree();
  return inside;
}

PetscReal DenseOutput::half_step_residual() {
  if (history_.levels() != 2 || !last_.any) return 0;
  NewtonSolver& solver = methods_.solver();
  Vec a = methods_.bdf().unknown(), residual = solver.residual().work(0);
  const State inside = place(history_.time() - last_.dt / 2, a);
  AffineMap map;
  map.t = inside.t;
  map.slope = {0, 0, 1};
  map.base_q = inside.q;
  map.base_v = inside.v;
  map.unknown = 2;
  map.internal = internal_at(inside);
  solver.motion().set(map);
  solver.motion().constrain(a);
  solver.residual().evaluate(a, residual);
  if (!solver.system().guard().all_valid()) return std::numeric_limits<PetscReal>::infinity();
  return petsc::norm(residual);
}

void DenseOutput::check_half_step(bool always, StepReport& report) {
  SinceLook& since = since_look_;
  ++since.steps;
  since.iterations += report.newton_iterations + report.krylov_iterations;
  const bool due = since.first || (since.steps >= methods::steps_between_looks &&
                                   since.iterations >= methods::iterations_between_looks);
  if (!due && !always) return;
  since = {.first = false};
  report.half_step_residual = half_step_residual();
  PetscReal predicted = 0;
  for (const PetscReal norm : report.residual_norms) predicted = std::max(predicted, norm);
  report.unseen_load = report.half_step_residual > methods::unseen * predicted &&
                       !methods_.solver().residual().is_rounding(methods_.bdf().unknown());
}

void DenseOutput::archive(Archive& state) {
  last_.archive(state);
  if (needs_stages()) methods_.of(last_.method).archive(state);
  state("looked", since_look_.first);
  state("steps_since_look", since_look_.steps);
  state("iterations_since_look", since_look_.iterations);
}

}  // namespace gearshift
