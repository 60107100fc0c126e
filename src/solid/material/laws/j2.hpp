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
                        caches_modulus = true, twice_differentiable = false;
  static constexpr int prepared_count = 9 + 9 + 6 + 6 + 10 + 6 + 6 + 2;

  /// The result of the radial return for a strain, in the basis of the eigenvectors of C.
  template <class S>
  struct Answer {
    Tensor<S> N;     ///< eigenvectors
    S stretch[3];    ///< eigenvalues of C - 1
    Tensor<S> n;     ///< direction of flow
    Tensor<S> T;     ///< stress
    S trace;         ///< trace of E
    S elastic;       ///< (dev(E - E_p) : same) after the return
    S gamma, alpha;  ///< plastic multiplier of the step, alpha after it
    S shear, drop;   ///< parameters of the modulus: shear dev - drop n n
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
    Tensor<S> stress;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) stress(i, j) = x.T(i, j) * log_difference(x.stretch[i], x.stretch[j]);
    P = product(plus_identity(H), out_of_basis(x.N, stress));
    return volume_change(H);
  }
  /// Writes E_p and alpha after the step, in the order of p; returns J - 1.
  template <class S>
  GEARSHIFT_INLINE static S advance(const S* p, const Tensor<S>& H, S* z) {
    Answer<S> x;
    solve(p, H, x);
    const Tensor<S> n = out_of_basis(x.N, x.n);
    constexpr int place[] = {0, 1, 2, 4, 5};
    for (int e = 0; e < 5; ++e) z[e] = p[history + e] + x.gamma * n.e[place[e]];
    z[5] = x.alpha;
    return volume_change(H);
  }
  template <class S>
  GEARSHIFT_INLINE static S prepare(const S* p, const Tensor<S>& H, S* to) {
    Answer<S> x;
    solve(p, H, x);
    for (int i = 0; i < 9; ++i) {
      to[i] = H.e[i];
      to[9 + i] = x.N.e[i];
    }
    S *f = to + 18, *g = to + 24, *T = to + 34, *n = to + 40, *stress = to + 46;
    for (int i = 0, e = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j, ++e) {
        f[e] = log_difference(x.stretch[i], x.stretch[j]);
        T[e] = x.T(i, j);
        n[e] = x.n(i, j);
        stress[e] = f[e] * T[e];
      }
    for (int i = 0, e = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j)
        for (int k = j; k < 3; ++k, ++e) g[e] = second_log_difference(x.stretch[i], x.stretch[j], x.stretch[k]);
    to[52] = x.shear;
    to[53] = x.drop;
    return volume_change(H);
  }
  /// dP = dF S + F dS. With X = N' sym(F' dF) N and the first and second differences f and g of ln at the eigenvalues
  /// of C: dE_ij = f_ij X_ij, dT = C_ep : dE, dS_ij = f_ij dT_ij + M_ij + M_ji, M_ij = 2 sum over k of T_ik g_ijk X_jk.
  template <class S>
  GEARSHIFT_INLINE static void dstress(const S* p, const S* from, const Tensor<S>& dH, Tensor<S>& dP) {
    Tensor<S> H, N;
    for (int i = 0; i < 9; ++i) {
      H.e[i] = from[i];
      N.e[i] = from[9 + i];
    }
    const S* g = from + 24;
    const Tensor<S> f = whole(from + 18), T = whole(from + 34), n = whole(from + 40), stress = whole(from + 46);
    const Tensor<S> F = plus_identity(H), twice_X = in_basis(N, twice_symmetric(transposed_product(F, dH)));
    Tensor<S> dE, dS;
    for (int i = 0; i < 9; ++i) dE.e[i] = S(0.5) * f.e[i] * twice_X.e[i];
    const S volume = trace(dE), flow = from[53] * dot(n, dE);
    const S spherical = (bulk(p) - S(1.0 / 3) * from[52]) * volume;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        S dT = from[52] * dE(i, j) - flow * n(i, j);
        if (i == j) dT += spherical;
        S M = f(i, j) * dT;
        for (int k = 0; k < 3; ++k) {
          const S& own = g[place(i, j, k)];
          M += own * (T(i, k) * twice_X(j, k) + T(j, k) * twice_X(i, k));
        }
        dS(i, j) = M;
      }
    dP = product(dH, out_of_basis(N, stress));
    const Tensor<S> other = product(F, out_of_basis(N, dS));
    for (int i = 0; i < 9; ++i) dP.e[i] += other.e[i];
  }

 private:
  template <class S>
  GEARSHIFT_INLINE static S bulk(const S* p) {
    return p[1] + S(2.0 / 3) * p[0];
  }
  /// Returns the place of ijk, in any order, in the list 000 001 002 011 012 022 111 112 122 222.
  GEARSHIFT_INLINE static int place(int i, int j, int k) {
    constexpr int at[3][3][3] = {
        {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}}, {{1, 3, 4}, {3, 6, 7}, {4, 7, 8}}, {{2, 4, 5}, {4, 7, 8}, {5, 8, 9}}};
    return at[i][j][k];
  }
  template <class S>
  GEARSHIFT_INLINE static Tensor<S> whole(const S* a) {
    return {a[0], a[1], a[2], a[1], a[3], a[4], a[2], a[4], a[5]};
  }
  template <class S>
  GEARSHIFT_INLINE static S yield(const S* p, const S& alpha, S& slope) {
    const S gone = exp_minus_one(-(p[5] * alpha));
    slope = p[3] + p[4] * p[5] * (S(1.0) + gone);
    return p[2] + p[3] * alpha - p[4] * gone;
  }

  template <class S>
  static void solve(const S* p, const Tensor<S>& H, Answer<S>& x) {
    symmetric_eigen(twice_strain(H), x.stretch, x.N);
    S ln[3];
    for (int i = 0; i < 3; ++i) ln[i] = S(0.5) * log_one_plus(x.stretch[i]);
    x.trace = ln[0] + ln[1] + ln[2];
    const S* z = p + history;
    const Tensor<S> plastic = in_basis(x.N, Tensor<S>{z[0], z[1], z[2], z[1], z[3], z[4], z[2], z[4], -(z[0] + z[3])});
    Tensor<S> e;  // dev(E - E_p) of the trial state
    for (int i = 0; i < 9; ++i) e.e[i] = -plastic.e[i];
    for (int i = 0; i < 3; ++i) e(i, i) += ln[i] - S(1.0 / 3) * x.trace;
    const S size = square_root(dot(e, e)), twice_mu = p[0] + p[0], root = S(0.81649658092772603);
    // Round-off of the strains must not cause flow: at rest on the yield surface the tangent is the elastic one.
    const S noise = S(rounding<S>) * twice_mu * (absolute(ln[0]) + absolute(ln[1]) + absolute(ln[2]) + size);
    const auto beyond = [&](const S& excess) __attribute__((always_inline)) {
      return where_positive(excess - noise, excess, S(0.0));
    };
    // 2 mu size - 2 mu gamma - root y(alpha + root gamma) = 0 is convex and decreasing in gamma, so that Newton's
    // method increases monotonically from 0 to the root.
    S slope, gamma(0.0),
        excess = beyond(where_positive(p[flows], twice_mu * size - root * yield(p, z[5], slope), S(0.0)));
    for (int i = 0; i < 50 && any_positive(excess); ++i) {
      gamma += excess / (twice_mu + S(2.0 / 3) * slope);
      const S left = twice_mu * (size - gamma) - root * yield(p, z[5] + root * gamma, slope);
      excess = where_positive(gamma, beyond(left), S(0.0));
    }
    const S length = where_positive(size, size, S(1.0));
    const S kept = S(1.0) - gamma / length, hard = S(1.0) / (S(1.0) + slope / (S(3.0) * p[0]));
    x.gamma = gamma;
    x.alpha = z[5] + root * gamma;
    x.elastic = kept * kept * dot(e, e);
    x.shear = twice_mu * kept;
    x.drop = where_positive(gamma, twice_mu * (hard - (S(1.0) - kept)), S(0.0));
    for (int i = 0; i < 9; ++i) {
      x.n.e[i] = e.e[i] / length;
      x.T.e[i] = x.shear * e.e[i];
    }
    for (int i = 0; i < 3; ++i) x.T(i, i) += bulk(p) * x.trace;
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
