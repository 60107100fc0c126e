#pragma once

/// @file
/// The special form of the neo-Hookean tangent.

#include "solid/kernels/points/law_work.hpp"
#include "solid/material/laws/neo_hookean.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// Neo-Hookean tangent in the current configuration: with K = dxi/dx and h = G K the gradient of the increment in it,
///     R = det mu (dxi/dX dxi/dX') from the right of G + det (c h' + lambda tr h) K',   c = mu - lambda ln J.
/// The first factor is the cell's metric, which does not change with the motion; point data are K and det c. A product
/// reads them once and needs neither an inverse nor a logarithm. (Davydov et al., IJNME 121, 2020, "tensor2", with the
/// factors of K K' collected.)
template <bool Cartesian, class P>
struct NeoHookeanTangent {
  static constexpr int point_size = tangent_size;
  static constexpr bool has_metric = true, has_modes = false;
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

template <bool cartesian, class P>
struct TangentForm<NeoHookeanLaw, cartesian, P> {
  using Type = NeoHookeanTangent<cartesian, P>;
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
