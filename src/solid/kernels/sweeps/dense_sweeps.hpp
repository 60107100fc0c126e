#pragma once

/// @file
/// The sweeps of tetrahedra: small dense matrices between the nodes and the points of a batch, read from the
/// first-level cache. Rows of three slopes and blocks of nodes keep in registers as many sums as each loaded number
/// contributes to.

#include "solid/kernels/points/points.hpp"
#include "solid/kernels/sweeps/line.hpp"
#include "solid/kernels/sweeps/nodes.hpp"
#include "solid/kernels/sweeps/sweeps.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// @tparam Count, MassCount the numbers of points of stress and of mass
template <int Nodes, int Count, int MassCount, class P>
class DenseSweeps {
  using T = typename P::Scalar;
  using Register = typename P::Register;

 public:
  /// `factor` scales everything that load() interpolates.
  DenseSweeps(const Batches<T>& b, double factor) : factor_(factor), mass_{b.interpolate, b.mass_weights} {
    for (int i = 0; i < MassCount * Nodes; ++i) values_[i] = static_cast<T>(b.interpolate[i]);
    for (int i = 0; i < Count * Nodes * 3; ++i) slopes_[i] = static_cast<T>(b.derive[i]);
    for (int q = 0; q < Count; ++q) weights_[q] = static_cast<T>(b.point_weights[q]);
    for (int q = 0; q < MassCount; ++q) mass_weights_[q] = static_cast<T>(b.mass_weights[q]);
  }

  GEARSHIFT_INLINE void load(const T* in, const int* nodes) {
    for (int i = 0; i < Nodes; ++i) {
      load_nodes(in, nodes + i * P::width, u_[0][i], u_[1][i], u_[2][i]);
      for (int c = 0; c < 3; ++c) u_[c][i] = factor_ * u_[c][i];
    }
  }
  GEARSHIFT_INLINE void load_inertia(const T* a, const int* nodes, const P& density, const T* det, long step) {
    P x[3][Nodes];
    for (int i = 0; i < Nodes; ++i) load_nodes(a, nodes + i * P::width, x[0][i], x[1][i], x[2][i]);
    weigh(x, density, det, step);
  }
  static constexpr int calls = 1;
  GEARSHIFT_INLINE void take(Points<P>& points, int k) {
    for (int q = 0; q < Count; ++q) {
      Register g[3][3] = {};
      const T* row = slopes_ + q * Nodes * 3;
      for (int i = 0; i < Nodes; ++i)
        unrolled<0, 3>([&](int a) __attribute__((always_inline)) {
          const T slope = row[3 * i + a];
          unrolled<0, 3>([&](int c) __attribute__((always_inline)) { g[a][c] += slope * u_[c][i].v; });
        });
      unrolled<0, 3>([&](int a) __attribute__((always_inline)) {
        unrolled<0, 3>([&](int c) __attribute__((always_inline)) { d_[a][c][q] = P(g[a][c]); });
      });
    }
    offer(points, k);
  }
  GEARSHIFT_INLINE void offer(Points<P>& points, int) {
    for (int a = 0; a < 3; ++a) {
      points.slopes[a] = d_[a][0];
      points.stride[a] = Count;
    }
    points.count = Count;
    points.first = 0;
  }
  template <Inertia inertia>
  GEARSHIFT_INLINE void collect(int, const P& density, const T* det, long step) {
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c)
        for (int q = 0; q < Count; ++q) d_[a][c][q] = P(weights_[q] * d_[a][c][q].v);
    if constexpr (inertia == Inertia::own) weigh(u_, density, det, step);
    has_slopes_ = true;
    has_inertia_ = inertia != Inertia::none;
  }
  GEARSHIFT_INLINE void inertia_only(const P& density, const T* det, long step) {
    weigh(u_, density, det, step);
    has_slopes_ = false;
    has_inertia_ = true;
  }
  GEARSHIFT_INLINE void add(T* out, const int* nodes) {
    constexpr int block = 4;
    for (int i = 0; i + block <= Nodes; i += block) add_block<block>(out, nodes, i);
    if constexpr (Nodes % block != 0) add_block<Nodes % block>(out, nodes, Nodes / block * block);
  }
  /// Returns the values at the points of mass, for kinetic energy; must be called for component 0 first.
  GEARSHIFT_INLINE const P* values(int c) {
    if (c == 0) interpolate(u_);
    return v_[c];
  }

 private:
  GEARSHIFT_INLINE void interpolate(const P (&x)[3][Nodes]) {
    for (int q = 0; q < MassCount; ++q) {
      Register v[3] = {};
      for (int i = 0; i < Nodes; ++i)
        unrolled<0, 3>([&](int c) __attribute__((always_inline)) { v[c] += values_[q * Nodes + i] * x[c][i].v; });
      unrolled<0, 3>([&](int c) __attribute__((always_inline)) { v_[c][q] = P(v[c]); });
    }
  }
  /// Computes the values of x at the points of mass, times density det and the weights; if det is the same at all of
  /// them, the values at the nodes times density det, to be multiplied by the matrix of the mass.
  GEARSHIFT_INLINE void weigh(const P (&x)[3][Nodes], const P& density, const T* det, long step) {
    same_det_ = step == 0;
    if (same_det_) {
      if (!mass_.known) compute_mass();
      const P w = density * P::load(det);
      for (int c = 0; c < 3; ++c)
        for (int i = 0; i < Nodes; ++i) m_[c][i] = w * x[c][i];
      return;
    }
    interpolate(x);
    for (int q = 0; q < MassCount; ++q) {
      const P w = P(mass_weights_[q] * density.v) * P::load(det + q * step);
      for (int c = 0; c < 3; ++c) v_[c][q] = w * v_[c][q];
    }
  }
  void compute_mass() {
    for (int i = 0; i < Nodes; ++i)
      for (int j = 0; j < Nodes; ++j) {
        double sum = 0;
        for (int q = 0; q < MassCount; ++q)
          sum += mass_.weights[q] * mass_.values[q * Nodes + i] * mass_.values[q * Nodes + j];
        mass_.matrix[i * Nodes + j] = static_cast<T>(sum);
      }
    mass_.known = true;
  }
  /// Adds nodes i, ..., i + Block - 1 of the result.
  template <int Block>
  GEARSHIFT_INLINE void add_block(T* out, const int* nodes, int i) {
    Register sum[Block][3] = {};
    if (has_slopes_)
      for (int q = 0; q < Count; ++q) {
        const T* row = slopes_ + (q * Nodes + i) * 3;
        unrolled<0, 3>([&](int a) __attribute__((always_inline)) {
          unrolled<0, Block>([&](int k) __attribute__((always_inline)) {
            const T slope = row[3 * k + a];
            unrolled<0, 3>([&](int c) __attribute__((always_inline)) { sum[k][c] += slope * d_[a][c][q].v; });
          });
        });
      }
    if (has_inertia_ && same_det_)
      for (int j = 0; j < Nodes; ++j)
        unrolled<0, Block>([&](int k) __attribute__((always_inline)) {
          const T value = mass_.matrix[j * Nodes + i + k];
          unrolled<0, 3>([&](int c) __attribute__((always_inline)) { sum[k][c] += value * m_[c][j].v; });
        });
    if (has_inertia_ && !same_det_)
      for (int q = 0; q < MassCount; ++q)
        unrolled<0, Block>([&](int k) __attribute__((always_inline)) {
          const T value = values_[q * Nodes + i + k];
          unrolled<0, 3>([&](int c) __attribute__((always_inline)) { sum[k][c] += value * v_[c][q].v; });
        });
    for (int k = 0; k < Block; ++k)
      add_nodes(out, nodes + (i + k) * P::width, P(sum[k][0]), P(sum[k][1]), P(sum[k][2]));
  }

  T slopes_[Count * Nodes * 3], values_[MassCount * Nodes], weights_[Count], mass_weights_[MassCount];
  P factor_;
  /// The matrix of the mass for det 1, computed when it is needed first.
  struct Mass {
    const double *values, *weights;  // at the points of mass
    bool known = false;
    T matrix[Nodes * Nodes] = {};
  } mass_;
  P u_[3][Nodes], d_[3][3][Count], v_[3][MassCount], m_[3][Nodes];
  bool has_slopes_ = false, has_inertia_ = false, same_det_ = false;
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
