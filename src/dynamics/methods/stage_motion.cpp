#include "dynamics/methods/stage_motion.hpp"

namespace gearshift {

namespace {

using Weights = bdf::Sdirk::Row;

double dot(const Weights& x, const Weights& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

/// Returns the weights b_j and (bA)_j with which the slopes of the stages enter x^(p-1) and x^(p-2) at the end. Only
/// stages whose slopes may be changed count: all but the last one and an explicit first one.
std::array<Weights, 2> weights(const bdf::Sdirk& method) {
  const Weights& b = method.a[method.stages - 1];
  std::array<Weights, 2> w{};
  for (int j = method.explicit_first ? 1 : 0; j + 1 < method.stages; ++j) {
    w[0][j] = b[j];
    for (int i = j; i < method.stages; ++i) w[1][j] += b[i] * method.a[i][j];
  }
  return w;
}

}  // namespace

void StageMotion::begin(PetscReal t, PetscReal h, std::span<const PetscReal> times) {
  if (!solver_.motion().fixed().any_constrained()) return;
  solver_.motion().prescribed_at(t, start_);
  for (std::size_t i = 0; i < times.size(); ++i) solver_.motion().prescribed_at(times[i], stages_[i]);
  end_ = stages_.back();
  for (std::size_t entry = 0; entry < start_[0].size(); ++entry) {
    quadratures(entry, h);
    arrive(entry, h);
    quadratures(entry, h);
    for (std::size_t level = 0; level < end_.size(); ++level) stages_.back()[level][entry] = end_[level][entry];
  }
}

/// Computes the lower levels of every stage from the slopes of all stages.
void StageMotion::quadratures(std::size_t entry, PetscReal h) {
  for (std::size_t i = 0; i < stages_.size(); ++i)
    for (int level = levels_ - 1; level >= 0; --level) {
      PetscScalar sum = 0;
      for (std::size_t j = 0; j <= i; ++j) sum += method_.a[i][j] * stages_[j][level + 1][entry];
      stages_[i][level][entry] = start_[level][entry] + h * sum;
    }
}

/// Corrects the slopes so that the quadratures of the last stage reach the prescribed end.
void StageMotion::arrive(std::size_t entry, PetscReal h) {
  const std::array<Weights, 2> w = weights(method_);
  const auto missing = [&](int level) { return end_[level][entry] - stages_.back()[level][entry]; };
  // d = x w_0 + y w_1, the smallest solution of w_0 d = missing of the upper level / h, w_1 d = missing of the lower
  // one / h^2.
  const double g00 = dot(w[0], w[0]), g01 = dot(w[0], w[1]), g11 = dot(w[1], w[1]);
  PetscScalar x = missing(levels_ - 1) / (h * g00), y = 0;
  if (levels_ == 2) {
    const PetscScalar upper = missing(1) / h, lower = missing(0) / (h * h);
    const double determinant = g00 * g11 - g01 * g01;
    x = (g11 * upper - g01 * lower) / determinant;
    y = (g00 * lower - g01 * upper) / determinant;
  }
  for (std::size_t j = 0; j < stages_.size(); ++j) stages_[j][levels_][entry] += x * w[0][j] + y * w[1][j];
}

}  // namespace gearshift
