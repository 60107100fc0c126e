#pragma once

/// @file
/// Ogden's law of rubber in principal stretches.

#include "solid/material/law_functions.hpp"
#include "solid/material/volumetric.hpp"
#include "solid/numerics/log_differences.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// With the principal stretches l_i of F, J = l_1 l_2 l_3 and lbar_i = J^-1/3 l_i,
///     W = sum over r of mu_r / alpha_r (lbar_1^alpha_r + lbar_2^alpha_r + lbar_3^alpha_r - 3) + U(J).
/// (R. Ogden, Proc. R. Soc. Lond. A 326, 1972; the volumetric part: A 328, 1972)
///
/// In the basis of the eigenvectors N_i of C and n_i = F N_i / l_i, with beta_i = dW / d ln l_i,
///     P = sum of beta_i / l_i n_i N_i',   S_i = beta_i / c_i,   c_i = l_i^2,   X = n' dF N,   dP = n Y N',
///     Y_ii = sum over j of (d beta_i / d ln l_j - delta_ij beta_i) / (l_i l_j) X_jj,
///     Y_ij = (S_j + c_i theta_ij) X_ij + l_i l_j theta_ij X_ji,   theta_ij = (S_i - S_j) / (c_i - c_j),
/// where theta is computed from divided differences of powers, exact to round-off however close the stretches are. (R.
/// Ogden, Non-Linear Elastic Deformations, 1984, 6.1.4)
///
/// p = {mu_1, alpha_1, mu_2, alpha_2, mu_3, alpha_3, those of U}; mu_r = 0 with alpha_r = 1 if there are fewer terms.
struct OgdenLaw {
  using Volume = VolumetricPart;
  static constexpr int terms = 3, volume = 2 * terms, parameter_count = volume + Volume::parameter_count;
  static constexpr bool stores = true, needs_volume = true, shares_logarithm = false, has_cartesian_forms = false,
                        caches_modulus = false, twice_differentiable = false, in_pairs = true;
  /// n, N, and of Y: the symmetric part for pairs ii jj (00 01 02 11 12 22), the factors of X_ij and X_ji (01 02 12).
  static constexpr int prepared_count = 9 + 9 + 6 + 3 + 3;

  template <class S>
  GEARSHIFT_INLINE static S energy(const S* p, const Tensor<S>& H) {
    const Stretches<S> x(H);
    S sum = Volume::energy(p + volume, volume_change(H));
    for (int r = 0; r < terms; ++r)
      for (const S& ln : x.ln_bar) sum += p[2 * r] / p[2 * r + 1] * exp_remainder(p[2 * r + 1] * ln);
    return sum;
  }
  /// Returns J - 1.
  template <class S>
  GEARSHIFT_INLINE static S stress(const S* p, const Tensor<S>& H, Tensor<S>& P) {
    const Stretches<S> x(H);
    const S j = volume_change(H);
    const Forces<S> force(p, x, j);
    // P = F N diag(beta / c) N'
    Tensor<S> scaled;
    for (int k = 0; k < 3; ++k) {
      const S second = force.beta[k] / (S(1.0) + x.square[k]);
      for (int i = 0; i < 3; ++i) scaled(i, k) = second * x.N(i, k);
    }
    P = product(plus_identity(H), symmetric_product(scaled, x.N));
    return j;
  }
  template <class S>
  GEARSHIFT_INLINE static S prepare(const S* p, const Tensor<S>& H, S* T) {
    const Stretches<S> x(H);
    const S j = volume_change(H);
    const Forces<S> force(p, x, j);
    const LogDifferences<S> ln(x.square, x.ln);
    const Tensor<S> n = product(plus_identity(H), x.N);
    S l[3], inverse[3], second[3];  // l_i, 1 / l_i and S_i
    for (int i = 0; i < 3; ++i) {
      l[i] = square_root(S(1.0) + x.square[i]);
      inverse[i] = l[i] * ln.f(i, i);
      second[i] = force.beta[i] * ln.f(i, i);
    }
    for (int i = 0; i < 9; ++i) {
      T[i] = n.e[i] * inverse[i % 3];
      T[9 + i] = x.N.e[i];
    }
    const S slope = Volume::slope(p + volume, j);
    S rate[6];
    for (S& number : rate) number = slope;
    for (int r = 0; r < terms; ++r) {
      // d beta_i / d ln l_k of a term: mu alpha (b_i delta_ik - (b_i + b_k) / 3 + sum of b / 9), b = lbar^alpha
      const S* b = force.power[r];
      const S modulus = p[2 * r] * p[2 * r + 1], third = S(1.0 / 3) * modulus;
      const S mean = S(1.0 / 3) * (b[0] + b[1] + b[2]);
      for (int e = 0; e < 6; ++e) {
        const int i = symmetric_row[e], k = symmetric_column[e];
        rate[e] += third * (mean - b[i] - b[k]);
        if (i == k) rate[e] += modulus * b[i];
      }
    }
    for (int e = 0, pair = 0; e < 6; ++e) {
      const int i = symmetric_row[e], k = symmetric_column[e];
      if (i == k) rate[e] = rate[e] - force.beta[i];
      T[18 + e] = rate[e] * (inverse[i] * inverse[k]);
      if (i == k) continue;
      S quotient(0.0);
      for (int r = 0; r < terms; ++r)
        quotient += p[2 * r] *
                    power_difference(p[2 * r + 1], force.power[r][i], force.power[r][k], x.ln[i] - x.ln[k], ln.f(i, k));
      const S theta = (quotient - second[k]) * ln.f(i, i);
      T[24 + pair] = second[k] + (S(1.0) + x.square[i]) * theta;
      T[27 + pair] = l[i] * l[k] * theta;
      ++pair;
    }
    return j;
  }
  template <class S>
  GEARSHIFT_INLINE static void dstress(const S*, const S* T, const Tensor<S>& dH, Tensor<S>& dP) {
    Tensor<S> n, N;
    for (int i = 0; i < 9; ++i) {
      n.e[i] = T[i];
      N.e[i] = T[9 + i];
    }
    const Tensor<S> X = transposed_product(n, product(dH, N));
    dP = product(n, in_principal_axes(T + 18, X));
    // times N'
    const Tensor<S> half = dP;
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) dP(i, k) = half(i, 0) * N(k, 0) + half(i, 1) * N(k, 1) + half(i, 2) * N(k, 2);
  }
  /// Returns Y for X, from the last 12 of the prepared numbers.
  template <class S>
  GEARSHIFT_INLINE static Tensor<S> in_principal_axes(const S* t, const Tensor<S>& X) {
    const S *own = t + 6, *other = t + 9;
    return {t[0] * X(0, 0) + t[1] * X(1, 1) + t[2] * X(2, 2),
            own[0] * X(0, 1) + other[0] * X(1, 0),
            own[1] * X(0, 2) + other[1] * X(2, 0),
            own[0] * X(1, 0) + other[0] * X(0, 1),
            t[1] * X(0, 0) + t[3] * X(1, 1) + t[4] * X(2, 2),
            own[2] * X(1, 2) + other[2] * X(2, 1),
            own[1] * X(2, 0) + other[1] * X(0, 2),
            own[2] * X(2, 1) + other[2] * X(1, 2),
            t[2] * X(0, 0) + t[4] * X(1, 1) + t[5] * X(2, 2)};
  }

 private:
  template <class S>
  struct Stretches {
    Tensor<S> N;  ///< eigenvectors of C
    S square[3];  ///< eigenvalues of C - 1
    S ln[3];      ///< ln l_i^2
    S ln_bar[3];  ///< ln lbar_i
    GEARSHIFT_INLINE explicit Stretches(const Tensor<S>& H) {
      symmetric_eigen(twice_strain(H), square, N);
      for (int i = 0; i < 3; ++i) ln[i] = log_one_plus(square[i]);
      const S mean = S(1.0 / 3) * (ln[0] + ln[1] + ln[2]);
      for (int i = 0; i < 3; ++i) ln_bar[i] = S(0.5) * (ln[i] - mean);
    }
  };

  template <class S>
  struct Forces {
    S power[terms][3];  ///< lbar_i^alpha_r
    S beta[3];          ///< dW / d ln l_i
    GEARSHIFT_INLINE Forces(const S* p, const Stretches<S>& x, const S& j) {
      for (S& entry : beta) entry = Volume::stress(p + volume, j);
      for (int r = 0; r < terms; ++r) {
        S beyond[3];
        for (int i = 0; i < 3; ++i) {
          beyond[i] = exp_minus_one(p[2 * r + 1] * x.ln_bar[i]);
          power[r][i] = S(1.0) + beyond[i];
        }
        const S mean = S(1.0 / 3) * (beyond[0] + beyond[1] + beyond[2]);
        for (int i = 0; i < 3; ++i) beta[i] += p[2 * r] * (beyond[i] - mean);
      }
    }
  };

  /// Returns (b_i - b_k) / (c_i - c_k) for b proportional to c^(alpha/2), with the difference `ln` of ln c and its quotient
  /// f = ln / (c_i - c_k): with y = alpha ln / 4 it is sqrt(b_i b_k) f alpha/2 sinh(y) / y, whose series serves |y| < 0.25.
  template <class S>
  GEARSHIFT_INLINE static S power_difference(const S& alpha, const S& b_i, const S& b_k, const S& ln, const S& f) {
    const S y = S(0.25) * alpha * ln, square = y * y, far = square - S(0.0625);
    S series(1.0);
    for (int n = 6; n > 0; --n) series = S(1.0) + S(1.0 / (2 * n * (2 * n + 1))) * square * series;
    const S near = S(0.5) * alpha * square_root(b_i * b_k) * series;
    if (!any_positive(far)) return f * near;
    return f * where_positive(far, (b_i - b_k) / where_positive(far, ln, S(1.0)), near);
  }
  /// Returns exp(y) - 1 - y. Its sum over values of y with the sum 0 equals the sum of exp(y) - 1, without the
  /// cancellation.
  template <class S>
  GEARSHIFT_INLINE static S exp_remainder(const S& y) {
    S series(1.0);
    for (int n = 14; n > 2; --n) series = S(1.0) + S(1.0 / n) * y * series;
    return where_positive(S(0.3) - absolute(y), S(0.5) * y * y * series, exp_minus_one(y) - y);
  }
};

}  // namespace GEARSHIFT_KERNELS

#ifdef GEARSHIFT_DESCRIBES_LAWS
inline void describe(LawDescription& law, OgdenLaw) {
  law.energy =
      "sum over up to three terms of mu_r / alpha_r (lbar1^alpha_r + lbar2^alpha_r + lbar3^alpha_r - 3) + U(J)";
  law.parameters = {{"mu1", "modulus of the first term", stress, &Material::mu1},
                    {"alpha1", "exponent of the first term; the shear modulus is half the sum of mu alpha", number,
                     &Material::alpha1},
                    {"mu2", "modulus of the second term, 0: none", stress, &Material::mu2},
                    {"alpha2", "exponent of the second term", number, &Material::alpha2},
                    {"mu3", "modulus of the third term, 0: none", stress, &Material::mu3},
                    {"alpha3", "exponent of the third term", number, &Material::alpha3},
                    bulk_modulus};
  using Term = std::pair<PetscReal Material::*, PetscReal Material::*>;
  static constexpr std::array terms{Term{&Material::mu1, &Material::alpha1}, Term{&Material::mu2, &Material::alpha2},
                                    Term{&Material::mu3, &Material::alpha3}};
  law.numbers = [](const Material& m, std::span<const double>) {
    std::vector<double> p;
    for (const auto& [mu, alpha] : terms) p.insert(p.end(), {m.*mu, m.*mu != 0 ? m.*alpha : 1});
    return p;
  };
  law.shear = [](const Material& m) { return (m.mu1 * m.alpha1 + m.mu2 * m.alpha2 + m.mu3 * m.alpha3) / 2; };
  law.inherit = [](Material& m) {  // a modulus of this name without an exponent belongs to another law
    for (const auto& [mu, alpha] : terms)
      if (m.*alpha == 0) m.*mu = 0;
  };
  law.example = [](Material& m) { m.alpha1 = 2, m.alpha2 = 1.5, m.mu3 = -0.02, m.alpha3 = -2; };
  law.check = [](const MaterialCheck& check) {
    const Material& m = check.material;
    for (std::size_t r = 0; r < terms.size(); ++r) {
      const std::string mu = "mu" + std::to_string(r + 1), alpha = "alpha" + std::to_string(r + 1);
      const PetscReal modulus = m.*terms[r].first, power = m.*terms[r].second;
      if (modulus == 0 && power != 0) check.refuse(mu, modulus, "give the modulus that goes with " + alpha);
      if (modulus != 0 && power == 0) check.refuse(alpha, power, "give the exponent that goes with " + mu);
      if (!std::isfinite(modulus * power) || modulus * power < 0)
        check.refuse(mu, modulus, "give a modulus of the same sign as " + alpha);
    }
    if (!(lame(m).mu > 0)) check.refuse("mu1", m.mu1, "give one to three pairs mu1, alpha1, mu2, alpha2 ..");
  };
}
#endif

}  // namespace gearshift::solid
