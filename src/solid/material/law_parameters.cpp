/// The numbers that the laws' functions take, and moduli at small strains.

#include "solid/material/law_count.hpp"
#include "solid/material/registered_laws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace gearshift::solid {
namespace {

/// Of laws in two parts: p ends with three bulk moduli, of which the chosen function U has its own.
void append_volume(const Material& m, double bulk, std::vector<double>& p) {
  for (const Volumetric form : {Volumetric::log2, Volumetric::simo, Volumetric::quadratic})
    p.push_back(m.volumetric == form ? bulk : 0);
}

/// Where in p these begin; 0: the law has none.
std::size_t volume_at(const Material& m) { return has_volumetric(m.law) ? law_parameters(m).size() - 3 : 0; }

double shear_modulus(const Material& m) {
  switch (m.law) {
    case Law::yeoh:
      return 2 * m.c1;
    case Law::ogden:
      return (m.mu1 * m.alpha1 + m.mu2 * m.alpha2 + m.mu3 * m.alpha3) / 2;
    case Law::holzapfel:
      return m.mu1;
    default:
      return m.mu1 + m.mu2;
  }
}

}  // namespace

bool has_volumetric(Law law) {
  return law == Law::isochoric_neo_hookean || law == Law::isochoric_mooney_rivlin || law == Law::yeoh ||
         law == Law::ogden || law == Law::holzapfel;
}

Lame lame(const Material& m) {
  if (is_registered(m.law)) return registered_lame(m.law, m.parameters);
  if (m.law == Law::mooney_rivlin || (has_volumetric(m.law) && m.law != Law::isochoric_neo_hookean)) {
    const double mu = shear_modulus(m);
    return {m.bulk - 2 * mu / 3, mu};
  }
  return {m.E * m.nu / ((1 + m.nu) * (1 - 2 * m.nu)), m.E / (2 * (1 + m.nu))};
}

PetscReal poisson_ratio(const Material& m) {
  const Lame own = lame(m);
  return own.lambda / (2 * (own.lambda + own.mu));
}

PetscReal softening_volume(const Material& m) {
  const bool logarithmic = m.law == Law::j2 || (has_volumetric(m.law) && m.volumetric == Volumetric::log2);
  return logarithmic ? std::numbers::e : std::numeric_limits<PetscReal>::infinity();
}

Lame relaxed_lame(const Material& m) {
  Lame result = lame(m);
  const double lost = result.mu * std::accumulate(m.prony_g.begin(), m.prony_g.end(), 0.0);
  return {result.lambda + 2 * lost / 3, result.mu - lost};
}

std::vector<double> law_parameters(const Material& m, const Vec3& X) {
  if (is_registered(m.law)) {
    const auto count = static_cast<std::ptrdiff_t>(parameter_names(m.law).size());
    return {m.parameters.begin(), m.parameters.begin() + count};
  }
  const Lame moduli = lame(m);
  if (m.law == Law::mooney_rivlin) return {m.mu1, moduli.lambda - 2 * m.mu2, m.mu2};
  if (is_plastic(m))
    return {moduli.mu,  moduli.lambda, m.yield, m.hardening, m.voce_saturation > 0 ? m.voce_saturation - m.yield : 0,
            m.voce_rate};
  if (!has_volumetric(m.law)) return {moduli.mu, moduli.lambda, 0};
  std::vector<double> p;
  switch (m.law) {
    case Law::isochoric_mooney_rivlin:
      p = {m.mu1, m.mu2};
      break;
    case Law::yeoh:
      p = {m.c1, m.c2, m.c3};
      break;
    case Law::ogden:
      for (const auto& [mu, alpha] : {std::pair{m.mu1, m.alpha1}, {m.mu2, m.alpha2}, {m.mu3, m.alpha3}})
        p.insert(p.end(), {mu, mu != 0 ? alpha : 1});
      break;
    case Law::holzapfel:
      p = {m.mu1, m.k2, m.dispersion};
      for (const Direction& fibre : {m.fibre_1, m.fibre_2}) {
        const Vec3 a = fibre.given() ? fibre(X) : Vec3{};
        p.insert(p.end(), {fibre.given() ? m.k1 : 0, a[0], a[1], a[2]});
      }
      break;
    default:
      p = {moduli.mu};
  }
  append_volume(m, moduli.lambda + 2 * moduli.mu / 3, p);
  return p;
}

std::vector<double> law_parameters_with_soft_bulk(const Material& m, double most, double rate, const Vec3& X) {
  std::vector<double> p = law_parameters(m, X);
  // Branches take kappa P_iso: lambda + 2/3 kappa mu and (1 - kappa) mu are left.
  double kappa = 0;
  for (std::size_t i = 0; i < m.prony_g.size(); ++i) kappa += m.prony_g[i] / (1 + rate * m.prony_tau[i]);
  const double ratio = most * (1 - kappa) - 2 * kappa / 3;
  if (const std::size_t volume = volume_at(m); volume > 0) {
    const Lame moduli = lame(m);
    const double bulk = moduli.lambda + 2 * moduli.mu / 3, wanted = (ratio + 2.0 / 3) * moduli.mu;
    for (std::size_t i = volume; i < p.size() && bulk > wanted; ++i) p[i] *= wanted / bulk;
    return p;
  }
  if (!is_registered(m.law)) {
    p[1] = std::min(p[1], ratio * lame(m).mu);
    return p;
  }
  // What the parameters of a registered law mean is only seen from what they do.
  const Lame moduli = registered_lame(m.law, p);
  const double wanted = ratio * moduli.mu;
  if (moduli.lambda <= wanted) return p;
  for (double& parameter : p) {
    const double own = parameter;
    parameter = 0.5 * own;
    const double change = moduli.lambda - registered_lame(m.law, p).lambda;
    if (change != 0) {
      parameter = own * (1 - 0.5 * (moduli.lambda - wanted) / change);
      const Lame soft = registered_lame(m.law, p);
      if (std::abs(soft.mu - moduli.mu) <= 1e-6 * moduli.mu && std::abs(soft.lambda - wanted) <= 1e-6 * moduli.lambda)
        return p;
    }
    parameter = own;
  }
  return p;
}

bool bulk_stands_apart(const Material& m) {
  if (has_volumetric(m.law)) return m.volumetric == Volumetric::log2;
  return !is_registered(m.law) && m.law != Law::st_venant_kirchhoff;
}

double bulk_stiffness(const Material& m) {
  if (!has_volumetric(m.law)) return law_parameters(m)[1];
  const Lame moduli = lame(m);
  return moduli.lambda + 2 * moduli.mu / 3;
}

Material with_bulk_stiffness(const Material& m, double stiffness) {
  Material result = m;
  const double mu = lame(m).mu;
  if (m.law == Law::mooney_rivlin) {
    result.bulk = stiffness + 2 * m.mu2 + 2 * mu / 3;
  } else if (has_volumetric(m.law)) {
    if (m.law == Law::isochoric_neo_hookean) {  // E and nu cannot say that there is no bulk
      result.law = Law::isochoric_mooney_rivlin;
      result.mu1 = mu;
      result.mu2 = 0;
    }
    result.bulk = stiffness;
  } else {
    result.nu = stiffness / (2 * (stiffness + mu));
    result.E = 2 * mu * (1 + result.nu);
  }
  return result;
}

}  // namespace gearshift::solid
