#include "dynamics/methods/sdirk_method.hpp"

#include "dynamics/methods/constants.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift {

using petsc::check;

SdirkMethod::SdirkMethod(const bdf::Sdirk& method, NewtonSolver& solver, Vec layout, int levels, Taught& taught)
    : method_(method),
      solver_(solver),
      levels_(levels),
      motion_(solver, method, levels),
      internal_(solver.system(), method),
      stage_(method.stages),
      slope_(method.stages),
      taught_(taught) {
  for (auto* group : {&stage_, &slope_})
    for (auto& vec : *group) check(VecDuplicate(layout, vec.out()));
  for (auto* vec : {&base_y_, &base_q_, &unknown_}) check(VecDuplicate(layout, vec->out()));
}

bool SdirkMethod::solve_stage(int i, PetscReal t, PetscReal h, const End& from, StepReport& report) {
  const PetscReal alpha = 1 / (method_.gamma * h);
  const auto earlier = static_cast<std::size_t>(i);
  check(VecCopy(from.x[levels_ - 1], base_y_.get()));
  sum(base_y_.get(), h, method_.a[i], slope_, earlier);
  AffineMap map;
  map.t = t;
  map.internal = internal_.at(i);
  if (levels_ == 2) {
    check(VecCopy(from.x[0], base_q_.get()));
    sum(base_q_.get(), h, method_.a[i], stage_, earlier);
    map.slope = {1 / alpha, 1, alpha};
    map.base_q = base_q_.get();
    map.base_a = base_y_.get();
    map.factor_a = -alpha;
    map.unknown = 1;
  } else {
    map.slope = {1, alpha, 0};
    map.base_v = base_y_.get();
    map.factor_v = -alpha;
    map.unknown = 0;
  }
  solver_.motion().set(map, motion_.at(i));
  // The guess is the extrapolation with the slope of the previous stage.
  check(VecCopy(base_y_.get(), unknown_.get()));
  if (i > 0) check(VecAXPY(unknown_.get(), 1 / alpha, slope_[i - 1].get()));
  solver_.motion().constrain(unknown_.get());
  if (!tied_) return solver_.solve(unknown_.get(), report);
  // The error of the stage enters the step b_i / gamma times.
  const PetscReal weight = std::max(1.0, std::abs(method_.a[method_.stages - 1][i]) / method_.gamma);
  solver_.convergence().allow(
      {.size = methods::truncation_share * taught_.truncation / weight, .expected = taught_.increments[i]});
  const bool solved = solver_.solve(unknown_.get(), report);
  taught_.increments[i] = solver_.convergence().first_increment();
  return solved;
}

/// Returns the local error of the unknown in the step just solved, in the 2-norm. The estimate has a lower power of h;
/// powers of the phase h w compensate for it, where w = |e_v| / |e_q| is the frequency of the error.
PetscReal SdirkMethod::truncation_error(PetscReal h) {
  if (levels_ == 1) return 0;
  if (!error_) check(VecDuplicate(unknown_.get(), error_.out()));
  std::array<PetscReal, 2> sizes{};
  for (std::size_t level = 0; level < 2; ++level) {
    check(VecSet(error_.get(), 0));
    sum(error_.get(), h, method_.error, slopes_of(static_cast<int>(level)), stage_.size());
    solver_.motion().fixed().set(error_.get(), 0.0);
    check(VecNorm(error_.get(), NORM_2, &sizes[level]));
  }
  if (!(sizes[0] > 0)) return 0;
  const PetscReal phase = std::min<PetscReal>(1, h * sizes[1] / sizes[0]);
  return sizes[1] * method_.error_ratio * std::pow(phase, method_.order - method_.error_order);
}

bool SdirkMethod::step(PetscReal t, PetscReal t_end, PetscReal h, const End& from, const StartSlopes& slopes_from,
                       const End& to, StepReport& report, const OnStage& on_stage) {
  std::vector<PetscReal> times(static_cast<std::size_t>(method_.stages), t_end);
  for (int i = 0; i + 1 < method_.stages; ++i) times[i] = t + method_.c[i] * h;
  motion_.begin(t, h, times);
  internal_.begin(h, from.internal, slopes_from.internal);
  const bdf::Sdirk::Row& b = method_.a[method_.stages - 1];
  for (int i = 0; i < method_.stages; ++i) {
    if (i == 0 && method_.explicit_first) {
      check(VecCopy(from.x[levels_ - 1], stage_[0].get()));
      check(VecCopy(slopes_from.x, slope_[0].get()));
      solver_.massless().clear(slope_[0].get());
      if (levels_ == 2) on_stage(h * b[0], {t, from.x[0], from.x[1], slopes_from.x, {.base = from.internal}});
      continue;
    }
    if (!solve_stage(i, times[i], h, from, report)) return false;
    const State at = solver_.residual().state_at(unknown_.get());
    check(VecCopy(levels_ == 2 ? at.v : at.q, stage_[i].get()));  // the unknown, with dependent entries
    check(VecCopy(levels_ == 2 ? at.a : at.v, slope_[i].get()));
    solver_.massless().clear(slope_[i].get());
    internal_.find(i, at);
    on_stage(h * b[i], at);
  }
  const State end = solver_.motion().state();
  check(VecCopy(end.q, to.x[0]));
  if (levels_ == 2) check(VecCopy(end.v, to.x[1]));
  if (tied_) taught_.truncation = truncation_error(h);
  return true;
}

/// Adds factor sum_(i < count) w_i k_i to out.
void SdirkMethod::sum(Vec out, PetscReal factor, std::span<const double> weights,
                      const std::vector<petsc::Handle<Vec>>& slopes, std::size_t count) const {
  std::array<PetscScalar, bdf::Sdirk::max_stages> w{};
  std::array<Vec, bdf::Sdirk::max_stages> k{};
  for (std::size_t i = 0; i < count; ++i) {
    w[i] = factor * weights[i];
    k[i] = slopes[i].get();
  }
  check(VecMAXPY(out, static_cast<PetscInt>(count), w.data(), k.data()));
}

void SdirkMethod::error(PetscReal h, Vec error_q, Vec error_v) const { estimate(method_.error, h, error_q, error_v); }

bool SdirkMethod::smooth_error(PetscReal h, Vec error_q, Vec error_v) const {
  if (!method_.has_smooth_error()) return false;
  estimate(method_.smooth_error, h, error_q, error_v);
  return true;
}

void SdirkMethod::internal_error(PetscReal h, Vec error) const {
  check(VecSet(error, 0));
  sum(error, h, method_.error, internal_.slopes(), internal_.slopes().size());
}

void SdirkMethod::estimate(const bdf::Sdirk::Row& weights, PetscReal h, Vec error_q, Vec error_v) const {
  check(VecSet(error_q, 0));
  sum(error_q, h, weights, slopes_of(0), stage_.size());
  if (levels_ == 1) return;
  check(VecSet(error_v, 0));
  sum(error_v, h, weights, slopes_of(1), stage_.size());
}

bool SdirkMethod::extrapolated_step(PetscReal t, PetscReal t_end, PetscReal h, const End& from, const End& to,
                                    StepReport& report, const OnStage& on_stage) {
  Extrapolation& kept = extrapolation_;
  End coarse{}, middle{};
  for (int level = 0; level < levels_; ++level) {
    for (auto* group : {&kept.coarse, &kept.middle})
      if (!(*group)[level]) (*group)[level] = petsc::duplicate(base_y_.get());
    coarse.x[level] = kept.coarse[level].get();
    middle.x[level] = kept.middle[level].get();
  }
  if (!kept.fine_slope) kept.fine_slope = petsc::duplicate(base_y_.get());
  if (from.internal && !kept.middle_internal)
    for (auto* vec : {&kept.middle_internal, &kept.fine_internal, &kept.fine_internal_slope})
      *vec = petsc::duplicate(from.internal);
  const auto keep = [](Vec from_method, const petsc::Handle<Vec>& copy) {
    if (copy) check(VecCopy(from_method, copy.get()));
  };
  if (!step(t, t + h / 2, h / 2, from, {}, middle, report, on_stage)) return false;
  keep(internal_.end(), kept.middle_internal);
  middle.internal = kept.middle_internal.get();
  if (!step(t + h / 2, t_end, h / 2, middle, {}, to, report, on_stage)) return false;
  keep(slope(), kept.fine_slope);
  keep(internal_.end(), kept.fine_internal);
  keep(internal_.slope(), kept.fine_internal_slope);
  // The whole step is the last one, because its stages are used for dense output.
  if (!step(t, t_end, h, from, {}, coarse, report, [](PetscReal, const State&) {})) return false;
  // The error of order 4 cancels: fine + (fine - coarse) / (2^4 - 1).
  const auto cancel = [](Vec out, PetscReal own, PetscReal others, Vec other) {
    if (out) check(VecAXPBY(out, others / 15, own / 15, other));
  };
  for (int level = 0; level < levels_; ++level) cancel(to.x[level], 16, -1, coarse.x[level]);
  cancel(slope(), -1, 16, kept.fine_slope.get());
  const PetscReal coarse_part = internal_.follow_path() ? 0 : -1;  // a path is only extrapolated if it is smooth
  cancel(internal_.end(), coarse_part, 15 - coarse_part, kept.fine_internal.get());
  cancel(internal_.slope(), coarse_part, 15 - coarse_part, kept.fine_internal_slope.get());
  return true;
}

void SdirkMethod::interpolate(int level, PetscReal theta, PetscReal h, Vec from, Vec to, Vec out) const {
  const bdf::Sdirk::Row& b = method_.a[method_.stages - 1];
  bdf::Sdirk::Row w = method_.dense_weights(theta);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] -= theta * theta * b[i];
  check(VecCopy(from, out));
  check(VecAXPBY(out, theta * theta, 1 - theta * theta, to));
  sum(out, h, w, slopes_of(level), stage_.size());
}

void SdirkMethod::interpolate_derivative(int level, PetscReal theta, PetscReal h, Vec from, Vec to, Vec out) const {
  const bdf::Sdirk::Row& b = method_.a[method_.stages - 1];
  bdf::Sdirk::Row w = method_.dense_slopes(theta);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] -= 2 * theta * b[i];
  check(VecWAXPY(out, -1, from, to));
  check(VecScale(out, 2 * theta / h));
  sum(out, 1, w, slopes_of(level), stage_.size());
}

void SdirkMethod::Taught::archive(Archive& state) {
  state("truncation", truncation);
  state("increments", increments);
}

void SdirkMethod::archive(Archive& state) {
  const Archive::Group group(state, "stages");
  for (std::size_t i = 0; i < stage_.size(); ++i) {
    state.vec("value_" + std::to_string(i), stage_[i].get());
    state.vec("slope_" + std::to_string(i), slope_[i].get());
  }
  internal_.archive(state);
}

}  // namespace gearshift
