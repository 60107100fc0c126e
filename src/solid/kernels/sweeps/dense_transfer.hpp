#pragma once

/// @file
/// The equivalent of Transfer on tetrahedra and wedges, by one dense matrix.

#include "solid/kernels/sweeps/nodes.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// @tparam Fine, Coarse the numbers of nodes of a cell
template <int Fine, int Coarse, class P>
class DenseTransfer {
  using T = typename P::Scalar;

 public:
  /// @param matrix [Fine][Coarse]
  explicit DenseTransfer(const double* matrix) {
    for (int i = 0; i < Fine * Coarse; ++i) matrix_[i] = static_cast<T>(matrix[i]);
  }
  /// Computes fine += P coarse.
  GEARSHIFT_INLINE void prolong(const T* coarse, const int* coarse_nodes, T* fine, const int* fine_nodes) const {
    P from[3][Coarse];
    for (int j = 0; j < Coarse; ++j)
      load_nodes(coarse, coarse_nodes + j * P::width, from[0][j], from[1][j], from[2][j]);
    for (int i = 0; i < Fine; ++i) {
      P sum[3] = {P(0.0), P(0.0), P(0.0)};
      for (int j = 0; j < Coarse; ++j)
        for (int c = 0; c < 3; ++c) sum[c].v += matrix_[i * Coarse + j] * from[c][j].v;
      add_nodes(fine, fine_nodes + i * P::width, sum[0], sum[1], sum[2]);
    }
  }
  /// Computes coarse += P' fine.
  GEARSHIFT_INLINE void restrict_fine(const T* fine, const int* fine_nodes, T* coarse, const int* coarse_nodes) const {
    P to[3][Coarse];
    for (int c = 0; c < 3; ++c)
      for (int j = 0; j < Coarse; ++j) to[c][j] = P(0.0);
    for (int i = 0; i < Fine; ++i) {
      P from[3];
      load_nodes(fine, fine_nodes + i * P::width, from[0], from[1], from[2]);
      for (int j = 0; j < Coarse; ++j)
        for (int c = 0; c < 3; ++c) to[c][j].v += matrix_[i * Coarse + j] * from[c].v;
    }
    for (int j = 0; j < Coarse; ++j) add_nodes(coarse, coarse_nodes + j * P::width, to[0][j], to[1][j], to[2][j]);
  }

 private:
  T matrix_[Fine * Coarse];
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
