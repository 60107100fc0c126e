#pragma once

/// @file
/// Interpolation of nodal values from degree M - 1 to degree N - 1 in the cells of a batch, and its transpose, one
/// direction after the other.

#include "solid/kernels/sweeps/nodes.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

template <int N, int M, class P>
class Transfer {
  using T = typename P::Scalar;

 public:
  /// @param matrix [N][M]
  explicit Transfer(const double* matrix) {
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < M; ++j) up_[i][j] = down_[j][i] = P(matrix[i * M + j]);
  }

  /// Computes fine += P coarse.
  GEARSHIFT_INLINE void prolong(const T* coarse, const int* coarse_nodes, T* fine, const int* fine_nodes) const {
    P from[3][M * M * M], to[3][N * N * N];
    for (int i = 0; i < M * M * M; ++i)
      load_nodes(coarse, coarse_nodes + i * P::width, from[0][i], from[1][i], from[2][i]);
    for (int c = 0; c < 3; ++c) map<N, M>(up_, from[c], to[c]);
    for (int i = 0; i < N * N * N; ++i) add_nodes(fine, fine_nodes + i * P::width, to[0][i], to[1][i], to[2][i]);
  }
  /// Computes coarse += P' fine.
  GEARSHIFT_INLINE void restrict_fine(const T* fine, const int* fine_nodes, T* coarse, const int* coarse_nodes) const {
    P from[3][N * N * N], to[3][M * M * M];
    for (int i = 0; i < N * N * N; ++i) load_nodes(fine, fine_nodes + i * P::width, from[0][i], from[1][i], from[2][i]);
    for (int c = 0; c < 3; ++c) map<M, N>(down_, from[c], to[c]);
    for (int i = 0; i < M * M * M; ++i) add_nodes(coarse, coarse_nodes + i * P::width, to[0][i], to[1][i], to[2][i]);
  }

 private:
  /// Maps from B^3 to A^3 points by the A x B matrix along each direction.
  template <int A, int B>
  GEARSHIFT_INLINE static void map(const P (&matrix)[A][B], const P* x, P* y) {
    P once[A * B * B], twice[A * A * B];
    for (int line = 0; line < B * B; ++line) along<A, B>(matrix, x + line * B, 1, once + line * A, 1);
    for (int k = 0; k < B; ++k)
      for (int i = 0; i < A; ++i) along<A, B>(matrix, once + k * A * B + i, A, twice + k * A * A + i, A);
    for (int i = 0; i < A * A; ++i) along<A, B>(matrix, twice + i, A * A, y + i, A * A);
  }
  template <int A, int B>
  GEARSHIFT_INLINE static void along(const P (&matrix)[A][B], const P* x, int x_stride, P* y, int y_stride) {
    for (int i = 0; i < A; ++i) {
      P sum = matrix[i][0] * x[0];
      for (int j = 1; j < B; ++j) sum += matrix[i][j] * x[j * x_stride];
      y[i * y_stride] = sum;
    }
  }

  P up_[N][M], down_[M][N];
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
