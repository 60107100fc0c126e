#pragma once

/// @file
/// Finite-strain plasticity of metals: J2 flow in the space of logarithmic strains.

#include "solid/material/law_functions.hpp"
#include "solid/numerics/log_differences.hpp"
#include "solid/numerics/tensor.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// With E = ln(C) / 2 and the plastic strain E_p, both in the reference configuration,
///     W = mu dev(E - E_p):dev(E - E_p) + K/2 (tr E)^2,   T = dW/dE,   P = F S,   S = T : 2 dE/dC,
///     |dev T| <= sqrt(2/3) y(alpha),   y = y_0 + H alpha + (y_inf - y_0) (1 - exp(-delta alpha)),
///     E_p' = gamma' n,   n = dev T / |dev T|,   alpha' = sqrt(2/3) gamma',   gamma' >= 0.
/// A step starts from E_p and alpha at its beginning and applies the radial return, which is exact if n keeps its
/// direction; the tangent is symmetric and consistent. (C. Miehe, N. Apel, M. Lambrecht, Comput. Methods Appl. Mech.
/// Engrg. 191, 2002; J. Simo, T. Hughes, Computational Inelasticity, 3.3)
///
/// p = {mu, lambda, y_0, H, y_inf - y_0, delta, E_p at the beginning (00 01 02 11 12, it has no trace), alpha there, 1
/// if plastic flow is allowed, otherwise 0}.
struct J2Law {
  static constexpr int own_count = 6, history = own_count, flows = history + 6, parameter_count = flows + 1;
  static constexpr bool stores = true, needs_volume = true, shares_logarithm = false, has_cartesian_forms = false,
                        caches_modulus = true, twice_differentiable = false, in_pairs = true;

  /// The result of the radial return for a strain, in the basis of the eigenvectors of C.
  template <class S>
  struct Answer {
    Tensor<S> N;     ///< eigenvectors
    S stretch[3];    ///< eigenvalues of C - 1
    S ln[3];         ///< logarithms of the eigenvalues of C
    Symmetric<S> n;  ///< direction of flow, where there is plastic flow
    Symmetric<S> T;  ///< stress
    S trace;         ///< trace of E
    S elastic;       ///< (dev(E - E_p) : same) after the return
    S gamma, alpha;  ///< plastic multiplier of the step, alpha after it
    S shear, drop;   ///< parameters of the modulus: shear dev - drop n n
    bool flows;      ///< false if no lane has plastic flow: gamma, drop and n are 0
  };

  template <class S>
  GEARSHIFT_INLINE static S energy(const S* p, const Tensor<S>& H) {
    Answer<S> x;
    solve(p, H, x);
    return p[0] * x.elastic + S(0.5) * bulk(p) * x.trace * x.trace;
  }
  /// Returns the plastic work since the undeformed state, the integral of y over alpha.
  template <class S>
  GEARSHIFT_INLINE static S plastic_work(const S* p, const S& alpha) {
    const S rate = where_positive(p[5], p[5], S(1.0));
    return alpha * (p[2] + S(0.5) * p[3] * alpha) +
           where_positive(p[5], p[4] * (alpha + exp_minus_one(-(rate * alpha)) / rate), S(0.0));
  }
  /// Returns J - 1.
  template <class S>
  GEARSHIFT_INLINE static S stress(const S* p, const Tensor<S>& H, Tensor<S>& P) {
    Answer<S> x;
    solve(p, H, x);
    const LogDifferences<S> ln(x.stretch, x.ln);
    for (int e = 0; e < 6; ++e) x.T.e[e] = ln.f.e[e] * x.T.e[e];
    P = product(plus_identity(H), moved(x.N, x.T));
    return volume_change(H);
  }
  /// Writes E_p and alpha after the step, in the order of p; returns J - 1.
  template <class S>
  GEARSHIFT_INLINE static S advance(const S* p, const Tensor<S>& H, S* z) {
    Answer<S> x;
    solve(p, H, x);
    const Symmetric<S> n = moved(x.N, x.n);
    for (int e = 0; e < 5; ++e) z[e] = p[history + e] + x.gamma * n.e[e];
    z[5] = x.alpha;
    return volume_change(H);
  }
  /// Computes tau = F S F' and the modulus c (SpatialTangent) by the modulus L = dS/d(C/2) in the basis of N: with the
  /// first and second differences f and g of ln at the eigenvalues of C, and X = d(C/2),
  ///     dE_ij = f_ij X_ij,   dT = C_ep : dE,   dS_ij = f_ij dT_ij + M_ij + M_ji,   M_ij = 2 sum of T_ik g_ijk X_jk.
  /// Returns J - 1.
  template <class S>
  GEARSHIFT_INLINE static S moduli(const S* p, const Tensor<S>& H, Symmetric<S>& tau, SymmetricMap<S>& c) {
    Answer<S> x;
    solve(p, H, x);
    const LogDifferences<S> ln(x.stretch, x.ln);
    const Symmetric<S>&f = ln.f, &T = x.T;
    S iij[3], ijj[3];
    ln.second_of_pairs(iij, ijj);
    const S all = ln.second_of_all(), spherical = bulk(p) - S(1.0 / 3) * x.shear;
    SymmetricMap<S> L;
    for (S& number : L.e) number = S(0.0);
    // Unrolled, since the places of the entries would otherwise be computed each time.
    unrolled<0, 3>([&](int i) __attribute__((always_inline)) {
      const int ii = symmetric_place[i][i];
      L(ii, ii) = f(i, i) * f(i, i) * (x.shear + spherical - S(2.0) * T(i, i));
    });
    unrolled<0, 3>([&](int pair) __attribute__((always_inline)) {
      const int i = pair / 2, j = pair == 0 ? 1 : 2, k = 3 - i - j;
      const int ij = symmetric_place[i][j], ii = symmetric_place[i][i], jj = symmetric_place[j][j];
      L(ii, jj) = spherical * f(i, i) * f(j, j);
      L(ii, ij) = S(2.0) * iij[pair] * T(i, j);
      L(ij, jj) = S(2.0) * ijj[pair] * T(i, j);
      L(ij, ij) = S(0.5) * x.shear * f(i, j) * f(i, j) + iij[pair] * T(i, i) + ijj[pair] * T(j, j);
      L(symmetric_place[i][k], symmetric_place[j][k]) = all * T(i, j);
    });
    if (x.flows) {
      S along[6];
      for (int e = 0; e < 6; ++e) along[e] = f.e[e] * x.n.e[e];
      unrolled<0, 6>([&](int e) __attribute__((always_inline)) {
        const S flow = x.drop * along[e];
        unrolled<0, 6>([&](int other) __attribute__((always_inline)) {
          if (other >= e) L(e, other) = L(e, other) - flow * along[other];
        });
      });
    }
    Symmetric<S> second;
    for (int e = 0; e < 6; ++e) second.e[e] = f.e[e] * T.e[e];
    const Tensor<S> M = product(plus_identity(H), x.N);
    tau = moved(M, second);
    c = moved(M, L);
    return volume_change(H);
  }

 private:
  template <class S>
  GEARSHIFT_INLINE static S bulk(const S* p) {
    return p[1] + S(2.0 / 3) * p[0];
  }
  template <class S>
  GEARSHIFT_INLINE static S yield(const S* p, const S& alpha, S& slope) {
    const S gone = any_positive(p[4]) ? exp_minus_one(-(p[5] * alpha)) : S(0.0);
    slope = p[3] + p[4] * p[5] * (S(1.0) + gone);
    return p[2] + p[3] * alpha - p[4] * gone;
  }

  template <class S>
  GEARSHIFT_INLINE static void solve(const S* p, const Tensor<S>& H, Answer<S>& x) {
    symmetric_eigen(twice_strain(H), x.stretch, x.N);
    for (int i = 0; i < 3; ++i) x.ln[i] = log_one_plus(x.stretch[i]);
    x.trace = S(0.5) * (x.ln[0] + x.ln[1] + x.ln[2]);
    const S* z = p + history;
    Symmetric<S> e = moved_back(x.N, {z[0], z[1], z[2], z[3], z[4], -(z[0] + z[3])});
    for (S& entry : e.e) entry = -entry;
    // dev(E - E_p) of the trial state
    for (int i = 0; i < 3; ++i) e(i, i) += S(0.5) * x.ln[i] - S(1.0 / 3) * x.trace;
    const S square = dot(e, e), size = square_root(square), twice_mu = p[0] + p[0], root = S(0.81649658092772603);
    // Round-off of the strains must not cause flow: at rest on the yield surface the tangent is the elastic one.
    const S strains = S(0.5) * (absolute(x.ln[0]) + absolute(x.ln[1]) + absolute(x.ln[2])) + size;
    const S noise = S(rounding<S>) * twice_mu * strains;
    const auto beyond = [&](const S& excess) __attribute__((always_inline)) {
      return where_positive(excess - noise, excess, S(0.0));
    };
    S slope, excess = beyond(where_positive(p[flows], twice_mu * size - root * yield(p, z[5], slope), S(0.0)));
    x.flows = any_positive(excess);
    x.alpha = z[5];
    x.elastic = square;
    x.shear = twice_mu;
    x.gamma = x.drop = S(0.0);
    if (x.flows) {
      flow(p, size, twice_mu, slope, excess, beyond, x);
      const S once = S(1.0) / where_positive(size, size, S(1.0));
      for (int i = 0; i < 6; ++i) x.n.e[i] = once * e.e[i];
    } else {
      for (S& entry : x.n.e) entry = S(0.0);
    }
    for (int i = 0; i < 6; ++i) x.T.e[i] = x.shear * e.e[i];
    for (int i = 0; i < 3; ++i) x.T(i, i) += bulk(p) * x.trace;
  }
  /// Computes the multiplier gamma, the root of 2 mu size - 2 mu gamma - root y(alpha + root gamma), which is convex and
  /// decreasing, so that Newton's method increases monotonically from 0 to it.
  template <class S, class Beyond>
  GEARSHIFT_INLINE static void flow(const S* p, const S& size, const S& twice_mu, S slope, S excess, Beyond&& beyond,
                                    Answer<S>& x) {
    const S root = S(0.81649658092772603), start = x.alpha;
    S gamma(0.0);
    for (int i = 0; i < 50 && any_positive(excess); ++i) {
      gamma += excess / (twice_mu + S(2.0 / 3) * slope);
      const S left = twice_mu * (size - gamma) - root * yield(p, start + root * gamma, slope);
      excess = where_positive(gamma, beyond(left), S(0.0));
    }
    const S share = gamma / where_positive(size, size, S(1.0)), kept = S(1.0) - share;
    const S hard = S(1.0) / (S(1.0) + slope / (S(3.0) * p[0]));
    x.gamma = gamma;
    x.alpha = start + root * gamma;
    x.elastic = kept * kept * x.elastic;
    x.shear = kept * twice_mu;
    x.drop = where_positive(gamma, twice_mu * (hard - share), S(0.0));
  }
};

}  // namespace GEARSHIFT_KERNELS

#ifdef GEARSHIFT_DESCRIBES_LAWS
inline void describe(LawDescription& law, J2Law) {
  law.energy =
      "mu dev(E - E_p):dev(E - E_p) + K/2 (tr E)^2, E = ln(C) / 2, with plastic flow at the stress yield + hardening "
      "alpha + (voce_saturation - yield) (1 - exp(-voce_rate alpha))";
  constexpr const char* flows = "flows";
  law.parameters = {Youngs_modulus,
                    Poissons_ratio,
                    {"yield", "initial yield stress", stress, &Material::yield, flows},
                    {"hardening", "linear hardening, stress per plastic strain", stress, &Material::hardening, flows},
                    {"voce_saturation", "final yield stress of Voce's hardening, 0: without", stress,
                     &Material::voce_saturation, flows},
                    {"voce_rate", "exponential rate of Voce's hardening", number, &Material::voce_rate, flows}};
  law.flows = law.logarithmic_volume = true;
  law.jumps = "metal begins to flow";
  law.numbers = [](const Material& m, std::span<const double>) {
    const auto [lambda, mu] = lame(m);
    return std::vector{
        mu, lambda, m.yield, m.hardening, m.voce_saturation > 0 ? m.voce_saturation - m.yield : 0, m.voce_rate};
  };
  law.example = [](Material& m) { m.yield = 0.01, m.hardening = 0.1; };
  law.check = [](const MaterialCheck& check) {
    const Material& m = check.material;
    if (!finite_positive(m.yield)) check.refuse("yield", m.yield, "give a yield stress > 0");
    if (!std::isfinite(m.hardening) || m.hardening < 0) check.refuse("hardening", m.hardening, "give a modulus >= 0");
    if (m.voce_saturation != 0 && !(std::isfinite(m.voce_saturation) && m.voce_saturation >= m.yield))
      check.refuse("voce_saturation", m.voce_saturation, "give a stress >= yield, or 0 for none");
    if (m.voce_saturation != 0 && !finite_positive(m.voce_rate))
      check.refuse("voce_rate", m.voce_rate, "give a rate > 0 with voce_saturation");
    if (m.voce_saturation == 0 && m.voce_rate != 0)
      check.refuse("voce_rate", m.voce_rate, "give voce_saturation with it");
    check_engineering_moduli(check);
  };
}
#endif

}  // namespace gearshift::solid
