#pragma once

/// @file
/// What resists changes of volume, of bodies whose pressure is a field of its own (BulkCells), in double precision.

#include "solid/kernels/batch.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// The pressure of one batch: coefficients of its functions, orthonormal in the undeformed cell.
template <class P>
class BatchPressure {
 public:
  BatchPressure(const Batches<double>& b, const BulkCells& cells, int batch)
      : weights_(b.point_weights),
        cells_(cells),
        inverse_(cells.factors + cells.factors_at[batch]),
        stiffness_(P::load(cells.stiffness + static_cast<long>(batch) * P::width)) {
    clear();
  }
  const P& stiffness() const { return stiffness_; }
  int count() const { return cells_.functions; }
  P& operator[](int i) { return values_[i]; }

  void clear() {
    for (int i = 0; i < cells_.functions; ++i) values_[i] = P(0.0);
  }
  /// Adds what a point has to the moments of a function of place.
  GEARSHIFT_INLINE void add(int point, const P& value, const P& det) {
    const P share = P(weights_[point]) * det * value;
    const double* shapes = cells_.shapes + static_cast<long>(point) * cells_.functions;
    for (int i = 0; i < cells_.functions; ++i) values_[i] += P(shapes[i]) * share;
  }
  /// From moments of the polynomials to coefficients of the orthonormal functions.
  void project() {
    for (int i = cells_.functions - 1; i >= 0; --i) {
      const double* row = inverse_ + static_cast<long>(i) * (i + 1) / 2 * P::width;
      P sum(0.0);
      for (int j = 0; j <= i; ++j) sum += P::load(row + j * P::width) * values_[j];
      values_[i] = sum;
    }
  }
  /// From these to coefficients of the polynomials, which at() takes.
  void expand() {
    for (int j = 0; j < cells_.functions; ++j) {
      P sum(0.0);
      for (int i = j; i < cells_.functions; ++i)
        sum += P::load(inverse_ + (static_cast<long>(i) * (i + 1) / 2 + j) * P::width) * values_[i];
      values_[j] = sum;
    }
  }
  GEARSHIFT_INLINE P at(int point) const {
    const double* shapes = cells_.shapes + static_cast<long>(point) * cells_.functions;
    P sum(0.0);
    for (int i = 0; i < cells_.functions; ++i) sum += P(shapes[i]) * values_[i];
    return sum;
  }

 private:
  const double* weights_;
  const BulkCells& cells_;
  const double* inverse_;
  P stiffness_;
  P values_[most_pressures];
};

template <class Element, class P>
struct BulkLoops {
  using Sweeps = typename Element::template Sweeps<P>;
  static constexpr int point_size = bulk_point_size;

  /// ln J, or tr H of laws for small rotations
  GEARSHIFT_INLINE static P dilatation(bool logarithmic, const Tensor<P>& H) {
    return logarithmic ? log_one_plus(volume_change(H)) : trace(H);
  }

  /// The coefficients of pi(e) at the displacement in the sweeps.
  static void dilate(Sweeps& sweeps, const Batch<P>& batch, bool logarithmic, BatchPressure<P>& pressure) {
    visit<Element>(sweeps, batch, [&](const Points<P>& points, int first, int) {
      for (int q = 0; q < points.count; ++q) {
        const Geometry<P, false> geometry(points, q);
        pressure.add(first + q, dilatation(logarithmic, geometry.gradient(points.slopes_at(q))), geometry.det);
      }
    });
    pressure.project();
  }

  /// The pressure there, ready for at().
  static void solve(Sweeps& sweeps, const Batch<P>& batch, bool logarithmic, BatchPressure<P>& pressure) {
    dilate(sweeps, batch, logarithmic, pressure);
    for (int i = 0; i < pressure.count(); ++i) pressure[i] = pressure.stiffness() * pressure[i];
    pressure.expand();
  }

  static void residual(const Batches<double>& b, Range range, const BulkCells& cells, const double* u, double* out) {
    Sweeps sweeps(b, 1.0);
    for (int i = range.begin; i < range.end; ++i) {
      const Batch<P> batch(b, i, nullptr);
      const bool logarithmic = cells.logarithmic[i] != 0;
      BatchPressure<P> pressure(b, cells, i);
      sweeps.load(u, batch.nodes);
      solve(sweeps, batch, logarithmic, pressure);
      visit<Element>(sweeps, batch, [&](const Points<P>& points, int first, int k) {
        for (int q = 0; q < points.count; ++q) {
          const Geometry<P, false> geometry(points, q);
          const Tensor<P> slope = gradient(logarithmic, geometry.gradient(points.slopes_at(q)));
          put(points, q, geometry.flux(slope, pressure.at(first + q) * geometry.det));
        }
        sweeps.template collect<Inertia::none>(k, P(0.0), nullptr, 0);
      });
      sweeps.add(out, batch.nodes);
    }
  }

  static void linearize(const Batches<double>& b, Range range, const BulkCells& cells, const double* u,
                        const double* pressures, double* data, double* dilatations) {
    Sweeps sweeps(b, 1.0);
    for (int i = range.begin; i < range.end; ++i) {
      const Batch<P> batch(b, i, nullptr);
      const bool logarithmic = cells.logarithmic[i] != 0;
      BatchPressure<P> pressure(b, cells, i);
      sweeps.load(u, batch.nodes);
      dilate(sweeps, batch, logarithmic, pressure);
      for (int f = 0; f < pressure.count(); ++f) {
        const long at = cells.pressures_at[i] + static_cast<long>(f) * P::width;
        pressure[f].store(dilatations + at);
        pressure[f] = pressures ? P::load(pressures + at) : pressure.stiffness() * pressure[f];
      }
      pressure.expand();
      double* own = data + cells.points_at[i];
      visit<Element>(sweeps, batch, [&](const Points<P>& points, int first, int) {
        for (int q = 0; q < points.count; ++q) {
          const Geometry<P, false> geometry(points, q);
          const Tensor<P> slope = gradient(logarithmic, geometry.gradient(points.slopes_at(q)));
          double* to = own + static_cast<long>(first + q) * point_size * P::width;
          for (int a = 0; a < 3; ++a)
            for (int c = 0; c < 3; ++c)
              (geometry.K(a, 0) * slope(c, 0) + geometry.K(a, 1) * slope(c, 1) + geometry.K(a, 2) * slope(c, 2))
                  .store(to + (3 * a + c) * P::width);
          (logarithmic ? pressure.at(first + q) : P(0.0)).store(to + 9 * P::width);
        }
      });
    }
  }

  static void apply(const Batches<double>& b, Range range, const BulkCells& cells, const double* data, double sq,
                    const double* in, const double* pressures, double* out, double* dilatations) {
    Sweeps sweeps(b, 1.0);
    for (int i = range.begin; i < range.end; ++i) {
      const Batch<P> batch(b, i, nullptr);
      const double* own = data + cells.points_at[i];
      BatchPressure<P> pressure(b, cells, i);
      sweeps.load(in, batch.nodes);
      visit<Element>(sweeps, batch, [&](const Points<P>& points, int first, int) {
        for (int q = 0; q < points.count; ++q) {
          const double* K = own + static_cast<long>(first + q) * point_size * P::width;
          P sum(0.0);
          for (int a = 0; a < 3; ++a)
            for (int c = 0; c < 3; ++c) sum += points.slope(c, a, q) * P::load(K + (3 * a + c) * P::width);
          pressure.add(first + q, sum,
                       P::load(batch.points.geometry + (first + q) * points.geometry_step + 9 * P::width));
        }
      });
      pressure.project();
      for (int f = 0; f < pressure.count(); ++f) {
        const long at = cells.pressures_at[i] + static_cast<long>(f) * P::width;
        if (dilatations) pressure[f].store(dilatations + at);
        pressure[f] = pressure.stiffness() * pressure[f];
        if (pressures) pressure[f] += P::load(pressures + at);
      }
      if (!out) continue;
      pressure.expand();
      visit<Element>(sweeps, batch, [&](const Points<P>& points, int first, int k) {
        for (int q = 0; q < points.count; ++q) {
          const double* from = own + static_cast<long>(first + q) * point_size * P::width;
          Tensor<P> K;
          for (int e = 0; e < 9; ++e) K.e[e] = P::load(from + e * P::width);
          const P det = P(sq) * P::load(points.geometry + q * points.geometry_step + 9 * P::width);
          put(points, q,
              change(points.slopes_at(q), K, det * pressure.at(first + q), det * P::load(from + 9 * P::width)));
        }
        sweeps.template collect<Inertia::none>(k, P(0.0), nullptr, 0);
      });
      sweeps.add(out, batch.nodes);
    }
  }

  static void energy(const Batches<double>& b, Range range, const BulkCells& cells, const double* u, double* result) {
    Sweeps sweeps(b, 1.0);
    for (int i = range.begin; i < range.end; ++i) {
      const Batch<P> batch(b, i, nullptr);
      const bool logarithmic = cells.logarithmic[i] != 0;
      BatchPressure<P> pressure(b, cells, i);
      sweeps.load(u, batch.nodes);
      dilate(sweeps, batch, logarithmic, pressure);
      P sum(0.0);
      for (int f = 0; f < pressure.count(); ++f) sum += pressure[f] * pressure[f];
      sum = P(0.5) * pressure.stiffness() * sum;
      for (int l = 0; l < b.used[i]; ++l) *result += sum.v[l];
    }
  }

  static void pressures(const Batches<double>& b, Range range, const BulkCells& cells, const double* u, double* out) {
    Sweeps sweeps(b, 1.0);
    for (int i = range.begin; i < range.end; ++i) {
      const Batch<P> batch(b, i, nullptr);
      BatchPressure<P> pressure(b, cells, i);
      sweeps.load(u, batch.nodes);
      solve(sweeps, batch, cells.logarithmic[i] != 0, pressure);
      for (int q = 0; q < Element::points; ++q, out += P::width) pressure.at(q).store(out);
    }
  }

 private:
  /// d (ln J) / dF = F^-T, or I
  GEARSHIFT_INLINE static Tensor<P> gradient(bool logarithmic, const Tensor<P>& H) {
    Tensor<P> result;
    if (logarithmic) {
      result = cofactors(plus_identity(H));
      const P scale = P(1.0) / (P(1.0) + volume_change(H));
      for (int e = 0; e < 9; ++e) result.e[e] = scale * result.e[e];
    } else {
      for (int e = 0; e < 9; ++e) result.e[e] = P(e % 4 == 0 ? 1.0 : 0.0);
    }
    return result;
  }
  /// With K = dxi/dx and h = G K: (dp I - p h') K'
  GEARSHIFT_INLINE static Tensor<P> change(const Tensor<P>& G, const Tensor<P>& K, const P& dp, const P& p) {
    const Tensor<P> h = product(G, K);
    Tensor<P> R;
    for (int i = 0; i < 3; ++i)
      for (int a = 0; a < 3; ++a)
        R(i, a) = dp * K(a, i) - p * (h(0, i) * K(a, 0) + h(1, i) * K(a, 1) + h(2, i) * K(a, 2));
    return R;
  }
  GEARSHIFT_INLINE static void put(const Points<P>& points, int q, const Tensor<P>& R) {
    for (int c = 0; c < 3; ++c)
      for (int a = 0; a < 3; ++a) points.slope(c, a, q) = R(c, a);
  }
};

inline void bulk_residual(const Batches<double>& b, Range range, const BulkCells& cells, const double* u, double* out) {
  with_element(b, [&]<class Element>() { BulkLoops<Element, Lanes>::residual(b, range, cells, u, out); });
}
inline void bulk_linearize(const Batches<double>& b, Range range, const BulkCells& cells, const double* u,
                           const double* pressures, double* data, double* dilatations) {
  with_element(b, [&]<class Element>() {
    BulkLoops<Element, Lanes>::linearize(b, range, cells, u, pressures, data, dilatations);
  });
}
inline void bulk_apply(const Batches<double>& b, Range range, const BulkCells& cells, const double* data, double sq,
                       const double* in, const double* pressures, double* out, double* dilatations) {
  with_element(b, [&]<class Element>() {
    BulkLoops<Element, Lanes>::apply(b, range, cells, data, sq, in, pressures, out, dilatations);
  });
}
inline void bulk_energy(const Batches<double>& b, Range range, const BulkCells& cells, const double* u,
                        double* result) {
  with_element(b, [&]<class Element>() { BulkLoops<Element, Lanes>::energy(b, range, cells, u, result); });
}
inline void bulk_pressures(const Batches<double>& b, Range range, const BulkCells& cells, const double* u,
                           double* out) {
  with_element(b, [&]<class Element>() { BulkLoops<Element, Lanes>::pressures(b, range, cells, u, out); });
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
