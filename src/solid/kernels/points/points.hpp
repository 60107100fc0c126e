#pragma once

/// @file
/// The work at quadrature points: reference gradients of a displacement become fluxes of the stress, in place.
/// Quadrature weights are applied by the sweeps, not here.

#include "solid/kernels/table.hpp"
#include "solid/material/law_functions.hpp"
#include "solid/numerics/pair.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// Some points of one batch. slopes[a][stride[a] c + q] = d u_c / d xi_a at point q.
template <class P>
struct Points {
  using T = typename P::Scalar;
  const T *parameters, *geometry, *metric;
  long geometry_step, metric_step;  // from point to point; 0: equal at all points
  P* slopes[3];
  int stride[3];
  int count, first, batch;
  Inversion* found;
  const InternalVariables* branches;

  GEARSHIFT_INLINE P& slope(int c, int a, int q) const { return slopes[a][c * stride[a] + q]; }
  GEARSHIFT_INLINE Tensor<P> slopes_at(int q) const {
    Tensor<P> G;
    for (int c = 0; c < 3; ++c)
      for (int a = 0; a < 3; ++a) G(c, a) = slope(c, a, q);
    return G;
  }
  /// Returns `number` of these points, from `begin` on.
  GEARSHIFT_INLINE Points some(int begin, int number) const {
    Points result = *this;
    for (P*& own : result.slopes) own += begin;
    result.geometry += begin * geometry_step;
    result.metric += begin * metric_step;
    result.count = number;
    result.first += begin;
    return result;
  }
  GEARSHIFT_INLINE P density() const { return P::load(parameters); }
  /// Returns a parameter of the law.
  GEARSHIFT_INLINE P parameter(int i) const { return P::load(parameters + (i + 1) * P::width); }
};

/// All parameters of a law.
template <class Law, class P>
struct Parameters {
  P p[Law::parameter_count];
  GEARSHIFT_INLINE explicit Parameters(const Points<P>& points) {
    for (int i = 0; i < Law::parameter_count; ++i) p[i] = points.parameter(i);
  }
  /// Sets the parameters of a point, for laws whose parameters differ from point to point.
  GEARSHIFT_INLINE void move_to(const Points<P>&, int) {}
};

/// K = dxi/dX and det dX/dxi of a point; Cartesian cells have only the diagonal of K.
template <class P, bool Cartesian>
struct Geometry {
  Tensor<P> K;
  P det;
  GEARSHIFT_INLINE Geometry(const Points<P>& points, int q) {
    const auto* g = points.geometry + q * points.geometry_step;
    for (int i = 0; i < 9; i += Cartesian ? 4 : 1) K.e[i] = P::load(g + i * P::width);
    det = P::load(g + 9 * P::width);
  }
  GEARSHIFT_INLINE Tensor<P> gradient(const Tensor<P>& G) const {
    if constexpr (!Cartesian) return product(G, K);
    Tensor<P> H;
    for (int c = 0; c < 3; ++c)
      for (int a = 0; a < 3; ++a) H(c, a) = G(c, a) * K(a, a);
    return H;
  }
  /// Returns factor P K'.
  GEARSHIFT_INLINE Tensor<P> flux(const Tensor<P>& stress, const P& factor) const {
    Tensor<P> R;
    if constexpr (Cartesian) {
      const P scaled[3] = {factor * K(0, 0), factor * K(1, 1), factor * K(2, 2)};
      for (int c = 0; c < 3; ++c)
        for (int a = 0; a < 3; ++a) R(c, a) = stress(c, a) * scaled[a];
    } else {
      for (int c = 0; c < 3; ++c) {
        const P s[3] = {factor * stress(c, 0), factor * stress(c, 1), factor * stress(c, 2)};
        for (int a = 0; a < 3; ++a) R(c, a) = s[0] * K(a, 0) + s[1] * K(a, 1) + s[2] * K(a, 2);
      }
    }
    return R;
  }
};

/// Prefetches the `count` numbers that are read some points after x. The hardware also detects streams, but stops at
/// the end of each page, and a page is as long as one batch: prefetching saves a tenth to a fifth of a product's time
/// out of cache.
template <class T>
GEARSHIFT_INLINE void fetch_ahead(const T* x, int count) {
  constexpr int distance = 2048, line = 64;
  for (int byte = 0; byte < count * static_cast<int>(sizeof(T)); byte += line)
    __builtin_prefetch(reinterpret_cast<const char*>(x) + distance + byte);
}

/// Collects det F - 1 of some points, and checks for det F <= 0 (or NaN) once at the end.
template <class P>
class InversionCheck {
 public:
  static constexpr int most = 49;  // number of points of a plane of degree 6; tetrahedra have fewer in total
  GEARSHIFT_INLINE void note(int q, const P& volume_change) {
    seen_[q] = volume_change;
    good_ &= volume_change.v > P(-1.0).v;
  }
  GEARSHIFT_INLINE const P& seen(int q) const { return seen_[q]; }
  GEARSHIFT_INLINE void finish(const Points<P>& points) const {
    auto good = good_[0];
    for (int l = 1; l < P::width; ++l) good &= good_[l];
    if (__builtin_expect(good == 0, 0)) find(points);
  }

 private:
  __attribute__((noinline)) void find(const Points<P>& points) const {
    Inversion& found = *points.found;
    for (int q = 0; q < points.count; ++q)
      for (int l = 0; l < P::width; ++l) {
        const double x = static_cast<double>(seen_[q].v[l]);
        if (!(x > -1) && (found.batch < 0 || x < found.volume_change)) found = {x, points.batch, l, points.first + q};
      }
  }
  P seen_[most];
  decltype(P{}.v > P{}.v) good_ = P(0.0).v > P(-1.0).v;
};

template <class Law, bool Cartesian, class P>
void stress_at_points(const Points<P>& points) {
  Parameters<Law, P> parameters(points);
  const P* p = parameters.p;
  const auto put = [&](int q, const Tensor<P>& values) __attribute__((always_inline)) {
    for (int c = 0; c < 3; ++c)
      for (int a = 0; a < 3; ++a) points.slope(c, a, q) = values(c, a);
  };
  const auto prepare = [&](int q) __attribute__((always_inline)) {
    if (points.geometry_step != 0) fetch_ahead(points.geometry + q * points.geometry_step, 10 * P::width);
    return Geometry<P, Cartesian>(points, q).gradient(points.slopes_at(q));
  };
  const auto finish = [&](int q, const Tensor<P>& stress) __attribute__((always_inline)) {
    const Geometry<P, Cartesian> geometry(points, q);
    put(q, geometry.flux(stress, geometry.det));
  };
  if constexpr (Law::shares_logarithm) {
    // Three separate loops: the logarithm is a long chain of operations whose gaps only neighbouring points can fill.
    InversionCheck<P> check;
    P ln[InversionCheck<P>::most];
    for (int q = 0; q < points.count; ++q) {
      const Tensor<P> H = prepare(q);
      check.note(q, volume_change(H));
      put(q, H);
    }
    for (int q = 0; q < points.count; ++q) ln[q] = log_one_plus(check.seen(q));
    for (int q = 0; q < points.count; ++q) {
      Tensor<P> stress;
      Law::stress(p, points.slopes_at(q), check.seen(q), ln[q], stress);
      finish(q, stress);
    }
    check.finish(points);
  } else if constexpr (in_pairs<Law>) {
    InversionCheck<P> check;
    Parameters<Law, P> others(points);
    for (int q = 0; q < points.count; q += 2) {
      const int other = q + 1 < points.count ? q + 1 : q;
      parameters.move_to(points, q);
      others.move_to(points, other);
      Pair<P> both_p[Law::parameter_count];
      for (int i = 0; i < Law::parameter_count; ++i) both_p[i] = {p[i], others.p[i]};
      Tensor<Pair<P>> stress;
      const Pair<P> j = Law::stress(both_p, both(prepare(q), prepare(other)), stress);
      check.note(q, j.a);
      check.note(other, j.b);
      finish(q, first(stress));
      if (other > q) finish(other, second(stress));
    }
    check.finish(points);
  } else {
    InversionCheck<P> check;
    for (int q = 0; q < points.count; ++q) {
      Tensor<P> stress;
      parameters.move_to(points, q);
      const P j = Law::stress(p, prepare(q), stress);
      if constexpr (Law::needs_volume) check.note(q, j);
      finish(q, stress);
    }
    if constexpr (Law::needs_volume) check.finish(points);
  }
}

template <class Law, class P>
P energy_at_points(const Points<P>& points, const Batches<typename P::Scalar>& b) {
  const Parameters<Law, P> parameters(points);
  P sum(0.0);
  for (int q = 0; q < points.count; ++q) {
    const Geometry<P, false> geometry(points, q);
    sum += P(b.point_weights[points.first + q]) * geometry.det *
           Law::energy(parameters.p, geometry.gradient(points.slopes_at(q)));
  }
  return sum;
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
