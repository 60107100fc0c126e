#pragma once

/// @file
/// The volumetric part U(J) of laws with an isochoric-volumetric split.

#include "solid/numerics/tensor.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// U(J) = K_log2 (ln J)^2 / 2 + K_simo (J^2 - 1 - 2 ln J) / 4 + K_quadratic (J - 1)^2 / 2; a material has one of these
/// terms. K is the bulk modulus at small strains. p = {K_log2, K_simo, K_quadratic}, j = J - 1.
/// (J. Simo, R. Taylor, Comput. Methods Appl. Mech. Engrg. 85, 1991; S. Hartmann, P. Neff, Int. J. Solids Struct. 40,
/// 2003)
struct VolumetricPart {
  static constexpr int parameter_count = 3;

  /// Returns U.
  template <class S>
  GEARSHIFT_INLINE static S energy(const S* p, const S& j) {
    const S ln = log_one_plus(j);
    return S(0.5) * (p[0] * ln * ln + p[1] * (S(0.5) * j * j + log_remainder(j)) + p[2] * j * j);
  }
  /// Returns J U', the pressure (positive in tension) times J.
  template <class S>
  GEARSHIFT_INLINE static S stress(const S* p, const S& j) {
    return p[0] * log_one_plus(j) + j * (S(0.5) * p[1] * (S(2.0) + j) + p[2] * (S(1.0) + j));
  }
  /// Returns J (J U')' = J U' + J^2 U''.
  template <class S>
  GEARSHIFT_INLINE static S slope(const S* p, const S& j) {
    const S J = S(1.0) + j;
    return p[0] + J * (p[1] * J + p[2] * (J + j));
  }
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
