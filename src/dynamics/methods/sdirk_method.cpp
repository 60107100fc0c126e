#include "dynamics/methods/sdirk_method.hpp"

#include <gearshift/bdf/sdirk.hpp>

#include <array>

namespace gearshift {

using petsc::check;

SdirkMethod::SdirkMethod(NewtonSolver& solver, Vec layout, int levels)
    : solver_(solver),
      levels_(levels),
      motion_(solver, levels),
      stage_(bdf::sdirk4().stages),
      slope_(bdf::sdirk4().stages),
      coarse_(levels),
      middle_(levels) {
  for (auto* group : {&stage_, &slope_, &coarse_, &middle_})
    for (auto& vec : *group) check(VecDuplicate(layout, vec.out()));
  for (auto* vec : {&base_y_, &base_q_, &unknown_, &fine_slope_}) check(VecDuplicate(layout, vec->out()));
}

bool SdirkMethod::single(PetscReal t, PetscReal t_end, PetscReal h, std::span<const Vec> from, std::span<const Vec> to,
                         StepReport& report, const OnStage& on_stage) {
  const bdf::Sdirk& method = bdf::sdirk4();
  const PetscReal alpha = 1 / (method.gamma * h);
  const Vec y = from[levels_ - 1];
  std::array<PetscReal, 5> times{};
  for (int i = 0; i < method.stages; ++i) times[i] = i + 1 < method.stages ? t + method.c[i] * h : t_end;
  motion_.begin(t, h, times);
  for (int i = 0; i < method.stages; ++i) {
    std::array<PetscScalar, 5> w{};
    std::array<Vec, 5> y_stages{}, z_stages{};
    for (int j = 0; j < i; ++j) {
      w[j] = h * method.a[i][j];
      y_stages[j] = stage_[j].get();
      z_stages[j] = slope_[j].get();
    }
    check(VecCopy(y, base_y_.get()));
    check(VecMAXPY(base_y_.get(), i, w.data(), z_stages.data()));
    AffineMap map;
    map.t = times[i];
    if (levels_ == 2) {
      check(VecCopy(from[0], base_q_.get()));
      check(VecMAXPY(base_q_.get(), i, w.data(), y_stages.data()));
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
    solver_.set_map(map, motion_.at(i));
    // The guess goes on with the slope of the stage before.
    check(VecCopy(base_y_.get(), unknown_.get()));
    if (i > 0) check(VecAXPY(unknown_.get(), 1 / alpha, slope_[i - 1].get()));
    solver_.constrain(unknown_.get());
    if (!solver_.solve(unknown_.get(), report)) return false;
    const State at = solver_.state_at(unknown_.get());
    check(VecCopy(unknown_.get(), stage_[i].get()));
    check(VecCopy(levels_ == 2 ? at.a : at.v, slope_[i].get()));
    on_stage(h * method.a[method.stages - 1][i], at);
  }
  const State end = solver_.state();
  check(VecCopy(end.q, to[0]));
  if (levels_ == 2) check(VecCopy(end.v, to[1]));
  return true;
}

/// out += factor sum_i w_i k_i.
void SdirkMethod::sum(Vec out, PetscReal factor, const std::array<double, 5>& weights,
                      const std::vector<petsc::Handle<Vec>>& slopes) const {
  std::array<PetscScalar, 5> w{};
  std::array<Vec, 5> k{};
  for (std::size_t i = 0; i < w.size(); ++i) {
    w[i] = factor * weights[i];
    k[i] = slopes[i].get();
  }
  check(VecMAXPY(out, static_cast<PetscInt>(w.size()), w.data(), k.data()));
}

void SdirkMethod::error(PetscReal h, Vec error_q, Vec error_v) const {
  const bdf::Sdirk& method = bdf::sdirk4();
  std::array<double, 5> w{};
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = method.a.back()[i] - method.b_embedded[i];
  check(VecSet(error_q, 0));
  sum(error_q, h, w, slopes_of(0));
  if (levels_ == 1) return;
  check(VecSet(error_v, 0));
  sum(error_v, h, w, slopes_of(1));
}

bool SdirkMethod::step(PetscReal t, PetscReal t_end, PetscReal h, std::span<const Vec> from, std::span<const Vec> to,
                       bool extrapolate, StepReport& report, const OnStage& on_stage) {
  if (!extrapolate) return single(t, t_end, h, from, to, report, on_stage);
  std::array<Vec, 2> coarse{}, middle{};
  for (int level = 0; level < levels_; ++level) {
    coarse[level] = coarse_[level].get();
    middle[level] = middle_[level].get();
  }
  const auto count = static_cast<std::size_t>(levels_);
  if (!single(t, t + h / 2, h / 2, from, {middle.data(), count}, report, on_stage)) return false;
  if (!single(t + h / 2, t_end, h / 2, {middle.data(), count}, to, report, on_stage)) return false;
  check(VecCopy(slope(), fine_slope_.get()));
  // The whole step comes last: its stages serve the dense output.
  if (!single(t, t_end, h, from, {coarse.data(), count}, report, [](PetscReal, const State&) {})) return false;
  // The error of order 4 cancels: fine + (fine - coarse) / (2^4 - 1).
  for (std::size_t level = 0; level < count; ++level) check(VecAXPBY(to[level], -1.0 / 15, 16.0 / 15, coarse[level]));
  check(VecAXPBY(slope(), 16.0 / 15, -1.0 / 15, fine_slope_.get()));
  return true;
}

void SdirkMethod::interpolate(int level, PetscReal theta, PetscReal h, Vec from, Vec to, Vec out) const {
  const std::array<double, 5>& b = bdf::sdirk4().a.back();
  std::array<double, 5> w = bdf::sdirk4_dense_weights(theta);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] -= theta * theta * b[i];
  check(VecCopy(from, out));
  check(VecAXPBY(out, theta * theta, 1 - theta * theta, to));
  sum(out, h, w, slopes_of(level));
}

void SdirkMethod::interpolate_derivative(int level, PetscReal theta, PetscReal h, Vec from, Vec to, Vec out) const {
  const std::array<double, 5>& b = bdf::sdirk4().a.back();
  std::array<double, 5> w = bdf::sdirk4_dense_slopes(theta);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] -= 2 * theta * b[i];
  check(VecWAXPY(out, -1, from, to));
  check(VecScale(out, 2 * theta / h));
  sum(out, 1, w, slopes_of(level));
}

void SdirkMethod::archive(Archive& state) {
  const Archive::Group group(state, "stages");
  for (std::size_t i = 0; i < stage_.size(); ++i) {
    state.vec("value_" + std::to_string(i), stage_[i].get());
    state.vec("slope_" + std::to_string(i), slope_[i].get());
  }
}

}  // namespace gearshift
