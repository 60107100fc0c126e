#include "solid/single_smoother.hpp"

#include <gearshift/petsc/options.hpp>

#include <Eigen/Eigenvalues>
#include <cmath>

namespace gearshift::solid {

CycleOptions read_cycle_options(MPI_Comm comm, std::string_view prefix, CycleOptions options) {
  petsc::read_options(comm, prefix, "Smoothing on the multigrid's levels", [&](petsc::Options& o) {
    o.integer("-mg_levels_ksp_max_it", "Chebyshev steps before and after the coarser levels", options.steps);
    o.reals("-mg_levels_ksp_chebyshev_esteig",
            "a,b,c,d: smooth between a l + b L and c l + d L, with l and L the estimated ends of the spectrum",
            options.interval);
    o.integer("-mg_levels_ksp_chebyshev_esteig_steps", "products spent on these estimates", options.estimate_steps);
    o.integer("-mg_corner_cycles", "cycles over degree 1 and below for one over the higher degrees",
              options.corner_cycles);
  });
  if (options.corner_cycles < 1) throw OptionError("option -mg_corner_cycles: give 1 or more");
  if (options.steps < 1) throw OptionError("option -mg_levels_ksp_max_it: give 1 or more");
  if (options.estimate_steps < 1) throw OptionError("option -mg_levels_ksp_chebyshev_esteig_steps: give 1 or more");
  if (options.interval.size() != 4)
    throw OptionError("option -mg_levels_ksp_chebyshev_esteig: give four numbers, e.g. 0,0.03,0,1.1");
  return options;
}

SingleSmoother::SingleSmoother(SingleOperator& op)
    : op_(op), inverse_(op.size()), product_(op.size()), direction_(op.size()) {}

void SingleSmoother::set_up(const CycleOptions& options) {
  steps_ = options.steps;
  op_.diagonal(inverse_.data());
  for (float& d : inverse_) d = d > 0 ? 1 / d : 0;
  for (const PetscInt entry : op_.supports().entries()) inverse_[static_cast<std::size_t>(entry)] = 0;
  const auto [low, high] = estimate(options.estimate_steps);
  const auto& f = options.interval;
  smallest_ = f[0] * low + f[1] * high;
  largest_ = f[2] * low + f[3] * high;
  if (!(smallest_ > 0 && largest_ > smallest_)) {  // all held, or an operator that is not positive
    largest_ = high > 0 ? high : 1;
    smallest_ = 0.03 * largest_;
  }
}

double SingleSmoother::dot(const std::vector<float>& a, const std::vector<float>& b) const {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, op_.space().comm());
  return sum;
}

std::pair<PetscReal, PetscReal> SingleSmoother::estimate(PetscInt steps) {
  const std::size_t size = op_.size();
  std::vector<float> r(size), z(size);
  // Noise that the nodes' places decide, so that it is the same on any number of ranks.
  for (std::size_t i = 0; i < size; ++i) {
    const Vec3& X = op_.space().coordinates()[i / 3];
    const double phase =
        std::sin(12.9898 * X[0] + 78.233 * X[1] + 37.719 * X[2] + static_cast<double>(i % 3)) * 43758.5453;
    if (inverse_[i] > 0) r[i] = static_cast<float>(phase - std::floor(phase) - 0.5) / std::sqrt(inverse_[i]);
  }
  const auto precondition = [&] {
    for (std::size_t i = 0; i < size; ++i) z[i] = inverse_[i] * r[i];
  };
  std::vector<double> diagonal, beside;
  precondition();
  direction_ = z;
  double rz = dot(r, z), last_alpha = 0, last_beta = 0;
  for (PetscInt step = 0; step < steps && rz > 0; ++step) {
    op_.apply(direction_.data(), product_.data());
    for (std::size_t i = 0; i < size; ++i)
      if (inverse_[i] == 0) product_[i] = 0;
    const double curvature = dot(direction_, product_);
    if (!(curvature > 0)) break;
    const double alpha = rz / curvature;
    diagonal.push_back(1 / alpha + (step > 0 ? last_beta / last_alpha : 0));
    for (std::size_t i = 0; i < size; ++i) r[i] -= static_cast<float>(alpha) * product_[i];
    precondition();
    const double next = dot(r, z), beta = next / rz;
    beside.push_back(std::sqrt(beta) / alpha);
    for (std::size_t i = 0; i < size; ++i) direction_[i] = z[i] + static_cast<float>(beta) * direction_[i];
    rz = next;
    last_alpha = alpha;
    last_beta = beta;
  }
  if (diagonal.empty()) return {0, 0};
  beside.pop_back();
  const Eigen::Map<const Eigen::VectorXd> main(diagonal.data(), static_cast<Eigen::Index>(diagonal.size()));
  const Eigen::Map<const Eigen::VectorXd> side(beside.data(), static_cast<Eigen::Index>(beside.size()));
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(main, side, Eigen::EigenvaluesOnly);
  return {solver.eigenvalues().minCoeff(), solver.eigenvalues().maxCoeff()};
}

void SingleSmoother::smooth(const float* b, float* x, bool from_zero) {
  const double middle = (largest_ + smallest_) / 2, radius = (largest_ - smallest_) / 2, sigma = middle / radius;
  double rho = 1 / sigma;
  const std::size_t size = op_.size();
  float* __restrict d = direction_.data();
  float* __restrict to = x;
  const float* __restrict inverse = inverse_.data(), * __restrict product = product_.data();
  for (PetscInt step = 0; step < steps_; ++step) {
    const bool first = step == 0;
    float keep = 0, scale = static_cast<float>(1 / middle);
    if (!first) {
      const double next = 1 / (2 * sigma - rho);
      keep = static_cast<float>(next * rho);
      scale = static_cast<float>(2 * next / radius);
      rho = next;
    }
    if (first && from_zero) {
      for (std::size_t i = 0; i < size; ++i) to[i] = d[i] = scale * inverse[i] * b[i];
      continue;
    }
    op_.apply(x, product_.data());
    if (first)
      for (std::size_t i = 0; i < size; ++i) to[i] += d[i] = scale * inverse[i] * (b[i] - product[i]);
    else
      for (std::size_t i = 0; i < size; ++i) to[i] += d[i] = keep * d[i] + scale * inverse[i] * (b[i] - product[i]);
  }
}

}  // namespace gearshift::solid
