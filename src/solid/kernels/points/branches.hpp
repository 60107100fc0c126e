#pragma once

/// @file
/// Laws with Maxwell branches at quadrature points.

#include "solid/kernels/points/tangents.hpp"
#include "solid/material/maxwell.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// The branches of one batch at a state: z = kept base + held g S_iso.
template <class P>
class BatchBranches {
 public:
  GEARSHIFT_INLINE explicit BatchBranches(const Points<P>& points)
      : all_(*points.branches),
        count_(all_.count[points.batch]),
        numbers_(all_.numbers + all_.at[points.batch]),
        first_(static_cast<long>(points.batch) * P::width) {}
  GEARSHIFT_INLINE int count() const { return count_; }
  GEARSHIFT_INLINE P shear_modulus() const { return P::load(numbers_); }
  GEARSHIFT_INLINE P g(int branch) const { return P::load(numbers_ + (1 + 2 * branch) * P::width); }
  GEARSHIFT_INLINE P tau(int branch) const { return P::load(numbers_ + (2 + 2 * branch) * P::width); }
  /// Returns 1 / (1 + rate tau).
  GEARSHIFT_INLINE P held(int branch) const { return P(1.0) / (P(1.0) + P(all_.rate) * tau(branch)); }
  /// Returns rate tau / (1 + rate tau), from 0 to 1 for rates from 0 to infinity.
  GEARSHIFT_INLINE P without_held(int branch) const {
    return P(1.0) / (P(1.0) + P(1.0) / (P(all_.rate) * tau(branch)));
  }
  /// Returns the sum of held g.
  GEARSHIFT_INLINE P kappa() const {
    P sum(0.0);
    for (int i = 0; i < count_; ++i) sum += held(i) * g(i);
    return sum;
  }
  /// Computes the entries 00 01 02 11 12 22 of factor base.
  GEARSHIFT_INLINE void base(int branch, int point, P* z) const {
    typename P::Scalar numbers[6][P::width] = {};
    for (int l = 0; all_.base && l < P::width; ++l) {
      const double* from = all_.base + at(branch, point, l);
      for (int e = 0; e < 6; ++e) numbers[e][l] = static_cast<typename P::Scalar>(all_.factor * from[e]);
    }
    for (int e = 0; e < 6; ++e) z[e] = P::load(numbers[e]);
  }
  /// Computes the sum of kept base.
  GEARSHIFT_INLINE void rest(int point, P* Z) const {
    for (int e = 0; e < 6; ++e) Z[e] = P(0.0);
    if (!all_.base) return;
    for (int i = 0; i < count_; ++i) {
      P z[6];
      const P kept = without_held(i);
      base(i, point, z);
      for (int e = 0; e < 6; ++e) Z[e] += kept * z[e];
    }
  }
  /// Computes the overstress g S_iso - z, without the cancellation that this difference has near equilibrium.
  GEARSHIFT_INLINE void overstress(int branch, int point, const Tensor<P>& S, P* h) const {
    const P kept = without_held(branch);
    base(branch, point, h);
    for (int e = 0; e < 6; ++e) h[e] = kept * (g(branch) * entry(S, e) - h[e]);
  }
  /// Returns the index at which z of a point and branch begins in the array of all internal variables.
  GEARSHIFT_INLINE long at(int branch, int point, int lane) const {
    return all_.begin[first_ + lane] + (static_cast<long>(point) * count_ + branch) * 6;
  }
  GEARSHIFT_INLINE static const P& entry(const Tensor<P>& S, int e) {
    constexpr int place[] = {0, 1, 2, 4, 5, 8};
    return S.e[place[e]];
  }
  /// Returns A : B of symmetric tensors given by six entries.
  GEARSHIFT_INLINE static P product_of(const P* A, const P* B) {
    return A[0] * B[0] + A[3] * B[3] + A[5] * B[5] + P(2.0) * (A[1] * B[1] + A[2] * B[2] + A[4] * B[4]);
  }

 private:
  const InternalVariables& all_;
  int count_;
  const double* numbers_;
  long first_;
};

template <class Law, class P>
struct Parameters<MaxwellLaw<Law>, P> {
  static constexpr int kappa = MaxwellLaw<Law>::kappa;
  P p[MaxwellLaw<Law>::parameter_count];
  BatchBranches<P> branches;
  GEARSHIFT_INLINE explicit Parameters(const Points<P>& points) : branches(points) {
    for (int i = 0; i < kappa; ++i) p[i] = points.parameter(i);
    p[kappa] = branches.kappa();
    for (int i = 0; i < 6; ++i) p[kappa + 1 + i] = P(0.0);
  }
  GEARSHIFT_INLINE void move_to(const Points<P>& points, int q) { branches.rest(points.first + q, p + kappa + 1); }
};

template <class Law, class P>
void internal_at_points(const Points<P>& points, int used, double* z) {
  const Parameters<Law, P> parameters(points);
  const BatchBranches<P> branches(points);
  InversionCheck<P> check;
  for (int q = 0; q < points.count; ++q) {
    const Geometry<P, false> geometry(points, q);
    const int point = points.first + q;
    Tensor<P> S;
    check.note(q, Isochoric<Law>::second_stress(parameters.p, geometry.gradient(points.slopes_at(q)), S));
    for (int i = 0; i < branches.count(); ++i) {
      const P kept = branches.without_held(i), follows = branches.held(i) * branches.g(i);
      P values[6];
      branches.base(i, point, values);
      for (int e = 0; e < 6; ++e) values[e] = kept * values[e] + follows * branches.entry(S, e);
      for (int l = 0; l < used; ++l)
        for (int e = 0; e < 6; ++e) z[branches.at(i, point, l) + e] = values[e].v[l];
    }
  }
  check.finish(points);
}

/// Returns W - sum of g W_iso - h : h / (4 g mu), h = g S_iso - z, integrated over the points.
template <class Law, class P>
P energy_with_branches(const Points<P>& points, const Batches<typename P::Scalar>& b) {
  const Parameters<Law, P> parameters(points);
  const BatchBranches<P> branches(points);
  const P mu = branches.shear_modulus();
  P share(0.0), sum(0.0);
  for (int i = 0; i < branches.count(); ++i) share += branches.g(i);
  for (int q = 0; q < points.count; ++q) {
    const Geometry<P, false> geometry(points, q);
    const Tensor<P> H = geometry.gradient(points.slopes_at(q));
    Tensor<P> S;
    Isochoric<Law>::second_stress(parameters.p, H, S);
    P density = Law::energy(parameters.p, H) - share * Isochoric<Law>::energy(parameters.p, H);
    for (int i = 0; i < branches.count(); ++i) {
      P h[6];
      branches.overstress(i, points.first + q, S, h);
      density += branches.product_of(h, h) / (P(4.0) * branches.g(i) * mu);
    }
    sum += P(b.point_weights[points.first + q]) * geometry.det * density;
  }
  return sum;
}

/// Returns the difference between the stress power and the rate of that energy: sum of h : E' - h : h' / (2 g mu), h' =
/// g S_iso' - h / tau, with E' the rate of Green's strain.
template <class Law, class P>
P dissipation_at_points(const Points<P>& points, const Points<P>& along, const Batches<typename P::Scalar>& b) {
  const Parameters<Law, P> parameters(points);
  const BatchBranches<P> branches(points);
  const P mu = branches.shear_modulus();
  Dual<P> p[Law::parameter_count];
  for (int i = 0; i < Law::parameter_count; ++i) p[i] = {parameters.p[i], P(0.0)};
  P sum(0.0);
  for (int q = 0; q < points.count; ++q) {
    const Geometry<P, false> geometry(points, q);
    const Tensor<P> H = geometry.gradient(points.slopes_at(q)), D = geometry.gradient(along.slopes_at(q));
    const Tensor<P> rate = twice_symmetric(small_strains<Law> ? D : transposed_product(plus_identity(H), D));
    Tensor<Dual<P>> dual_H, dual_S;
    for (int i = 0; i < 9; ++i) dual_H.e[i] = {H.e[i], D.e[i]};
    Isochoric<Law>::second_stress(p, dual_H, dual_S);
    Tensor<P> S;
    for (int i = 0; i < 9; ++i) S.e[i] = dual_S.e[i].v;
    P density(0.0);
    for (int i = 0; i < branches.count(); ++i) {
      const P g = branches.g(i), once = P(1.0) / branches.tau(i), twice_modulus = P(2.0) * g * mu;
      P h[6], rest[6];
      branches.overstress(i, points.first + q, S, h);
      constexpr int place[] = {0, 1, 2, 4, 5, 8};
      for (int e = 0; e < 6; ++e)
        rest[e] = P(0.5) * rate.e[place[e]] - (g * dual_S.e[place[e]].d - once * h[e]) / twice_modulus;
      density += branches.product_of(h, rest);
    }
    sum += P(b.point_weights[points.first + q]) * geometry.det * density;
  }
  return sum;
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
