#pragma once

/// @file
/// Sum factorisation over the N^3 points of a batch: from nodal values to values and reference gradients at Gauss
/// points, and back.
///
/// Interpolation B runs along x and y while a plane of nodes is at hand, then along z together with the z derivative;
/// x and y derivatives are taken from values at Gauss points (collocation D), one plane at a time, so that gradients of
/// one plane only are alive. The way back is the transpose, with the quadrature's weights W = w_i w_j w_k inside the
/// one-dimensional matrices: B'W and W^-1 D'W. (Sum factorisation: Orszag 1980; the change to a collocated basis:
/// Kronbichler & Kormann, ACM TOMS 45, 2019, section 3.1.)

#include "solid/kernels/line.hpp"
#include "solid/kernels/nodes.hpp"
#include "solid/kernels/points.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

enum class Inertia { none, own, other };

/// What one batch's sweeps keep between them.
template <int N, class P>
class Sweeps {
  using T = typename P::Scalar;
  static constexpr int plane = N * N, size = N * N * N;
  static constexpr bool small = N <= 3;
  struct Inverse {
    double w[N];
    explicit Inverse(const double* weights) {
      for (int i = 0; i < N; ++i) w[i] = 1 / weights[i];
    }
  };

 public:
  /// `factor` scales all that is interpolated.
  Sweeps(const Batches<T>& b, double factor)
      : first_(b.interpolate, false, factor),
        values_(b.interpolate, false),
        values_back_(b.interpolate, true, 1, nullptr, b.weights),
        slopes_(b.collocate, false),
        slopes_back_(b.collocate, true, 1, Inverse(b.weights).w, b.weights),
        z_(b.derive, false),
        z_back_(b.derive, true, 1, nullptr, b.weights) {}

  /// Values and z derivatives at the points.
  GEARSHIFT_INLINE void load(const T* in, const int* nodes) {
    load_planes(in, nodes, v_);
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < plane; ++i) {
        const Parts<N, P> column(v_[c] + i, plane);
        multiply<false>(values_, column, v_[c] + i, plane);
        multiply<false>(z_, column, dz_[c] + i, plane);
      }
  }
  /// Values alone, times density * det, to be added to the result: a is another vector than the one of load().
  GEARSHIFT_INLINE void load_inertia(const T* a, const int* nodes, const P& density, const T* det, long step) {
    load_planes(a, nodes, inertia_);
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < plane; ++i)
        multiply<false>(values_, Parts<N, P>(inertia_[c] + i, plane), inertia_[c] + i, plane);
    weigh(inertia_, density, det, step);
  }
  /// Points are handled in `calls` parts: take() makes their gradients, collect() integrates the fluxes that then stand
  /// in their place. What stands for inertia: nothing, the own values times density * det, or load_inertia()'s.
  static constexpr int calls = N;
  GEARSHIFT_INLINE void take(Points<P>& points, int k) {
    for (int c = 0; c < 3; ++c) {
      const P* v = v_[c] + k * plane;
      repeat<small, N>([&](int j) __attribute__((always_inline)) {
        multiply<false>(slopes_, Parts<N, P>(v + j * N, 1), dx_[c] + j * N, 1);
      });
      repeat<small, N>([&](int i) __attribute__((always_inline)) {
        multiply<false>(slopes_, Parts<N, P>(v + i, N), dy_[c] + i, N);
      });
    }
    points.slopes[0] = dx_[0];
    points.slopes[1] = dy_[0];
    points.slopes[2] = dz_[0] + k * plane;
    points.stride[0] = points.stride[1] = plane;
    points.stride[2] = size;
    points.count = plane;
    points.first = k * plane;
  }
  template <Inertia inertia>
  GEARSHIFT_INLINE void collect(int k, const P& density, const T* det, long step) {
    for (int c = 0; c < 3; ++c) {
      P* v = v_[c] + k * plane;
      P w[plane];
      repeat<small, N>([&](int j) __attribute__((always_inline)) {
        multiply<false>(slopes_back_, Parts<N, P>(dx_[c] + j * N, 1), w + j * N, 1);
      });
      repeat<small, N>([&](int i) __attribute__((always_inline)) {
        multiply<true>(slopes_back_, Parts<N, P>(dy_[c] + i, N), w + i, N);
      });
      for (int i = 0; i < plane; ++i) {
        if constexpr (inertia == Inertia::own) w[i] += density * P::load(det + (k * plane + i) * step) * v[i];
        if constexpr (inertia == Inertia::other) w[i] += inertia_[c][k * plane + i];
        v[i] = w[i];
      }
    }
  }
  /// In place of take() and collect(): inertia of the own values alone.
  GEARSHIFT_INLINE void inertia_only(const P& density, const T* det, long step) {
    weigh(v_, density, det, step);
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < size; ++i) dz_[c][i] = P(0.0);
  }

  GEARSHIFT_INLINE void add(T* out, const int* nodes) {
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < plane; ++i)
        multiply_two(values_back_, Parts<N, P>(v_[c] + i, plane), z_back_, Parts<N, P>(dz_[c] + i, plane), v_[c] + i,
                     plane);
    for (int k = 0; k < N; ++k) {
      P u[3][plane];
      for (int c = 0; c < 3; ++c) {
        P w[plane];
        repeat<small, N>([&](int i) __attribute__((always_inline)) {
          multiply<false>(values_back_, Parts<N, P>(v_[c] + k * plane + i, N), w + i, N);
        });
        repeat<small, N>([&](int j) __attribute__((always_inline)) {
          multiply<false>(values_back_, Parts<N, P>(w + j * N, 1), u[c] + j * N, 1);
        });
      }
      for (int i = 0; i < plane; ++i) add_nodes(out, nodes + (k * plane + i) * P::width, u[0][i], u[1][i], u[2][i]);
    }
  }
  /// The values at points, for kinetic energy.
  GEARSHIFT_INLINE const P* values(int c) const { return v_[c]; }

 private:
  GEARSHIFT_INLINE void load_planes(const T* in, const int* nodes, P (*v)[size]) {
    for (int k = 0; k < N; ++k) {
      P u[3][plane];
      for (int i = 0; i < plane; ++i) load_nodes(in, nodes + (k * plane + i) * P::width, u[0][i], u[1][i], u[2][i]);
      for (int c = 0; c < 3; ++c) {
        P w[plane];
        repeat<small, N>([&](int j) __attribute__((always_inline)) {
          multiply<false>(first_, Parts<N, P>(u[c] + j * N, 1), w + j * N, 1);
        });
        repeat<small, N>([&](int i) __attribute__((always_inline)) {
          multiply<false>(values_, Parts<N, P>(w + i, N), v[c] + k * plane + i, N);
        });
      }
    }
  }
  GEARSHIFT_INLINE void weigh(P (*v)[size], const P& density, const T* det, long step) {
    for (int q = 0; q < size; ++q) {
      const P w = density * P::load(det + q * step);
      for (int c = 0; c < 3; ++c) v[c][q] = w * v[c][q];
    }
  }

  const Line<N, Action::interpolate, P> first_, values_;
  const Line<N, Action::restrict, P> values_back_;
  const Line<N, Action::differentiate, P> slopes_, slopes_back_, z_, z_back_;
  P v_[3][size], dz_[3][size], dx_[3][plane], dy_[3][plane], inertia_[3][size];
};

/// Two points a direction, by moments: u = m_0 + m_1 x + m_2 y + m_3 xy + m_4 z + ..., whose x derivative takes four
/// values only. Each moment is a butterfly away from the corners.
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
      // Moments with a factor x, in the order 1, y, z, yz; and so on.
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
  GEARSHIFT_INLINE void take(Points<P>& points, int) {
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
  /// Sums and differences along the three directions; the transpose goes back.
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
  /// Moments with respect to the coordinates in units of g: m_i g^(degree of i). The factors g of the derivative's own
  /// direction are left out: spread() and moments() take the moments of slopes, whose own power is one less.
  GEARSHIFT_INLINE void load_moments(const T* in, const int* nodes, P (*m)[8], const P* scale) {
    for (int i = 0; i < 8; ++i) load_nodes(in, nodes + i * P::width, m[0][i], m[1][i], m[2][i]);
    for (int c = 0; c < 3; ++c) {
      butterfly<false>(m[c]);
      unrolled<0, 8>([&](int i) __attribute__((always_inline)) {
        m[c][i] = scale[__builtin_popcount(i) - (i > 0)] * m[c][i];
      });
    }
  }
  /// a + b y + c z + d yz at the points y, z = -1, 1, for both x.
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
  /// Values need one more g than slopes in every moment but the first.
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
