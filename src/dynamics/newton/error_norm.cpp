#include "dynamics/newton/error_norm.hpp"

#include <gearshift/petsc/views.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace gearshift {

using petsc::check;

namespace {

void fill_weights(Vec weight, Vec x, PetscReal rtol, PetscReal atol, Vec atol_vec, const std::vector<PetscInt>& fixed) {
  const petsc::WriteView w(weight);
  const petsc::ReadView value(x);
  std::optional<petsc::ReadView> absolute;
  if (atol_vec) absolute.emplace(atol_vec);
  for (std::size_t i = 0; i < w.size(); ++i) {
    const PetscReal tolerance = rtol * std::abs(value[i]) + (absolute ? (*absolute)[i] : atol);
    w[i] = 1 / std::max(tolerance, PETSC_SMALL * PETSC_SMALL);  // where all is zero, any error is too large
  }
  for (const PetscInt i : fixed) w[i] = 0;
}

}  // namespace

ErrorNorm::ErrorNorm(Vec layout, int levels, const Tolerances& tolerances, const std::vector<PetscInt>& fixed)
    : levels_(levels), tolerances_(tolerances), fixed_(fixed) {
  check(VecDuplicate(layout, weight_q_.out()));
  if (levels_ == 2) check(VecDuplicate(layout, weight_v_.out()));
  PetscInt size = 0;
  check(VecGetLocalSize(layout, &size));
  count_ = static_cast<PetscReal>(size - static_cast<PetscInt>(fixed.size()));
  MPI_Allreduce(MPI_IN_PLACE, &count_, 1, MPIU_REAL, MPIU_SUM, PetscObjectComm(reinterpret_cast<PetscObject>(layout)));
  count_ = std::max<PetscReal>(count_ * levels_, 1);
}

void ErrorNorm::weigh(Vec q, Vec v) {
  const Tolerances& t = tolerances_;
  fill_weights(weight_q_.get(), q, t.rtol, t.atol_q, t.atol_q_vec.get(), fixed_);
  if (levels_ == 2) fill_weights(weight_v_.get(), v, t.rtol, t.atol_v, t.atol_v_vec.get(), fixed_);
}

PetscReal ErrorNorm::finish(PetscReal local_sum) const {
  const MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(weight_q_.get()));
  MPI_Allreduce(MPI_IN_PLACE, &local_sum, 1, MPIU_REAL, MPIU_SUM, comm);
  return std::sqrt(local_sum / count_);
}

PetscReal ErrorNorm::norm(Vec q, Vec v) const {
  PetscReal sum = 0;
  const auto add = [&sum](Vec error, Vec weight) {
    const petsc::ReadView e(error), w(weight);
    for (std::size_t i = 0; i < e.size(); ++i) sum += (e[i] * w[i]) * (e[i] * w[i]);
  };
  add(q, weight_q_.get());
  if (levels_ == 2) add(v, weight_v_.get());
  return finish(sum);
}

PetscReal ErrorNorm::norm_of_unknown(Vec x, PetscReal slope_q, PetscReal slope_v) const {
  PetscReal sum = 0;
  const petsc::ReadView e(x), wq(weight_q_.get());
  if (levels_ == 2) {
    const petsc::ReadView wv(weight_v_.get());
    for (std::size_t i = 0; i < e.size(); ++i) {
      const PetscReal in_q = slope_q * e[i] * wq[i], in_v = slope_v * e[i] * wv[i];
      sum += in_q * in_q + in_v * in_v;
    }
  } else {
    for (std::size_t i = 0; i < e.size(); ++i) sum += (slope_q * e[i] * wq[i]) * (slope_q * e[i] * wq[i]);
  }
  return finish(sum);
}

}  // namespace gearshift
