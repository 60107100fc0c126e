#pragma once

/// @file
/// The diagonal of the tangent, for smoothers.

#include "solid/kernels/loops/batch.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

constexpr int max_n = 7;
constexpr int max_points = max_n * max_n * max_n;

/// Multiplies x along one axis by the transpose of the n x n matrix M, in place.
template <class P>
void contract(const double* M, int n, int stride, P* x) {
  const int size = n * n * n;
  for (int base = 0; base < size; ++base) {
    if (base / stride % n != 0) continue;
    P line[max_n];
    for (int l = 0; l < n; ++l) line[l] = x[base + stride * l];
    for (int i = 0; i < n; ++i) {
      P sum(0.0);
      for (int l = 0; l < n; ++l) sum += P(M[l * n + i]) * line[l];
      x[base + stride * i] = sum;
    }
  }
}

/// Computes sq A_cacb of one component c of a point, weighted: 00, 11, 22, and the sums 12 + 21, 02 + 20, 01 + 10.
template <class P>
void component_moduli(const P* A, int c, const P& k, P* moduli) {
  const auto at = [&](int a, int e) { return A[((c * 3 + a) * 3 + c) * 3 + e]; };
  for (int a = 0; a < 3; ++a) moduli[a] = k * at(a, a);
  moduli[3] = k * (at(1, 2) + at(2, 1));
  moduli[4] = k * (at(0, 2) + at(2, 0));
  moduli[5] = k * (at(0, 1) + at(1, 0));
}

template <class P, class Data>
void dense_diagonal(const Batches<typename P::Scalar>& b, Range range, const Data* data, double sq, double sa,
                    typename P::Scalar* out) {
  constexpr int max_nodes = Tetrahedron<3>::nodes;
  static_assert(max_nodes >= Wedge<2>::nodes);
  for (int i = range.begin; i < range.end; ++i) {
    const Batch<P> batch(b, i, nullptr);
    const auto work = batch.work->template tangent<P, Data>().modulus;
    const P density = batch.density(sa);
    P total[max_nodes][3];
    for (int node = 0; node < b.cell_nodes; ++node)
      for (int c = 0; c < 3; ++c) total[node][c] = P(0.0);
    for (int q = 0; q < b.cell_points; ++q) {
      P A[81], moduli[3][6];
      work(batch.points, data + b.points_at[i], q, A);
      for (int c = 0; c < 3; ++c) component_moduli(A, c, P(sq * b.point_weights[q]), moduli[c]);
      for (int node = 0; node < b.cell_nodes; ++node) {
        const double* g = b.derive + 3L * (q * b.cell_nodes + node);
        const double products[6] = {g[0] * g[0], g[1] * g[1], g[2] * g[2], g[1] * g[2], g[0] * g[2], g[0] * g[1]};
        for (int c = 0; c < 3; ++c)
          for (int part = 0; part < 6; ++part) total[node][c] += P(products[part]) * moduli[c][part];
      }
    }
    for (int q = 0; q < b.mass_points; ++q) {
      const P mass = density * P(b.mass_weights[q]) * P::load(batch.det + q * batch.det_step);
      for (int node = 0; node < b.cell_nodes; ++node) {
        const double N = b.interpolate[q * b.cell_nodes + node];
        for (int c = 0; c < 3; ++c) total[node][c] += P(N * N) * mass;
      }
    }
    clear_output(b, i, out);
    for (int node = 0; node < b.cell_nodes; ++node)
      add_nodes(out, batch.nodes + node * P::width, total[node][0], total[node][1], total[node][2]);
  }
}

template <class P, class Data>
void diagonal(const Batches<typename P::Scalar>& b, Range range, const Data* data, double sq, double sa,
              typename P::Scalar* out) {
  if (b.kind != CellKind::hexahedron) return dense_diagonal<P>(b, range, data, sq, sa, out);
  const int n = b.n, points = n * n * n;
  double BB[max_n * max_n], BD[max_n * max_n], DD[max_n * max_n];
  for (int i = 0; i < n * n; ++i) {
    BB[i] = b.interpolate[i] * b.interpolate[i];
    BD[i] = b.interpolate[i] * b.derive[i];
    DD[i] = b.derive[i] * b.derive[i];
  }
  P moduli[3][6][max_points], mass[max_points], term[max_points];
  for (int i = range.begin; i < range.end; ++i) {
    const Batch<P> batch(b, i, nullptr);
    const auto work = batch.work->template tangent<P, Data>().modulus;
    const P density = batch.density(sa);
    for (int q = 0; q < points; ++q) {
      P A[81];
      const P w(b.point_weights[q]), k = P(sq) * w;
      mass[q] = density * w * P::load(batch.det + q * batch.det_step);
      work(batch.points, data + b.points_at[i], q, A);
      for (int c = 0; c < 3; ++c) {
        P own[6];
        component_moduli(A, c, k, own);
        for (int part = 0; part < 6; ++part) moduli[c][part][q] = own[part];
      }
    }
    const auto transform = [&](const P* in, P* x, const double* along_x, const double* along_y, const double* along_z) {
      for (int q = 0; q < points; ++q) x[q] = in[q];
      contract(along_x, n, 1, x);
      contract(along_y, n, n, x);
      contract(along_z, n, n * n, x);
    };
    P total[3][max_points];
    transform(mass, total[0], BB, BB, BB);
    for (int q = 0; q < points; ++q) total[1][q] = total[2][q] = total[0][q];
    for (int c = 0; c < 3; ++c)
      for (int part = 0; part < 6; ++part) {
        const double* axis[3] = {BB, BB, BB};
        if (part < 3)
          axis[part] = DD;
        else
          axis[(part - 2) % 3] = axis[(part - 1) % 3] = BD;
        transform(moduli[c][part], term, axis[0], axis[1], axis[2]);
        for (int q = 0; q < points; ++q) total[c][q] += term[q];
      }
    clear_output(b, i, out);
    for (int q = 0; q < points; ++q) add_nodes(out, batch.nodes + q * P::width, total[0][q], total[1][q], total[2][q]);
  }
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
