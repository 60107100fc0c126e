#pragma once

/// @file
/// Forces and tangents of bodies with a separate pressure (BulkCells), in double precision. Forces and products include
/// those of the law and of inertia.

#include "solid/kernels/loops/batch_pressure.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

template <class Element, class P>
struct BulkLoops {
  using Sweeps = typename Element::template Sweeps<P>;
  using Pressure = BatchPressure<P, Element::pressures>;
  static constexpr int point_size = bulk_point_size;

  static BulkLaw<P> law(const BulkCells& cells, int batch) {
    return {cells.logarithmic[batch] != 0, P::load(cells.stiffness + static_cast<long>(batch) * P::width)};
  }

  /// Computes pi(e) at the displacement in the sweeps.
  static void dilate(Sweeps& sweeps, const Batch<P>& batch, bool logarithmic, Pressure& e) {
    visit<Element>(sweeps, batch, [&](const Points<P>& points, int first, int) {
      for (int q = 0; q < points.count; ++q) {
        const Geometry<P, false> geometry(points, q);
        const Tensor<P> H = geometry.gradient(points.slopes_at(q));
        e.add(first + q, logarithmic ? volume_change(H) : trace(H), geometry.det);
      }
    });
    e.project();
  }

  /// Replaces pi(e) by the pressure that it causes.
  static void respond(const Batch<P>& batch, const BulkLaw<P>& law, Pressure& e) {
    if (!law.logarithmic) return e.scale(law.lambda);
    e.template map<Element::points>(batch.points, [&](int, const P& there) { return law.slope(there); });
  }

  static void residual(const Batches<double>& b, Range range, const BulkCells& cells, const double* u, const double* a,
                       double* out, Inversion* found) {
    Sweeps sweeps(b, 1.0);
    for (int i = range.begin; i < range.end; ++i) {
      const Batch<P> batch(b, i, found);
      const BulkLaw<P> own = law(cells, i);
      const P density = batch.density(1.0);
      Pressure pressure(b, cells, i);
      sweeps.load(u, batch.nodes);
      if (a) sweeps.load_inertia(a, batch.nodes, density, batch.det, batch.det_step);
      dilate(sweeps, batch, own.logarithmic, pressure);
      respond(batch, own, pressure);
      pressure.expand();
      visit_again<Element>(sweeps, batch, [&](const Points<P>& points, int first, int k) {
        add_to_law(
            points, first, [&](const Points<P>& some, int) { batch.work->stress(some); },
            [&](int q, const Geometry<P, false>& geometry, const Tensor<P>& G) __attribute__((always_inline)) {
              return geometry.flux(gradient(own.logarithmic, geometry.gradient(G)), pressure.at(q) * geometry.det);
            });
        if (a)
          sweeps.template collect<Inertia::other>(k, density, batch.det, batch.det_step);
        else
          sweeps.template collect<Inertia::none>(k, density, batch.det, batch.det_step);
      });
      clear_output(b, i, out);
      sweeps.add(out, batch.nodes);
    }
  }

  static void linearize(const Batches<double>& b, Range range, const BulkCells& cells, const double* u,
                        const double* given, double* data, double* pressures) {
    Sweeps sweeps(b, 1.0);
    for (int i = range.begin; i < range.end; ++i) {
      const Batch<P> batch(b, i, nullptr);
      const BulkLaw<P> own = law(cells, i);
      Pressure e(b, cells, i);
      sweeps.load(u, batch.nodes);
      dilate(sweeps, batch, own.logarithmic, e);
      Pressure pressure = e;
      respond(batch, own, pressure);
      pressure.store(pressures + cells.pressures_at[i]);
      if (given) pressure.load(given + cells.pressures_at[i]);
      pressure.expand();
      e.expand();
      double* to = data + cells.points_at[i];
      visit_again<Element>(sweeps, batch, [&](const Points<P>& points, int first, int) {
        for (int q = 0; q < points.count; ++q, to += point_size * P::width) {
          const Geometry<P, false> geometry(points, q);
          const Tensor<P> H = geometry.gradient(points.slopes_at(q)), slope = gradient(own.logarithmic, H);
          for (int a = 0; a < 3; ++a)
            for (int c = 0; c < 3; ++c)
              (geometry.K(a, 0) * slope(c, 0) + geometry.K(a, 1) * slope(c, 1) + geometry.K(a, 2) * slope(c, 2))
                  .store(to + (3 * a + c) * P::width);
          (own.logarithmic ? pressure.at(first + q) / (P(1.0) + volume_change(H)) : P(0.0)).store(to + 9 * P::width);
          own.curvature(e.at(first + q)).store(to + 10 * P::width);
        }
      });
    }
  }

  /// Computes the pressures that `in` causes: in `part` the pressures of the soft part, or all if there is no soft
  /// part; in `rest` the others, if there is a soft part.
  static void react(Sweeps& sweeps, const Batch<P>& batch, const BulkCells& cells, int i, const double* data,
                    Pressure& part, Pressure& rest) {
    Pressure moments = part;
    visit<Element>(sweeps, batch, [&](const Points<P>& points, int first, int) {
      for (int q = 0; q < points.count; ++q) {
        const double* K = data + static_cast<long>(first + q) * point_size * P::width;
        fetch_ahead(K, point_size * P::width);
        P sum(0.0);
        for (int a = 0; a < 3; ++a)
          for (int c = 0; c < 3; ++c) sum += points.slope(c, a, q) * P::load(K + (3 * a + c) * P::width);
        moments.add(first + q, sum, P::load(batch.points.geometry + (first + q) * points.geometry_step + 9 * P::width));
      }
    });
    moments.project();
    part = rest = moments;
    const BulkLaw<P> own = law(cells, i);
    if (own.logarithmic)
      rest.template map<Element::points>(batch.points, [&](int q, const P& de) {
        return P::load(data + (static_cast<long>(q) * point_size + 10) * P::width) * de;
      });
    else
      rest.scale(own.lambda);
    if (!cells.soft) {
      part = rest;
      return;
    }
    part.scale(P::load(cells.soft + static_cast<long>(i) * P::width));
    rest.subtract(part);
  }

  /// Computes the pressures that `in` causes.
  static void answer(const Batches<double>& b, Range range, const BulkCells& cells, const double* data,
                     const double* in, double* caused) {
    Sweeps sweeps(b, 1.0);
    for (int i = range.begin; i < range.end; ++i) {
      const Batch<P> batch(b, i, nullptr);
      Pressure part(b, cells, i), rest(b, cells, i);
      sweeps.load(in, batch.nodes);
      react(sweeps, batch, cells, i, data + cells.points_at[i], part, rest);
      rest.store(caused + cells.pressures_at[i]);
    }
  }

  /// @tparam Data the precision of the law's point data
  template <class Data>
  static void apply(const Batches<double>& b, Range range, const BulkCells& cells, const Data* of_law,
                    const double* data, double sq, double sa, const double* in, const double* pressures, double* out,
                    double* caused) {
    Sweeps sweeps(b, sq);
    for (int i = range.begin; i < range.end; ++i) {
      const Batch<P> batch(b, i, nullptr);
      const auto work = batch.work->template tangent<P, Data>().apply;
      const long step = batch.work->point_size * P::width;
      const double* own = data + cells.points_at[i];
      const P density = batch.density(sa / sq);
      Pressure pressure(b, cells, i), rest(b, cells, i);
      sweeps.load(in, batch.nodes);
      react(sweeps, batch, cells, i, own, pressure, rest);
      if (caused) {
        rest.scale(P(1 / sq));
        rest.store(caused + cells.pressures_at[i]);
      }
      if (pressures) {
        rest.load(pressures + cells.pressures_at[i]);
        rest.scale(P(sq));
        pressure.add(rest);
      }
      pressure.expand();
      visit_again<Element>(sweeps, batch, [&](const Points<P>& points, int first, int k) {
        add_to_law(
            points, first, [&](const Points<P>& some, int q) { work(some, of_law + b.points_at[i] + q * step); },
            [&](int q, const Geometry<P, false>& geometry, const Tensor<P>& G) __attribute__((always_inline)) {
              const double* from = own + static_cast<long>(q) * point_size * P::width;
              Tensor<P> K;
              for (int e = 0; e < 9; ++e) K.e[e] = P::load(from + e * P::width);
              return change(G, K, geometry.det * pressure.at(q), geometry.det * P::load(from + 9 * P::width));
            });
        if (sa != 0)
          sweeps.template collect<Inertia::own>(k, density, batch.det, batch.det_step);
        else
          sweeps.template collect<Inertia::none>(k, density, batch.det, batch.det_step);
      });
      clear_output(b, i, out);
      sweeps.add(out, batch.nodes);
    }
  }

  static void push(const Batches<double>& b, Range range, const BulkCells& cells, const double* data, double sq,
                   const double* pressures, double* out) {
    Sweeps sweeps(b, 1.0);
    for (int i = range.begin; i < range.end; ++i) {
      const Batch<P> batch(b, i, nullptr);
      const double* own = data + cells.points_at[i];
      Pressure pressure(b, cells, i);
      pressure.load(pressures + cells.pressures_at[i]);
      pressure.expand();
      constexpr int part = Element::points / Sweeps::calls;
      for (int k = 0; k < Sweeps::calls; ++k) {
        Points<P> points = batch.part(k * part);
        sweeps.offer(points, k);
        for (int q = 0; q < points.count; ++q) {
          const int point = k * part + q;
          const double* from = own + static_cast<long>(point) * point_size * P::width;
          const P share =
              P(sq) * P::load(points.geometry + q * points.geometry_step + 9 * P::width) * pressure.at(point);
          Tensor<P> R;
          for (int a = 0; a < 3; ++a)
            for (int c = 0; c < 3; ++c) R(c, a) = share * P::load(from + (3 * a + c) * P::width);
          put(points, q, R);
        }
        sweeps.template collect<Inertia::none>(k, P(0.0), nullptr, 0);
      }
      sweeps.add(out, batch.nodes);
    }
  }

  static void energy(const Batches<double>& b, Range range, const BulkCells& cells, const double* u, double* result) {
    Sweeps sweeps(b, 1.0);
    for (int i = range.begin; i < range.end; ++i) {
      const Batch<P> batch(b, i, nullptr);
      const BulkLaw<P> own = law(cells, i);
      Pressure e(b, cells, i);
      sweeps.load(u, batch.nodes);
      dilate(sweeps, batch, own.logarithmic, e);
      e.expand();
      P sum(0.0);
      const Points<P>& points = batch.points;
      for (int q = 0; q < Element::points; ++q)
        sum += P(b.point_weights[q]) * P::load(points.geometry + q * points.geometry_step + 9 * P::width) *
               own.energy(e.at(q));
      for (int l = 0; l < b.used[i]; ++l) *result += sum.v[l];
    }
  }

  static void at_points(const Batches<double>& b, Range range, const BulkCells& cells, const double* u, double* out) {
    Sweeps sweeps(b, 1.0);
    for (int i = range.begin; i < range.end; ++i) {
      const Batch<P> batch(b, i, nullptr);
      const BulkLaw<P> own = law(cells, i);
      Pressure e(b, cells, i);
      sweeps.load(u, batch.nodes);
      dilate(sweeps, batch, own.logarithmic, e);
      Pressure pressure = e;
      respond(batch, own, pressure);
      pressure.expand();
      e.expand();
      for (int q = 0; q < Element::points; ++q, out += 2 * P::width) {
        pressure.at(q).store(out);
        own.energy(e.at(q)).store(out + P::width);
      }
    }
  }

 private:
  /// Replaces the slopes at some points by the law's fluxes plus add(point, geometry, slopes).
  /// @param law called for a few points at a time with the number of the first, so that copies of their slopes fit
  /// into the first-level cache
  template <class Law, class Add>
  GEARSHIFT_INLINE static void add_to_law(const Points<P>& points, int first, Law&& law, Add&& add) {
    constexpr int most = 16;
    for (int begin = 0; begin < points.count; begin += most) {
      const int count = begin + most < points.count ? most : points.count - begin;
      const Points<P> some = points.some(begin, count);
      Tensor<P> G[most];
      for (int q = 0; q < count; ++q) G[q] = some.slopes_at(q);
      law(some, first + begin);
      for (int q = 0; q < count; ++q) {
        const Tensor<P> R = add(first + begin + q, Geometry<P, false>(some, q), G[q]);
        for (int c = 0; c < 3; ++c)
          for (int a = 0; a < 3; ++a) some.slope(c, a, q) += R(c, a);
      }
    }
  }
  /// Returns dJ/dF = cof F, or I.
  GEARSHIFT_INLINE static Tensor<P> gradient(bool logarithmic, const Tensor<P>& H) {
    if (logarithmic) return cofactors(plus_identity(H));
    Tensor<P> result;
    for (int e = 0; e < 9; ++e) result.e[e] = P(e % 4 == 0 ? 1.0 : 0.0);
    return result;
  }
  /// Returns (dp I + p (tr h I - h')) K' with K = J dxi/dx and J h = G K; the argument p is p/J.
  GEARSHIFT_INLINE static Tensor<P> change(const Tensor<P>& G, const Tensor<P>& K, const P& dp, const P& p) {
    const Tensor<P> h = product(G, K);
    const P diagonal = dp + p * trace(h);
    Tensor<P> R;
    for (int i = 0; i < 3; ++i)
      for (int a = 0; a < 3; ++a)
        R(i, a) = diagonal * K(a, i) - p * (h(0, i) * K(a, 0) + h(1, i) * K(a, 1) + h(2, i) * K(a, 2));
    return R;
  }
  GEARSHIFT_INLINE static void put(const Points<P>& points, int q, const Tensor<P>& R) {
    for (int c = 0; c < 3; ++c)
      for (int a = 0; a < 3; ++a) points.slope(c, a, q) = R(c, a);
  }
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
