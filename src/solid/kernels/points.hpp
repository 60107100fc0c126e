#pragma once

/// @file
/// The work at quadrature points: reference gradients of a displacement become fluxes, in place. Weights of the
/// quadrature are no matter of the points; the sweeps carry them.

#include "solid/kernels/table.hpp"
#include "solid/material/laws.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// Some points of one batch. slopes[a][stride[a] c + q] = d u_c / d xi_a at point q.
template <class P>
struct Points {
  using T = typename P::Scalar;
  const T *parameters, *geometry, *metric;
  long geometry_step, metric_step;  // from point to point; 0: the same everywhere
  P* slopes[3];
  int stride[3];
  int count, first, batch;
  Inversion* found;

  GEARSHIFT_INLINE P& slope(int c, int a, int q) const { return slopes[a][c * stride[a] + q]; }
  GEARSHIFT_INLINE Tensor<P> slopes_at(int q) const {
    Tensor<P> G;
    for (int c = 0; c < 3; ++c)
      for (int a = 0; a < 3; ++a) G(c, a) = slope(c, a, q);
    return G;
  }
  GEARSHIFT_INLINE P parameter(int i) const { return P::load(parameters + i * P::width); }
};

/// K = dxi/dX and det dX/dxi of a point; Cartesian cells have the diagonal of K only.
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
  /// factor P K'
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

/// Asks for what follows `count` numbers at x some points later. The hardware sees streams as well, but stops at the end
/// of each page, which is one batch long: worth a tenth to a fifth of a product's time out of cache.
template <class T>
GEARSHIFT_INLINE void fetch_ahead(const T* x, int count) {
  constexpr int distance = 2048, line = 64;
  for (int byte = 0; byte < count * static_cast<int>(sizeof(T)); byte += line)
    __builtin_prefetch(reinterpret_cast<const char*>(x) + distance + byte);
}

/// Gathers det F - 1 of some points, and looks for det F <= 0 (or NaN) once at the end.
template <class P>
class InversionCheck {
 public:
  static constexpr int most = 49;  // points of a plane at degree 6
  GEARSHIFT_INLINE void note(int q, const P& volume_change) {
    seen_[q] = volume_change;
    good_ = q == 0 ? volume_change.v > P(-1.0).v : good_ & (volume_change.v > P(-1.0).v);
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
  decltype(P{}.v > P{}.v) good_;
};

template <class Law, bool Cartesian, class P>
void stress_at_points(const Points<P>& points) {
  const P p[3] = {points.parameter(0), points.parameter(1), points.parameter(2)};
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
  if constexpr (Law::needs_volume) {
    // In three loops: the logarithm is a long chain of operations, and only neighbouring points can fill its gaps.
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
  } else {
    for (int q = 0; q < points.count; ++q) {
      Tensor<P> stress;
      Law::stress(p, prepare(q), stress);
      finish(q, stress);
    }
  }
}

// The tangent of a law at a point, as a map from reference gradients to fluxes.

/// Any law: point data are what Law::prepare makes.
template <class Law, bool Cartesian, class P>
struct LawTangent {
  static constexpr bool stores = Law::stores;
  P p[3];
  GEARSHIFT_INLINE explicit LawTangent(const Points<P>& points)
      : p{points.parameter(0), points.parameter(1), points.parameter(2)} {}
  template <class Data>
  GEARSHIFT_INLINE void apply(const Points<P>& points, const Data* data, int q, const Tensor<P>& G,
                              Tensor<P>& R) const {
    const Geometry<P, Cartesian> geometry(points, q);
    if (points.geometry_step != 0) fetch_ahead(points.geometry + q * points.geometry_step, 10 * P::width);
    if constexpr (stores) fetch_ahead(data + q * tangent_size * P::width, tangent_size * P::width);
    P T[tangent_size];
    for (int i = 0; i < tangent_size; ++i) T[i] = stores ? P::load(data + (q * tangent_size + i) * P::width) : P(0.0);
    Tensor<P> dP;
    Law::dstress(p, T, geometry.gradient(G), dP);
    R = geometry.flux(dP, geometry.det);
  }
  template <class Data>
  GEARSHIFT_INLINE static P prepare(const P* p, const Geometry<P, false>& geometry, const Tensor<P>& G, Data* data) {
    P T[tangent_size];
    for (auto& number : T) number = P(0.0);  // some laws fill fewer
    const P j = Law::prepare(p, geometry.gradient(G), T);
    if constexpr (stores)
      for (int i = 0; i < tangent_size; ++i) T[i].store(data + i * P::width);
    return j;
  }
};

/// Neo-Hooke in the current configuration: with K = dxi/dx and h = G K the gradient of the increment there,
///     R = det mu (dxi/dX dxi/dX') from the right of G + det (c h' + lambda tr h) K',   c = mu - lambda ln J.
/// The first factor is the cell's metric, which no motion changes; point data are K and det c: one traversal, neither
/// inverse nor logarithm. (Davydov et al., IJNME 121, 2020, "tensor2", with what multiplies K K' collected.)
template <bool Cartesian, class P>
struct NeoHookeanTangent {
  static constexpr bool stores = true;
  P lambda, m[3];
  GEARSHIFT_INLINE explicit NeoHookeanTangent(const Points<P>& points) : lambda(points.parameter(1)) {
    if constexpr (Cartesian) {
      constexpr int diagonal[] = {0, 3, 5};
      for (int a = 0; a < 3; ++a) m[a] = P::load(points.metric + diagonal[a] * P::width);
      lambda = lambda * P::load(points.metric + 6 * P::width);
    }
  }
  template <class Data>
  GEARSHIFT_INLINE void apply(const Points<P>& points, const Data* data, int q, const Tensor<P>& G,
                              Tensor<P>& R) const {
    constexpr int w = P::width;
    data += q * tangent_size * w;
    fetch_ahead(data, tangent_size * w);
    if constexpr (!Cartesian)
      if (points.metric_step != 0) fetch_ahead(points.metric + q * points.metric_step, 7 * w);
    Tensor<P> K, S;
    for (int i = 0; i < 9; ++i) K.e[i] = P::load(data + i * w);
    const P c = P::load(data + 9 * w);
    const Tensor<P> h = product(G, K);
    const auto* metric = points.metric + q * points.metric_step;
    const P t = (Cartesian ? lambda : lambda * P::load(metric + 6 * w)) * trace(h);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) S(i, j) = i == j ? c * h(i, i) + t : c * h(j, i);
    constexpr int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    for (int i = 0; i < 3; ++i)
      for (int a = 0; a < 3; ++a) {
        P sum;
        if constexpr (Cartesian)
          sum = m[a] * G(i, a);
        else
          sum = G(i, 0) * P::load(metric + at[0][a] * w) + G(i, 1) * P::load(metric + at[1][a] * w) +
                G(i, 2) * P::load(metric + at[2][a] * w);
        R(i, a) = sum + S(i, 0) * K(a, 0) + S(i, 1) * K(a, 1) + S(i, 2) * K(a, 2);
      }
  }
  template <class Data>
  GEARSHIFT_INLINE static P prepare(const P* p, const Geometry<P, false>& geometry, const Tensor<P>& G, Data* data) {
    P T[tangent_size];  // F^-T and c
    const P j = NeoHookeanLaw::prepare(p, geometry.gradient(G), T);
    const Tensor<P>& A = geometry.K;
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i)
        (A(a, 0) * T[3 * i] + A(a, 1) * T[3 * i + 1] + A(a, 2) * T[3 * i + 2]).store(data + (3 * a + i) * P::width);
    (geometry.det * T[9]).store(data + 9 * P::width);
    return j;
  }
};

/// Linear elasticity in Cartesian cells: with d_ab = det mu K_aa K_bb all is diagonal or a transposition.
template <class P>
struct CartesianElasticTangent {
  static constexpr bool stores = false;
  Tensor<P> shear, bulk;
  GEARSHIFT_INLINE explicit CartesianElasticTangent(const Points<P>& points) {
    const Geometry<P, true> geometry(points, 0);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        const P k = geometry.det * geometry.K(a, a) * geometry.K(b, b);
        shear(a, b) = points.parameter(0) * k;
        bulk(a, b) = a == b ? (P(2.0) * points.parameter(0) + points.parameter(1)) * k : points.parameter(1) * k;
      }
  }
  template <class Data>
  GEARSHIFT_INLINE void apply(const Points<P>&, const Data*, int, const Tensor<P>& G, Tensor<P>& R) const {
    for (int c = 0; c < 3; ++c) {
      R(c, c) = bulk(c, 0) * G(0, 0) + bulk(c, 1) * G(1, 1) + bulk(c, 2) * G(2, 2);
      for (int a = 0; a < 3; ++a)
        if (a != c) R(c, a) = shear(a, a) * G(c, a) + shear(a, c) * G(a, c);
    }
  }
};

template <class Form, class P, class Data>
void tangent_at_points(const Points<P>& points, const Data* data) {
  const Form form(points);
  for (int q = 0; q < points.count; ++q) {
    Tensor<P> R;
    form.apply(points, data, q, points.slopes_at(q), R);
    for (int c = 0; c < 3; ++c)
      for (int a = 0; a < 3; ++a) points.slope(c, a, q) = R(c, a);
  }
}

template <class Form, bool NeedsVolume, class P, class Data>
void prepare_at_points(const Points<P>& points, Data* data) {
  const P p[3] = {points.parameter(0), points.parameter(1), points.parameter(2)};
  InversionCheck<P> check;
  for (int q = 0; q < points.count; ++q) {
    const P j =
        Form::prepare(p, Geometry<P, false>(points, q), points.slopes_at(q), data + q * tangent_size * P::width);
    if constexpr (NeedsVolume) check.note(q, j);
  }
  if constexpr (NeedsVolume) check.finish(points);
}

/// The derivative of the tangent along a direction, applied to the slopes at `points`, by dual numbers.
template <class Law, class P>
void second_derivative_at_points(const Points<P>& at, const Points<P>& along, const Points<P>& points) {
  Dual<P> p[3];
  for (int i = 0; i < 3; ++i) p[i] = {points.parameter(i), P(0.0)};
  for (int q = 0; q < points.count; ++q) {
    const Geometry<P, false> geometry(points, q);
    const Tensor<P> H = geometry.gradient(at.slopes_at(q)), D = geometry.gradient(along.slopes_at(q)),
                    X = geometry.gradient(points.slopes_at(q));
    Tensor<Dual<P>> dual_H, dual_X, dual_P;
    for (int i = 0; i < 9; ++i) {
      dual_H.e[i] = {H.e[i], D.e[i]};
      dual_X.e[i] = {X.e[i], P(0.0)};
    }
    Dual<P> T[tangent_size];
    Law::prepare(p, dual_H, T);
    Law::dstress(p, T, dual_X, dual_P);
    Tensor<P> stress;
    for (int i = 0; i < 9; ++i) stress.e[i] = dual_P.e[i].d;
    const Tensor<P> R = geometry.flux(stress, geometry.det);
    for (int c = 0; c < 3; ++c)
      for (int a = 0; a < 3; ++a) points.slope(c, a, q) = R(c, a);
  }
}

/// The quadrature's weight of point q.
template <class T>
double point_weight(const Batches<T>& b, int q) {
  return b.weights[q % b.n] * b.weights[q / b.n % b.n] * b.weights[q / b.n / b.n];
}

template <class Law, class P>
P energy_at_points(const Points<P>& points, const Batches<typename P::Scalar>& b) {
  const P p[3] = {points.parameter(0), points.parameter(1), points.parameter(2)};
  P sum(0.0);
  for (int q = 0; q < points.count; ++q) {
    const Geometry<P, false> geometry(points, q);
    sum += P(point_weight(b, points.first + q)) * geometry.det * Law::energy(p, geometry.gradient(points.slopes_at(q)));
  }
  return sum;
}

/// A[c][a][d][b]: flux (c, a) of the unit reference gradient (d, b) at point q.
template <class Form, class P, class Data>
void modulus_at_point(const Points<P>& points, const Data* data, int q, P* A) {
  const Form form(points);
  for (int unit = 0; unit < 9; ++unit) {
    Tensor<P> G, R;
    for (int i = 0; i < 9; ++i) G.e[i] = P(i == unit ? 1.0 : 0.0);
    form.apply(points, data, q, G, R);
    for (int i = 0; i < 9; ++i) A[9 * i + unit] = R.e[i];
  }
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
