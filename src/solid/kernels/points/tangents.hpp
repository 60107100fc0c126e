#pragma once

/// @file
/// The tangent of a law at quadrature points, as a map from reference gradients to fluxes, in place. A form defines the
/// data that it stores per point (point_size), whether it reads the metric of the cells (has_metric), and whether it is
/// constant in a cell and applied by modes (has_modes).

#include "solid/kernels/points/points.hpp"
#include "solid/material/spatial.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// The form for any law: point data are the result of Law::prepare.
template <class Law, bool Cartesian, class P>
struct LawTangent {
  static constexpr bool stores = Law::stores, has_metric = false, has_modes = false;
  static constexpr int own_size = prepared_size<Law>, point_size = stores ? own_size : 0;
  Parameters<Law, P> parameters;
  GEARSHIFT_INLINE explicit LawTangent(const Points<P>& points) : parameters(points) {}
  template <class Data>
  GEARSHIFT_INLINE void apply(const Points<P>& points, const Data* data, int q, const Tensor<P>& G,
                              Tensor<P>& R) const {
    const Geometry<P, Cartesian> geometry(points, q);
    if (points.geometry_step != 0) fetch_ahead(points.geometry + q * points.geometry_step, 10 * P::width);
    if constexpr (stores) fetch_ahead(data + q * own_size * P::width, own_size * P::width);
    P T[own_size];
    for (int i = 0; i < own_size; ++i) T[i] = stores ? P::load(data + (q * own_size + i) * P::width) : P(0.0);
    Tensor<P> dP;
    Law::dstress(parameters.p, T, geometry.gradient(G), dP);
    R = geometry.flux(dP, geometry.det);
  }
  template <class Data>
  GEARSHIFT_INLINE static P prepare(const P* p, const Geometry<P, false>& geometry, const Tensor<P>& G, Data* data) {
    P T[own_size];
    for (auto& number : T) number = P(0.0);  // some laws fill only a part
    const P j = Law::prepare(p, geometry.gradient(G), T);
    if constexpr (stores)
      for (int i = 0; i < own_size; ++i) T[i].store(data + i * P::width);
    return j;
  }
};

/// Linear elasticity in Cartesian cells: with d_ab = det mu K_aa K_bb all terms are diagonal or a transposition.
template <class P>
struct CartesianElasticTangent {
  static constexpr int point_size = 0;
  static constexpr bool has_metric = false, has_modes = true;
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
    apply(G, R);
  }
  GEARSHIFT_INLINE void apply(const Tensor<P>& G, Tensor<P>& R) const {
    for (int c = 0; c < 3; ++c) {
      R(c, c) = bulk(c, 0) * G(0, 0) + bulk(c, 1) * G(1, 1) + bulk(c, 2) * G(2, 2);
      for (int a = 0; a < 3; ++a)
        if (a != c) R(c, a) = shear(a, a) * G(c, a) + shear(a, c) * G(a, c);
    }
  }
};

/// The form for any law by its whole modulus: point data are the flux (c, a) of every unit reference gradient (d, b),
/// which symmetry reduces to 45 numbers. It is used for laws whose own tangent costs more than 81 multiplications.
template <class Law, class P>
struct CachedModulus {
  static constexpr int point_size = modulus_size;
  static constexpr bool has_metric = false, has_modes = false;
  GEARSHIFT_INLINE explicit CachedModulus(const Points<P>&) {}
  template <class Data>
  GEARSHIFT_INLINE void apply(const Points<P>&, const Data* data, int q, const Tensor<P>& G, Tensor<P>& R) const {
    data += q * point_size * P::width;
    fetch_ahead(data, point_size * P::width);
    for (int i = 0; i < 9; ++i) R.e[i] = P(0.0);
    for (int i = 0; i < 9; ++i)
      for (int j = i; j < 9; ++j, data += P::width) {
        const P A = P::load(data);
        R.e[i] += A * G.e[j];
        if (j > i) R.e[j] += A * G.e[i];
      }
  }
  template <class Data>
  static P prepare(const P* p, const Geometry<P, false>& geometry, const Tensor<P>& G, Data* data) {
    P T[prepared_size<Law>];
    for (auto& number : T) number = P(0.0);
    const P j = Law::prepare(p, geometry.gradient(G), T);
    for (int unit = 0; unit < 9; ++unit) {
      Tensor<P> slope, dP;
      for (int i = 0; i < 9; ++i) slope.e[i] = P(i == unit ? 1.0 : 0.0);
      Law::dstress(p, T, geometry.gradient(slope), dP);
      const Tensor<P> R = geometry.flux(dP, geometry.det);
      for (int i = unit; i < 9; ++i, data += P::width) R.e[i].store(data);
    }
    return j;
  }
};

/// The form for objective laws by their modulus c in the current configuration: with K = dxi/dx, h = G K the gradient
/// of the increment in it, and tau = P F',
///     R = det (c : h + h tau) K',
/// 36 numbers at a point instead of 45. (J. Bonet, R. Wood, Nonlinear Continuum Mechanics, 8.5; Davydov et al., IJNME
/// 121, 2020, "tensor4")
template <class Law, class P>
struct SpatialTangent {
  static constexpr int point_size = spatial_size;
  static constexpr bool has_metric = false, has_modes = false;
  GEARSHIFT_INLINE explicit SpatialTangent(const Points<P>&) {}
  template <class Data>
  GEARSHIFT_INLINE void apply(const Points<P>&, const Data* data, int q, const Tensor<P>& G, Tensor<P>& R) const {
    data += q * point_size * P::width;
    fetch_ahead(data, point_size * P::width);
    const auto next = [&]() __attribute__((always_inline)) {
      data += P::width;
      return P::load(data - P::width);
    };
    Tensor<P> K;
    Symmetric<P> tau, s;
    for (P& number : K.e) number = next();
    for (P& number : tau.e) number = next();
    const Tensor<P> h = product(G, K);
    const P d[6] = {h(0, 0), h(0, 1) + h(1, 0), h(0, 2) + h(2, 0), h(1, 1), h(1, 2) + h(2, 1), h(2, 2)};
    for (P& number : s.e) number = P(0.0);
    for (int a = 0; a < 6; ++a)
      for (int b = a; b < 6; ++b) {
        const P c = next();
        s.e[a] += c * d[b];
        if (b > a) s.e[b] += c * d[a];
      }
    Tensor<P> stress = product(h, tau);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) stress(i, j) += s(i, j);
    for (int i = 0; i < 3; ++i)
      for (int a = 0; a < 3; ++a) R(i, a) = stress(i, 0) * K(a, 0) + stress(i, 1) * K(a, 1) + stress(i, 2) * K(a, 2);
  }
  template <class Data>
  GEARSHIFT_INLINE static P prepare(const P* p, const Geometry<P, false>& geometry, const Tensor<P>& G, Data* data) {
    const Tensor<P> H = geometry.gradient(G);
    Symmetric<P> tau;
    SymmetricMap<P> c;
    const P j = Law::moduli(p, H, tau, c);
    Tensor<P> K = geometry.K;  // small strains do not distinguish it from dxi/dx
    if constexpr (Law::needs_volume) K = current_geometry(K, H, j);
    const auto put = [&](const P& number) __attribute__((always_inline)) {
      number.store(data);
      data += P::width;
    };
    for (const P& number : K.e) put(number);
    for (const P& number : tau.e) put(geometry.det * number);
    for (const P& number : c.e) put(geometry.det * number);
    return j;
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

/// A law with ln J has no tangent at an inverted point, and cells of coarser multigrid levels may be inverted although
/// no cell of the body is. Such points get the tangent of the undeformed body, so that no level ever contains NaN.
template <class P>
GEARSHIFT_INLINE void undeform_inverted(const P& volume_change, Tensor<P>& G) {
  const auto upright = volume_change.v > P(-1.0 + 1e-3).v;
  for (P& number : G.e) number.v = upright ? number.v : P(0.0).v;
}

template <class Law, class Form, class P, class Data>
void prepare_at_points(const Points<P>& points, Data* data) {
  Parameters<Law, P> parameters(points);
  InversionCheck<P> check;
  for (int q = 0; q < points.count; ++q) {
    const Geometry<P, false> geometry(points, q);
    parameters.move_to(points, q);
    Tensor<P> G = points.slopes_at(q);
    if constexpr (Law::needs_volume) {
      const P j = volume_change(geometry.gradient(G));
      check.note(q, j);
      undeform_inverted(j, G);
    }
    Form::prepare(parameters.p, geometry, G, data + q * Form::point_size * P::width);
  }
  if constexpr (Law::needs_volume) check.finish(points);
}

/// Computes the derivative of the tangent along a direction, applied to the slopes at `points`, by dual numbers.
template <class Law, class P>
void second_derivative_at_points(const Points<P>& at, const Points<P>& along, const Points<P>& points) {
  const Parameters<Law, P> parameters(points);
  Dual<P> p[Law::parameter_count];
  for (int i = 0; i < Law::parameter_count; ++i) p[i] = {parameters.p[i], P(0.0)};
  for (int q = 0; q < points.count; ++q) {
    const Geometry<P, false> geometry(points, q);
    const Tensor<P> H = geometry.gradient(at.slopes_at(q)), D = geometry.gradient(along.slopes_at(q)),
                    X = geometry.gradient(points.slopes_at(q));
    Tensor<Dual<P>> dual_H, dual_X, dual_P;
    for (int i = 0; i < 9; ++i) {
      dual_H.e[i] = {H.e[i], D.e[i]};
      dual_X.e[i] = {X.e[i], P(0.0)};
    }
    Dual<P> T[prepared_size<Law>];
    Law::prepare(p, dual_H, T);
    Law::dstress(p, T, dual_X, dual_P);
    Tensor<P> stress;
    for (int i = 0; i < 9; ++i) stress.e[i] = dual_P.e[i].d;
    const Tensor<P> R = geometry.flux(stress, geometry.det);
    for (int c = 0; c < 3; ++c)
      for (int a = 0; a < 3; ++a) points.slope(c, a, q) = R(c, a);
  }
}

/// Computes A[c][a][d][b]: flux (c, a) of the unit reference gradient (d, b) at point q.
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
