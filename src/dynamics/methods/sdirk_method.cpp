#include "dynamics/methods/sdirk_method.hpp"

#include <gearshift/bdf/sdirk.hpp>

#include <array>

namespace gearshift {

using petsc::check;

SdirkMethod::SdirkMethod(NewtonSolver& problem, Vec layout, int levels)
    : problem_(problem),
      levels_(levels),
      stage_(bdf::sdirk4().stages),
      slope_(bdf::sdirk4().stages),
      coarse_(levels),
      middle_(levels) {
  for (auto* group : {&stage_, &slope_, &coarse_, &middle_})
    for (auto& vec : *group) check(VecDuplicate(layout, vec.out()));
  for (auto* vec : {&base_y_, &base_q_, &unknown_}) check(VecDuplicate(layout, vec->out()));
}

bool SdirkMethod::single(PetscReal t, PetscReal h, std::span<const Vec> from, std::span<const Vec> to,
                         StepReport& record, const OnStage& on_stage) {
  const bdf::Sdirk& method = bdf::sdirk4();
  const PetscReal alpha = 1 / (method.gamma * h);
  const Vec y = from[levels_ - 1];
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
    map.t = t + method.c[i] * h;
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
    problem_.set_map(map);
    // The guess goes on with the slope of the stage before.
    check(VecCopy(base_y_.get(), unknown_.get()));
    if (i > 0) check(VecAXPY(unknown_.get(), 1 / alpha, slope_[i - 1].get()));
    problem_.constrain(unknown_.get());
    if (!problem_.solve(unknown_.get(), record)) return false;
    const State at = problem_.state_at(unknown_.get());
    check(VecCopy(unknown_.get(), stage_[i].get()));
    check(VecCopy(levels_ == 2 ? at.a : at.v, slope_[i].get()));
    on_stage(h * method.a[method.stages - 1][i], at);
  }
  const State end = problem_.state();
  check(VecCopy(end.q, to[0]));
  if (levels_ == 2) check(VecCopy(end.v, to[1]));
  return true;
}

void SdirkMethod::error(PetscReal h, Vec error_q, Vec error_v) const {
  const bdf::Sdirk& method = bdf::sdirk4();
  const auto sum = [&](const std::vector<petsc::Handle<Vec>>& slopes, Vec out) {
    std::array<PetscScalar, 5> w{};
    std::array<Vec, 5> z{};
    for (int j = 0; j < method.stages; ++j) {
      w[j] = h * (method.a[method.stages - 1][j] - method.b_embedded[j]);
      z[j] = slopes[j].get();
    }
    check(VecSet(out, 0));
    check(VecMAXPY(out, method.stages, w.data(), z.data()));
  };
  // q' = v are the stages themselves in mechanics, and the slopes of a first-order ODE.
  sum(levels_ == 2 ? stage_ : slope_, error_q);
  if (levels_ == 2) sum(slope_, error_v);
}

bool SdirkMethod::step(PetscReal t, PetscReal h, std::span<const Vec> from, std::span<const Vec> to, bool extrapolate,
                       StepReport& record, const OnStage& on_stage) {
  if (!extrapolate) return single(t, h, from, to, record, on_stage);
  std::array<Vec, 2> coarse{}, middle{};
  for (int level = 0; level < levels_; ++level) {
    coarse[level] = coarse_[level].get();
    middle[level] = middle_[level].get();
  }
  const auto count = static_cast<std::size_t>(levels_);
  if (!single(t, h, from, {coarse.data(), count}, record, [](PetscReal, const State&) {})) return false;
  if (!single(t, h / 2, from, {middle.data(), count}, record, on_stage)) return false;
  if (!single(t + h / 2, h / 2, {middle.data(), count}, to, record, on_stage)) return false;
  // The error of order 4 cancels: fine + (fine - coarse) / (2^4 - 1).
  for (std::size_t level = 0; level < count; ++level) check(VecAXPBY(to[level], -1.0 / 15, 16.0 / 15, coarse[level]));
  return true;
}

}  // namespace gearshift
