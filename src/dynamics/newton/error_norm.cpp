#include "dynamics/newton/error_norm.hpp"

#include "petsc/log.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace gearshift {

namespace {

constexpr PetscReal smallest_tolerance = 1e-100;  // in any unit

}  // namespace

/// 1 / (rtol |x| + atol + least). Entries must be accessed in ascending order, since the length of a vector is kept for
/// its next component.
class ErrorNorm::Weights {
 public:
  Weights(Vec x, PetscReal rtol, PetscReal atol, Vec atol_vec, PetscReal least, std::size_t vector_size)
      : value_(x), rtol_(rtol), atol_(atol), least_(least), vector_size_(vector_size) {
    if (atol_vec) absolute_.emplace(atol_vec);
  }
  PetscReal operator[](std::size_t i) {
    const PetscReal tolerance = rtol_ * length(i) + (absolute_ ? (*absolute_)[i] : atol_) + least_;
    return 1 / std::max(tolerance, smallest_tolerance);  // if all terms are zero, any error is too large
  }
  /// Returns the number of vectors read.
  std::size_t vectors() const { return absolute_ ? 2 : 1; }

 private:
  PetscReal length(std::size_t i) {
    if (vector_size_ == 1) return std::abs(value_[i]);
    if (i < end_ && i + vector_size_ >= end_) return length_;
    const std::size_t begin = i - i % vector_size_;
    end_ = begin + vector_size_;
    PetscReal squares = 0;
    for (std::size_t k = begin; k < end_; ++k) squares += value_[k] * value_[k];
    return length_ = std::sqrt(squares);
  }

  petsc::ReadView value_;
  std::optional<petsc::ReadView> absolute_;
  PetscReal rtol_, atol_, least_;
  std::size_t vector_size_, end_ = 0;  // end_: end of the vector whose length is length_
  PetscReal length_ = 0;
};

ErrorNorm::Weights ErrorNorm::weights_of_q() const {
  return {q_, rtol_, atol_q_, tolerances_.atol_q_vec.get(), least_q_, vector_size_};
}

ErrorNorm::Weights ErrorNorm::weights_of_v() const {
  return {v_, rtol_, atol_v_, tolerances_.atol_v_vec.get(), least_v_, vector_size_};
}

template <class Counted, class Fixed>
void ErrorNorm::each(Counted&& counted, Fixed&& fixed) const {
  std::size_t i = 0;
  for (const std::size_t stop : stops_) {
    for (; i < stop; ++i) counted(i);
    if (i < stops_.back()) fixed(i++);
  }
}

ErrorNorm::ErrorNorm(Vec layout, int levels, const Tolerances& tolerances, const std::vector<PetscInt>& fixed,
                     PetscInt vector_size)
    : levels_(levels),
      tolerances_(tolerances),
      fixed_(fixed),
      vector_size_(static_cast<std::size_t>(vector_size)),
      layout_(petsc::Handle<Vec>::share(layout)) {
  const bool odd = petsc::any(comm(), petsc::local_size_of(layout) % vector_size != 0);
  if (odd) throw OptionError("System::vector_size() must divide the number of entries of each rank");
  count();
}

void ErrorNorm::count() {
  const PetscInt size = petsc::local_size_of(layout_.get());
  stops_.assign(fixed_.begin(), fixed_.end());
  std::sort(stops_.begin(), stops_.end());
  stops_.erase(std::unique(stops_.begin(), stops_.end()), stops_.end());
  stops_.push_back(static_cast<std::size_t>(size));
  count_ = static_cast<PetscReal>(size - static_cast<PetscInt>(fixed_.size()));
  MPI_Allreduce(MPI_IN_PLACE, &count_, 1, MPIU_REAL, MPIU_SUM, comm());
  count_ = std::max<PetscReal>(count_ * levels_, 1);
}

void ErrorNorm::weigh(Vec q, Vec v, PetscReal least_q, PetscReal least_v) {
  q_ = q;
  v_ = v;
  least_q_ = least_q;
  least_v_ = least_v;
  rtol_ = tolerances_.rtol;
  atol_q_ = tolerances_.atol_q;
  atol_v_ = tolerances_.atol_v;
}

PetscReal ErrorNorm::local_sum(Vec q, Vec v) const {
  PetscReal sum = 0;
  const auto add = [&](Vec error, Weights w) {
    const petsc::ScopedSweep sweep(1 + w.vectors());
    const petsc::ReadView e(error);
    each([&](std::size_t i) { sum += (e[i] * w[i]) * (e[i] * w[i]); }, [](std::size_t) {});
  };
  add(q, weights_of_q());
  if (levels_ == 2) add(v, weights_of_v());
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
  enum { weighted, plain_q, plain_v, way, velocity, all };
  std::array<PetscReal, all> sums{};
  const auto add = [&](Vec error, Weights w, PetscReal& plain) {
    const petsc::ScopedSweep sweep(1 + w.vectors());
    const petsc::ReadView e(error);
    PetscReal in_norm = 0, alone = 0;
    const auto add_plain = [&](std::size_t i) { alone += e[i] * e[i]; };
    each(
        [&](std::size_t i) {
          in_norm += (e[i] * w[i]) * (e[i] * w[i]);
          add_plain(i);
        },
        add_plain);
    sums[weighted] += in_norm;
    plain = alone;
  };
  add(error_q, weights_of_q(), sums[plain_q]);
  if (levels_ == 2) add(error_v, weights_of_v(), sums[plain_v]);
  if (start) {
    const petsc::ScopedSweep sweep(3);
    const petsc::ReadView now(q), then(start), rate(v);
    for (std::size_t i = 0; i < now.size(); ++i) {
      sums[way] += (now[i] - then[i]) * (now[i] - then[i]);
      sums[velocity] += rate[i] * rate[i];
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), all, MPIU_REAL, MPIU_SUM, comm());
  return {std::sqrt(sums[weighted] / count_), std::sqrt(sums[plain_q]), std::sqrt(sums[plain_v]), std::sqrt(sums[way]),
          std::sqrt(sums[velocity])};
}

ErrorNorm::Increment ErrorNorm::measure(Vec x, PetscReal slope_q, PetscReal slope_v, bool good_here) const {
  std::array<PetscReal, 3> sums{0, 0, good_here ? 0.0 : 1.0};
  const petsc::ReadView e(x);
  const auto add_plain = [&](std::size_t i) { sums[1] += e[i] * e[i]; };
  Weights wq = weights_of_q();
  if (levels_ == 2) {
    Weights wv = weights_of_v();
    const petsc::ScopedSweep sweep(1 + wq.vectors() + wv.vectors());
    each(
        [&](std::size_t i) {
          const PetscReal in_q = slope_q * e[i] * wq[i], in_v = slope_v * e[i] * wv[i];
          sums[0] += in_q * in_q + in_v * in_v;
          add_plain(i);
        },
        add_plain);
  } else {
    const petsc::ScopedSweep sweep(1 + wq.vectors());
    each(
        [&](std::size_t i) {
          sums[0] += (slope_q * e[i] * wq[i]) * (slope_q * e[i] * wq[i]);
          add_plain(i);
        },
        add_plain);
  }
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), 3, MPIU_REAL, MPIU_SUM, comm());
  return {std::sqrt(sums[0] / count_), std::sqrt(sums[1]), sums[2] == 0};
}

}  // namespace gearshift
