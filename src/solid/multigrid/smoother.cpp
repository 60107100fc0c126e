#include "solid/multigrid/smoother.hpp"

#include "solid/multigrid/chebyshev.hpp"
#include "solid/multigrid/constants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gearshift::solid {

template <class T>
Smoother<T>::Smoother(LevelOperator<T>& op)
    : op_(op), inverse_(op.size()), product_(op.size()), direction_(op.size()) {}

template <class T>
void Smoother<T>::set_up(const CycleOptions& options, double enough) {
  steps_ = options.steps;
  op_.diagonal(inverse_.data());
  // If the tangent is indefinite, entries of the diagonal may be negative; these entries are not smoothed.
  definite_ = std::none_of(inverse_.begin(), inverse_.end(), [](T d) { return d < 0; });
  // Overflow of the precision becomes NaN in the result, and is detected there.
  for (T& d : inverse_) d = !std::isfinite(d) ? std::numeric_limits<T>::quiet_NaN() : d > 0 ? 1 / d : 0;
  op_.constraints().clear(inverse_.data());
  const auto [low, high, error] = estimate_spectrum(
      op_.space().comm(), options.estimate_steps, noise(),
      [this](std::vector<T>& from, std::vector<T>& to) { multiply(from.data(), to.data()); },
      [this](std::vector<T>& from, std::vector<T>& to) {
        for (std::size_t i = 0; i < from.size(); ++i) to[i] = inverse_[i] * from[i];
      },
      enough);
  const auto& f = options.interval;
  smallest_ = f[0] * low + f[1] * high;
  largest_ = f[2] * low + f[3] * high;
  if (!(smallest_ > 0 && largest_ > smallest_)) {  // all entries constrained, or an operator that is not positive
    largest_ = high > 0 ? high : 1;
    smallest_ = 0.03 * largest_;
  }
}

template <class T>
void Smoother<T>::set_up_alone(CycleOptions options) {
  options.interval = {0.8, 0, 0, options.interval[3]};
  set_up(options, multigrid::enough_alone);
  steps_ = std::clamp(static_cast<int>(std::lround(std::sqrt(largest_ / smallest_))), 1, multigrid::max_steps_alone);
}

template <class T>
std::vector<T> Smoother<T>::noise() const {
  std::vector<T> r(op_.size());
  for (std::size_t i = 0; i < r.size(); ++i) {
    const Vec3& X = op_.space().coordinates()[i / 3];
    const double phase =
        std::sin(12.9898 * X[0] + 78.233 * X[1] + 37.719 * X[2] + static_cast<double>(i % 3)) * 43758.5453;
    if (inverse_[i] > 0) r[i] = static_cast<T>(phase - std::floor(phase) - 0.5) / std::sqrt(inverse_[i]);
  }
  return r;
}

template <class T>
void Smoother<T>::multiply(const T* in, T* out) {
  op_.apply(in, out);
  op_.constraints().clear(out);
}

template <class T>
void Smoother<T>::smooth(const T* b, T* x, bool from_zero) {
  Chebyshev polynomial(smallest_, largest_);
  const std::size_t size = op_.size();
  T* __restrict d = direction_.data();
  T* __restrict to = x;
  const T* __restrict inverse = inverse_.data(), * __restrict product = product_.data();
  for (PetscInt step = 0; step < steps_; ++step) {
    const bool first = step == 0;
    const auto coefficients = polynomial.next();
    const T keep = static_cast<T>(coefficients.keep), scale = static_cast<T>(coefficients.scale);
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

template class Smoother<float>;
template class Smoother<double>;

}  // namespace gearshift::solid
