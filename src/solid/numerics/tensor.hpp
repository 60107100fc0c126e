#pragma once

/// @file
/// 3 x 3 tensors of any scalar type.

#include "solid/numerics/dual.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

template <class S>
struct Tensor {
  S e[9];
  GEARSHIFT_INLINE S& operator()(int i, int j) { return e[3 * i + j]; }
  GEARSHIFT_INLINE const S& operator()(int i, int j) const { return e[3 * i + j]; }
};

template <class S>
GEARSHIFT_INLINE S trace(const Tensor<S>& A) {
  return A.e[0] + A.e[4] + A.e[8];
}
/// Returns A : B.
template <class S>
GEARSHIFT_INLINE S dot(const Tensor<S>& A, const Tensor<S>& B) {
  S sum = A.e[0] * B.e[0];
  for (int i = 1; i < 9; ++i) sum += A.e[i] * B.e[i];
  return sum;
}
/// Returns A B. B may be Symmetric.
template <class S, template <class> class Right>
GEARSHIFT_INLINE Tensor<S> product(const Tensor<S>& A, const Right<S>& B) {
  Tensor<S> C;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) C(i, j) = A(i, 0) * B(0, j) + A(i, 1) * B(1, j) + A(i, 2) * B(2, j);
  return C;
}
/// Returns A' B.
template <class S>
GEARSHIFT_INLINE Tensor<S> transposed_product(const Tensor<S>& A, const Tensor<S>& B) {
  Tensor<S> C;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) C(i, j) = A(0, i) * B(0, j) + A(1, i) * B(1, j) + A(2, i) * B(2, j);
  return C;
}
/// Returns A + A'.
template <class S>
GEARSHIFT_INLINE Tensor<S> twice_symmetric(const Tensor<S>& A) {
  Tensor<S> C;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) C(i, j) = A(i, j) + A(j, i);
  return C;
}
/// Returns the cofactors, det(A) A^-T.
template <class S>
GEARSHIFT_INLINE Tensor<S> cofactors(const Tensor<S>& A) {
  Tensor<S> C;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      C(i, j) = A(a, c) * A(b, d) - A(a, d) * A(b, c);
    }
  return C;
}
/// Returns I + H.
template <class S>
GEARSHIFT_INLINE Tensor<S> plus_identity(Tensor<S> H) {
  for (int i = 0; i < 3; ++i) H(i, i) = H(i, i) + S(1.0);
  return H;
}
/// Returns C - I = H + H' + H'H, without the cancellation of F'F - I.
template <class S>
GEARSHIFT_INLINE Tensor<S> twice_strain(const Tensor<S>& H) {
  Tensor<S> E2 = transposed_product(H, H);
  const Tensor<S> linear = twice_symmetric(H);
  for (int i = 0; i < 9; ++i) E2.e[i] += linear.e[i];
  return E2;
}
/// Returns det(I + H) - 1, computed as a polynomial in H.
template <class S>
GEARSHIFT_INLINE S volume_change(const Tensor<S>& H) {
  const Tensor<S> C = cofactors(H);
  return trace(H) + (trace(C) + (H(0, 0) * C(0, 0) + H(0, 1) * C(0, 1) + H(0, 2) * C(0, 2)));
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
