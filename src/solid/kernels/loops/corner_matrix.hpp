#pragma once

/// @file
/// The restriction of the tangent to degree 1 in a cell, entry by entry, for coarse levels.

#include "solid/kernels/loops/batch.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

template <int corners, class P, class Data>
void corner_matrix(const Batches<double>& b, const Data* data, double sq, double sa, int i, double* matrix) {
  constexpr int rows = 3 * corners;
  const Batch<P> batch(b, i, nullptr);
  const auto work = batch.work->template tangent<P, Data>().modulus;
  P K[rows][rows];
  for (auto& row : K)
    for (auto& entry : row) entry = P(0.0);
  const auto add_mass = [&](int q) {
    const double* N = b.corner_values + static_cast<long>(corners) * q;
    const P w = batch.density(sa) * P(b.mass_weights[q]) * P::load(batch.det + q * batch.det_step);
    for (int row = 0; row < rows; ++row)
      for (int corner = 0; corner < corners; ++corner) K[row][3 * corner + row % 3] += w * P(N[row / 3] * N[corner]);
  };
  for (int q = 0; q < b.cell_points; ++q) {
    P A[81], T[rows][9];
    work(batch.points, data + b.points_at[i], q, A);
    const P weight(b.point_weights[q]), k = P(sq) * weight;
    const double* g = b.corner_slopes + 3L * corners * q;
    for (int corner = 0; corner < corners; ++corner)
      for (int c = 0; c < 3; ++c)
        for (int e = 0; e < 9; ++e)
          T[3 * corner + c][e] =
              k * (P(g[3 * corner]) * A[(c * 3) * 9 + e] + P(g[3 * corner + 1]) * A[(c * 3 + 1) * 9 + e] +
                   P(g[3 * corner + 2]) * A[(c * 3 + 2) * 9 + e]);
    for (int row = 0; row < rows; ++row)
      for (int corner = 0; corner < corners; ++corner)
        for (int d = 0; d < 3; ++d)
          K[row][3 * corner + d] += P(g[3 * corner]) * T[row][3 * d] + P(g[3 * corner + 1]) * T[row][3 * d + 1] +
                                    P(g[3 * corner + 2]) * T[row][3 * d + 2];
    if (!b.has_mass_points()) add_mass(q);
  }
  for (int q = 0; b.has_mass_points() && q < b.mass_points; ++q) add_mass(q);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < rows; ++column) K[row][column].store(matrix + (rows * row + column) * P::width);
}

template <class P, class Data>
void corner_matrix_of(const Batches<double>& b, const Data* data, double sq, double sa, int i, double* matrix) {
  with_element(b, [&]<class Element>() { corner_matrix<Element::corners, P>(b, data, sq, sa, i, matrix); });
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
