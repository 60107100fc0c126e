#pragma once

/// @file
/// The tangent of isotropic laws in principal axes.

#include "solid/kernels/points/law_work.hpp"
#include "solid/material/laws/ogden.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// The tangent of OgdenLaw combined with the cell's geometry: with M = K N, K = dxi/dX, and X = n' G M
///     R = n (det Y(X)) M'.
/// Point data are n, M, and det times the 12 numbers of Y: less than half of the numbers of the modulus.
template <class P>
struct PrincipalTangent {
  static constexpr int point_size = OgdenLaw::prepared_count;
  static constexpr bool has_metric = false, has_modes = false;
  GEARSHIFT_INLINE explicit PrincipalTangent(const Points<P>&) {}
  template <class Data>
  GEARSHIFT_INLINE void apply(const Points<P>&, const Data* data, int q, const Tensor<P>& G, Tensor<P>& R) const {
    data += q * point_size * P::width;
    fetch_ahead(data, point_size * P::width);
    Tensor<P> n, M;
    P t[12];
    for (int i = 0; i < 9; ++i) {
      n.e[i] = P::load(data + i * P::width);
      M.e[i] = P::load(data + (9 + i) * P::width);
    }
    for (int i = 0; i < 12; ++i) t[i] = P::load(data + (18 + i) * P::width);
    const Tensor<P> Y = OgdenLaw::in_principal_axes(t, transposed_product(n, product(G, M))), nY = product(n, Y);
    for (int c = 0; c < 3; ++c)
      for (int a = 0; a < 3; ++a) R(c, a) = nY(c, 0) * M(a, 0) + nY(c, 1) * M(a, 1) + nY(c, 2) * M(a, 2);
  }
  template <class Data>
  GEARSHIFT_INLINE static P prepare(const P* p, const Geometry<P, false>& geometry, const Tensor<P>& G, Data* data) {
    P T[point_size];
    const P j = OgdenLaw::prepare(p, geometry.gradient(G), T);
    Tensor<P> N;
    for (int i = 0; i < 9; ++i) {
      T[i].store(data + i * P::width);
      N.e[i] = T[9 + i];
    }
    const Tensor<P> M = product(geometry.K, N);
    for (int i = 0; i < 9; ++i) M.e[i].store(data + (9 + i) * P::width);
    for (int i = 18; i < point_size; ++i) (geometry.det * T[i]).store(data + i * P::width);
    return j;
  }
};

template <bool cartesian, class P>
struct TangentForm<OgdenLaw, cartesian, P> {
  using Type = PrincipalTangent<P>;
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
