#pragma once

/// @file
/// Symmetric 3 x 3 tensors by their entries 00 01 02 11 12 22, and symmetric maps of them.

#include "solid/numerics/tensor.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// The rows and columns of the six entries.
constexpr int symmetric_row[6] = {0, 0, 0, 1, 1, 2}, symmetric_column[6] = {0, 1, 2, 1, 2, 2};
constexpr int symmetric_place[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

template <class S>
struct Symmetric {
  S e[6];
  GEARSHIFT_INLINE S& operator()(int i, int j) { return e[symmetric_place[i][j]]; }
  GEARSHIFT_INLINE const S& operator()(int i, int j) const { return e[symmetric_place[i][j]]; }
};

template <class S>
GEARSHIFT_INLINE S trace(const Symmetric<S>& A) {
  return A.e[0] + A.e[3] + A.e[5];
}
/// Returns A : B.
template <class S>
GEARSHIFT_INLINE S dot(const Symmetric<S>& A, const Symmetric<S>& B) {
  return A.e[0] * B.e[0] + A.e[3] * B.e[3] + A.e[5] * B.e[5] +
         S(2.0) * (A.e[1] * B.e[1] + A.e[2] * B.e[2] + A.e[4] * B.e[4]);
}
/// Returns the upper triangle of A B', for a symmetric product.
template <class S>
GEARSHIFT_INLINE Symmetric<S> symmetric_product(const Tensor<S>& A, const Tensor<S>& B) {
  Symmetric<S> C;
  for (int e = 0; e < 6; ++e) {
    const int i = symmetric_row[e], j = symmetric_column[e];
    C.e[e] = A(i, 0) * B(j, 0) + A(i, 1) * B(j, 1) + A(i, 2) * B(j, 2);
  }
  return C;
}
/// Returns M A M'.
template <class S>
GEARSHIFT_INLINE Symmetric<S> moved(const Tensor<S>& M, const Symmetric<S>& A) {
  return symmetric_product(product(M, A), M);
}
/// Returns M' A M.
template <class S>
GEARSHIFT_INLINE Symmetric<S> moved_back(const Tensor<S>& M, const Symmetric<S>& A) {
  return moved(Tensor<S>{M.e[0], M.e[3], M.e[6], M.e[1], M.e[4], M.e[7], M.e[2], M.e[5], M.e[8]}, A);
}

/// A symmetric map of symmetric tensors, L_ijkl = L_jikl = L_klij, by the upper triangle of its 6 x 6 entries:
///     (L : X)_e = sum over f of L_ef x_f,   x = (X_00, 2 X_01, 2 X_02, X_11, 2 X_12, X_22).
template <class S>
struct SymmetricMap {
  S e[21];
  static constexpr int place[6][6] = {{0, 1, 2, 3, 4, 5},     {1, 6, 7, 8, 9, 10},    {2, 7, 11, 12, 13, 14},
                                      {3, 8, 12, 15, 16, 17}, {4, 9, 13, 16, 18, 19}, {5, 10, 14, 17, 19, 20}};
  GEARSHIFT_INLINE S& operator()(int a, int b) { return e[place[a][b]]; }
  GEARSHIFT_INLINE const S& operator()(int a, int b) const { return e[place[a][b]]; }
};

/// Returns the map with c_ijkl = sum of M_ia M_jb M_kc M_ld L_abcd.
template <class S>
GEARSHIFT_INLINE SymmetricMap<S> moved(const Tensor<S>& M, const SymmetricMap<S>& L) {
  S T[6][6];
  unrolled<0, 6>([&](int e) __attribute__((always_inline)) {
    unrolled<0, 6>([&](int f) __attribute__((always_inline)) {
      const int i = symmetric_row[e], j = symmetric_column[e], a = symmetric_row[f], b = symmetric_column[f];
      T[e][f] = M(i, a) * M(j, b);
      if (a != b) T[e][f] += M(i, b) * M(j, a);
    });
  });
  SymmetricMap<S> c;
  unrolled<0, 6>([&](int e) __attribute__((always_inline)) {
    S row[6];
    unrolled<0, 6>([&](int f) __attribute__((always_inline)) {
      row[f] = T[e][0] * L(0, f);
      unrolled<1, 6>([&](int g) __attribute__((always_inline)) { row[f] += T[e][g] * L(g, f); });
    });
    unrolled<0, 6>([&](int f) __attribute__((always_inline)) {
      if (f < e) return;
      S sum = row[0] * T[f][0];
      unrolled<1, 6>([&](int g) __attribute__((always_inline)) { sum += row[g] * T[f][g]; });
      c(e, f) = sum;
    });
  });
  return c;
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
