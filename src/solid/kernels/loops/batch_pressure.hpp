#pragma once

/// @file
/// The pressures of one batch of cells, and the law that they follow.

#include "solid/kernels/loops/batch.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// A function of position in the cells of one batch, given by its coefficients in the pressure's functions. Unless
/// stated otherwise, these are orthonormal in the undeformed cell.
template <class P, int Count>
class BatchPressure {
 public:
  GEARSHIFT_INLINE BatchPressure(const Batches<double>& b, const BulkCells& cells, int batch)
      : weights_(b.point_weights), cells_(&cells), inverse_(cells.factors + cells.factors_at[batch]) {
    clear();
  }

  GEARSHIFT_INLINE void clear() {
    for (int i = 0; i < Count; ++i) values_[i] = P(0.0);
  }
  GEARSHIFT_INLINE void load(const double* from) {
    for (int i = 0; i < Count; ++i) values_[i] = P::load(from + i * P::width);
  }
  GEARSHIFT_INLINE void store(double* to) const {
    for (int i = 0; i < Count; ++i) values_[i].store(to + i * P::width);
  }
  GEARSHIFT_INLINE void scale(const P& factor) {
    for (int i = 0; i < Count; ++i) values_[i] = factor * values_[i];
  }
  GEARSHIFT_INLINE void add(const BatchPressure& other) {
    for (int i = 0; i < Count; ++i) values_[i] += other.values_[i];
  }
  GEARSHIFT_INLINE void subtract(const BatchPressure& other) {
    for (int i = 0; i < Count; ++i) values_[i] = values_[i] - other.values_[i];
  }
  /// Adds the contribution of a point to the moments of a function of position.
  GEARSHIFT_INLINE void add(int point, const P& value, const P& det) {
    const P share = P(weights_[point]) * det * value;
    const double* shapes = cells_->shapes + static_cast<long>(point) * Count;
    for (int i = 0; i < Count; ++i) values_[i] += P(shapes[i]) * share;
  }
  /// Converts moments of the polynomials to coefficients of the orthonormal functions.
  GEARSHIFT_INLINE void project() {
    for (int i = Count - 1; i >= 0; --i) {
      const double* row = inverse_ + static_cast<long>(i) * (i + 1) / 2 * P::width;
      P sum(0.0);
      for (int j = 0; j <= i; ++j) sum += P::load(row + j * P::width) * values_[j];
      values_[i] = sum;
    }
  }
  /// Converts these coefficients to coefficients of the polynomials, as needed by at().
  GEARSHIFT_INLINE void expand() {
    for (int j = 0; j < Count; ++j) {
      P sum(0.0);
      for (int i = j; i < Count; ++i)
        sum += P::load(inverse_ + (static_cast<long>(i) * (i + 1) / 2 + j) * P::width) * values_[i];
      values_[j] = sum;
    }
  }
  GEARSHIFT_INLINE P at(int point) const {
    const double* shapes = cells_->shapes + static_cast<long>(point) * Count;
    P sum(0.0);
    for (int i = 0; i < Count; ++i) sum += P(shapes[i]) * values_[i];
    return sum;
  }
  /// Replaces a function f by the projection of value(point, f at the point).
  template <int points, class Value>
  GEARSHIFT_INLINE void map(const Points<P>& of, Value&& value) {
    BatchPressure from = *this, to = *this;
    from.expand();
    to.clear();
    for (int q = 0; q < points; ++q)
      to.add(q, value(q, from.at(q)), P::load(of.geometry + q * of.geometry_step + 9 * P::width));
    to.project();
    *this = to;
  }

 private:
  const double* weights_;
  const BulkCells* cells_;
  const double* inverse_;
  P values_[Count];
};

/// U(theta) = lambda/2 (ln theta)^2, or lambda/2 (theta - 1)^2 for laws of small rotations, at theta = 1 + e.
template <class P>
struct BulkLaw {
  bool logarithmic;
  P lambda;
  GEARSHIFT_INLINE P energy(const P& e) const {
    const P size = logarithmic ? log_one_plus(e) : e;
    return P(0.5) * lambda * size * size;
  }
  GEARSHIFT_INLINE P slope(const P& e) const {
    return logarithmic ? lambda * log_one_plus(e) / (P(1.0) + e) : lambda * e;
  }
  GEARSHIFT_INLINE P curvature(const P& e) const {
    const P theta = P(1.0) + e;
    return logarithmic ? lambda * (P(1.0) - log_one_plus(e)) / (theta * theta) : lambda;
  }
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
