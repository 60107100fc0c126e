#include "dynamics/newton/error_norm.hpp"

#include <gearshift/petsc/views.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace gearshift {

using petsc::check;

namespace {

constexpr PetscReal smallest_tolerance = 1e-100;  // in any unit

void fill_weights(Vec weight, Vec x, PetscReal rtol, PetscReal atol, Vec atol_vec, const std::vector<PetscInt>& fixed) {
  const petsc::WriteView w(weight);
  const petsc::ReadView value(x);
  std::optional<petsc::ReadView> absolute;
  if (atol_vec) absolute.emplace(atol_vec);
  for (std::size_t i = 0; i < w.size(); ++i) {
    const PetscReal tolerance = rtol * std::abs(value[i]) + (absolute ? (*absolute)[i] : atol);
    w[i] = 1 / std::max(tolerance, smallest_tolerance);  // where all is zero, any error is too large
  }
  for (const PetscInt i : fixed) w[i] = 0;
}

}  // namespace

ErrorNorm::ErrorNorm(Vec layout, int levels, const Tolerances& tolerances, const std::vector<PetscInt>& fixed)
    : levels_(levels), tolerances_(tolerances), fixed_(fixed) {
  check(VecDuplicate(layout, weight_q_.out()));
  if (levels_ == 2) check(VecDuplicate(layout, weight_v_.out()));
  count();
}

void ErrorNorm::count() {
  PetscInt size = 0;
  check(VecGetLocalSize(weight_q_.get(), &size));
  count_ = static_cast<PetscReal>(size - static_cast<PetscInt>(fixed_.size()));
  MPI_Allreduce(MPI_IN_PLACE, &count_, 1, MPIU_REAL, MPIU_SUM, comm());
  count_ = std::max<PetscReal>(count_ * levels_, 1);
}

void ErrorNorm::weigh(Vec q, Vec v) {
  const Tolerances& t = tolerances_;
  fill_weights(weight_q_.get(), q, t.rtol, t.atol_q, t.atol_q_vec.get(), fixed_);
  if (levels_ == 2) fill_weights(weight_v_.get(), v, t.rtol, t.atol_v, t.atol_v_vec.get(), fixed_);
}

PetscReal ErrorNorm::local_sum(Vec q, Vec v) const {
  PetscReal sum = 0;
  const auto add = [&sum](Vec error, Vec weight) {
    const petsc::ReadView e(error), w(weight);
    for (std::size_t i = 0; i < e.size(); ++i) sum += (e[i] * w[i]) * (e[i] * w[i]);
  };
  add(q, weight_q_.get());
  if (levels_ == 2) add(v, weight_v_.get());
  return sum;
}

void ErrorNorm::reduce(std::span<PetscReal> sums_to_norms) const {
  if (sums_to_norms.empty()) return;
  MPI_Allreduce(MPI_IN_PLACE, sums_to_norms.data(), static_cast<int>(sums_to_norms.size()), MPIU_REAL, MPIU_SUM,
                comm());
  for (PetscReal& sum : sums_to_norms) sum = std::sqrt(sum / count_);
}

PetscReal ErrorNorm::norm(Vec q, Vec v) const {
  PetscReal sum = local_sum(q, v);
  reduce({&sum, 1});
  return sum;
}

ErrorNorm::Step ErrorNorm::measure_step(Vec error_q, Vec error_v, Vec q, Vec v, Vec start) const {
  enum { weighted, plain_q, plain_v, way, velocity, count };
  std::array<PetscReal, count> sums{};
  const auto add = [&sums](Vec error, Vec weight, PetscReal& plain) {
    const petsc::ReadView e(error), w(weight);
    PetscReal in_norm = 0, alone = 0;
    for (std::size_t i = 0; i < e.size(); ++i) {
      in_norm += (e[i] * w[i]) * (e[i] * w[i]);
      alone += e[i] * e[i];
    }
    sums[weighted] += in_norm;
    plain = alone;
  };
  add(error_q, weight_q_.get(), sums[plain_q]);
  if (levels_ == 2) add(error_v, weight_v_.get(), sums[plain_v]);
  if (start) {
    const petsc::ReadView now(q), then(start), rate(v);
    for (std::size_t i = 0; i < now.size(); ++i) {
      sums[way] += (now[i] - then[i]) * (now[i] - then[i]);
      sums[velocity] += rate[i] * rate[i];
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), count, MPIU_REAL, MPIU_SUM, comm());
  return {std::sqrt(sums[weighted] / count_), std::sqrt(sums[plain_q]), std::sqrt(sums[plain_v]), std::sqrt(sums[way]),
          std::sqrt(sums[velocity])};
}

ErrorNorm::Increment ErrorNorm::measure(Vec x, PetscReal slope_q, PetscReal slope_v, bool good_here) const {
  std::array<PetscReal, 3> sums{0, 0, good_here ? 0.0 : 1.0};
  const petsc::ReadView e(x), wq(weight_q_.get());
  for (const PetscScalar value : e) sums[1] += value * value;
  if (levels_ == 2) {
    const petsc::ReadView wv(weight_v_.get());
    for (std::size_t i = 0; i < e.size(); ++i) {
      const PetscReal in_q = slope_q * e[i] * wq[i], in_v = slope_v * e[i] * wv[i];
      sums[0] += in_q * in_q + in_v * in_v;
    }
  } else {
    for (std::size_t i = 0; i < e.size(); ++i) sums[0] += (slope_q * e[i] * wq[i]) * (slope_q * e[i] * wq[i]);
  }
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), 3, MPIU_REAL, MPIU_SUM, comm());
  return {std::sqrt(sums[0] / count_), std::sqrt(sums[1]), sums[2] == 0};
}

}  // namespace gearshift
