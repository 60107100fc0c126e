#pragma once

/// @file
/// Sweeps over cells of eight nodes by moments, which are cheaper here than matrices along lines.

#include "solid/kernels/sweeps/sweeps.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// Two points per direction, by moments: u = m_0 + m_1 x + m_2 y + m_3 xy + m_4 z + ..., whose x derivative takes only
/// four different values. A butterfly converts the corner values to each moment.
template <class P>
class Sweeps<2, P> {
  using T = typename P::Scalar;

 public:
  Sweeps(const Batches<T>& b, double factor) {
    // B = (1 + g, 1 - g; 1 - g, 1 + g) / 2 with the Gauss points -g, g.
    const double g = b.interpolate[0] - b.interpolate[1];
    for (int power = 0; power < 4; ++power) {
      double value = 0.125;
      for (int i = 0; i < power; ++i) value *= g;
      in_[power] = P(value * factor);
      plain_[power] = P(value);
    }
  }

  GEARSHIFT_INLINE void load(const T* in, const int* nodes) {
    load_moments(in, nodes, m_, in_);
    for (int c = 0; c < 3; ++c) {
      // Moments with a factor x, in the order 1, y, z, yz; then those with factors y and z.
      const P* m = m_[c];
      spread(m[1], m[3], m[5], m[7], d_[0][c], 1, 2, 4);
      spread(m[2], m[3], m[6], m[7], d_[1][c], 2, 1, 4);
      spread(m[4], m[5], m[6], m[7], d_[2][c], 4, 1, 2);
    }
  }
  GEARSHIFT_INLINE void load_inertia(const T* a, const int* nodes, const P& density, const T* det, long step) {
    load_moments(a, nodes, inertia_, plain_);
    to_values(inertia_);
    weigh(inertia_, density, det, step);
  }
  static constexpr int calls = 1;
  GEARSHIFT_INLINE void take(Points<P>& points, int k) { offer(points, k); }
  GEARSHIFT_INLINE void offer(Points<P>& points, int) {
    for (int a = 0; a < 3; ++a) {
      points.slopes[a] = d_[a][0];
      points.stride[a] = 8;
    }
    points.count = 8;
    points.first = 0;
  }
  template <Inertia inertia>
  GEARSHIFT_INLINE void collect(int, const P& density, const T* det, long step) {
    for (int c = 0; c < 3; ++c) {
      P x[4], y[4], z[4];
      moments(d_[0][c], 1, 2, 4, x);
      moments(d_[1][c], 2, 1, 4, y);
      moments(d_[2][c], 4, 1, 2, z);
      P* m = result_[c];
      m[0] = P(0.0);
      m[1] = x[0];
      m[2] = y[0];
      m[4] = z[0];
      m[3] = x[1] + y[1];
      m[5] = x[2] + z[1];
      m[6] = y[2] + z[2];
      m[7] = x[3] + y[3] + z[3];
    }
    if constexpr (inertia == Inertia::own) {
      to_values(m_);
      weigh(m_, density, det, step);
      add_values(m_);
    }
    if constexpr (inertia == Inertia::other) add_values(inertia_);
  }
  GEARSHIFT_INLINE void inertia_only(const P& density, const T* det, long step) {
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < 8; ++i) result_[c][i] = P(0.0);
    to_values(m_);
    weigh(m_, density, det, step);
    add_values(m_);
  }
  GEARSHIFT_INLINE void add(T* out, const int* nodes) {
    for (int c = 0; c < 3; ++c) {
      P* m = result_[c];
      unrolled<0, 8>([&](int i)
                         __attribute__((always_inline)) { m[i] = plain_[__builtin_popcount(i) - (i > 0)] * m[i]; });
      butterfly<true>(m);
    }
    for (int i = 0; i < 8; ++i) add_nodes(out, nodes + i * P::width, result_[0][i], result_[1][i], result_[2][i]);
  }
  GEARSHIFT_INLINE const P* values(int c) {
    if (c == 0) to_values(m_);
    return m_[c];
  }

 private:
  /// Computes sums and differences along the three directions; the transpose is the way back.
  template <bool Transpose>
  GEARSHIFT_INLINE static void butterfly(P* m) {
    unrolled<0, 3>([&](int axis) __attribute__((always_inline)) {
      const int s = 1 << axis;
      unrolled<0, 8>([&](int i) __attribute__((always_inline)) {
        if (i & s) return;
        const P low = m[i], high = m[i + s];
        m[i] = Transpose ? low - high : low + high;
        m[i + s] = Transpose ? low + high : high - low;
      });
    });
  }
  /// Loads moments with respect to the coordinates in units of g: m_i g^(degree of i). The factors g of the
  /// derivative's own direction are omitted: spread() and moments() use the moments of slopes, whose power is one less.
  GEARSHIFT_INLINE void load_moments(const T* in, const int* nodes, P (*m)[8], const P* scale) {
    for (int i = 0; i < 8; ++i) load_nodes(in, nodes + i * P::width, m[0][i], m[1][i], m[2][i]);
    for (int c = 0; c < 3; ++c) {
      butterfly<false>(m[c]);
      unrolled<0, 8>([&](int i) __attribute__((always_inline)) {
        m[c][i] = scale[__builtin_popcount(i) - (i > 0)] * m[c][i];
      });
    }
  }
  /// Computes a + b y + c z + d yz at the points y, z = -1, 1, for both x.
  GEARSHIFT_INLINE static void spread(const P& a, const P& b, const P& c, const P& d, P* to, int x, int y, int z) {
    const P e0 = a - b, e1 = a + b, f0 = c - d, f1 = c + d;
    to[0] = to[x] = e0 - f0;
    to[y] = to[x + y] = e1 - f1;
    to[z] = to[x + z] = e0 + f0;
    to[y + z] = to[x + y + z] = e1 + f1;
  }
  GEARSHIFT_INLINE static void moments(const P* from, int x, int y, int z, P* m) {
    const P o0 = from[0] + from[x], o1 = from[y] + from[x + y], o2 = from[z] + from[x + z],
            o3 = from[y + z] + from[x + y + z];
    const P e0 = o0 + o1, e1 = o1 - o0, e2 = o2 + o3, e3 = o3 - o2;
    m[0] = e0 + e2;
    m[1] = e1 + e3;
    m[2] = e2 - e0;
    m[3] = e3 - e1;
  }
  /// Converts moments to values: these need one more factor g than slopes in every moment except the first.
  GEARSHIFT_INLINE void to_values(P (*m)[8]) {
    const P g = plain_[1] / plain_[0];
    for (int c = 0; c < 3; ++c) {
      for (int i = 1; i < 8; ++i) m[c][i] = g * m[c][i];
      butterfly<true>(m[c]);
    }
  }
  GEARSHIFT_INLINE void add_values(P (*v)[8]) {
    const P g = plain_[1] / plain_[0];
    for (int c = 0; c < 3; ++c) {
      butterfly<false>(v[c]);
      result_[c][0] += v[c][0];
      for (int i = 1; i < 8; ++i) result_[c][i] += g * v[c][i];
    }
  }
  GEARSHIFT_INLINE void weigh(P (*v)[8], const P& density, const T* det, long step) {
    for (int q = 0; q < 8; ++q) {
      const P w = density * P::load(det + q * step);
      for (int c = 0; c < 3; ++c) v[c][q] = w * v[c][q];
    }
  }

  P in_[4], plain_[4];
  P m_[3][8], d_[3][3][8], result_[3][8], inertia_[3][8];
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
