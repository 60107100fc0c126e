/// The numbers p that the laws' functions use, and moduli at small strains.

#include "solid/material/law_description.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace gearshift::solid {
namespace {

/// Appends three bulk moduli to p for laws with an isochoric-volumetric split; only that of the chosen function U is
/// not 0.
void append_volume(const Material& m, double bulk, std::vector<double>& p) {
  for (const Volumetric form : {Volumetric::log2, Volumetric::simo, Volumetric::quadratic})
    p.push_back(m.volumetric == form ? bulk : 0);
}

/// Returns the position in p at which these begin; 0: the law has none.
std::size_t volume_at(const Material& m) { return has_volumetric(m.law) ? law_parameters(m).size() - 3 : 0; }

}  // namespace

Lame lame(const Material& m) {
  if (is_registered(m.law)) return registered_lame(m.law, m.parameters);
  if (const auto shear = description_of(m.law).shear) {
    const double mu = shear(m);
    return {m.bulk - 2 * mu / 3, mu};
  }
  return {m.E * m.nu / ((1 + m.nu) * (1 - 2 * m.nu)), m.E / (2 * (1 + m.nu))};
}

PetscReal poisson_ratio(const Material& m) {
  const Lame own = lame(m);
  return own.lambda / (2 * (own.lambda + own.mu));
}

PetscReal softening_volume(const Material& m) {
  const bool logarithmic = has_volumetric(m.law) ? m.volumetric == Volumetric::log2
                                                 : !is_registered(m.law) && description_of(m.law).logarithmic_volume;
  return logarithmic ? std::numbers::e : std::numeric_limits<PetscReal>::infinity();
}

Lame relaxed_lame(const Material& m) {
  Lame result = lame(m);
  const double lost = result.mu * std::accumulate(m.prony_g.begin(), m.prony_g.end(), 0.0);
  return {result.lambda + 2 * lost / 3, result.mu - lost};
}

void describe_by_E_and_nu(LawDescription& law) {
  law.parameters = {Youngs_modulus, Poissons_ratio};
  law.numbers = [](const Material& m, std::span<const double>) {
    const auto [lambda, mu] = lame(m);
    return std::vector{mu, lambda, 0.0};
  };
  law.check = check_engineering_moduli;
}

std::vector<double> field_values(const Material& m, const Vec3& X) {
  std::vector<double> values;
  if (is_registered(m.law)) return values;
  for (const LawField& field : description_of(m.law).fields) {
    const PointField& own = field.get(m);
    const std::size_t before = values.size();
    values.resize(before + (field.kind == PointField::Kind::number ? 1 : 3));
    if (own.given() && own.kind() == field.kind) own.evaluate(X, values.data() + before);
  }
  return values;
}

std::vector<double> law_parameters(const Material& m, const Vec3& X) {
  if (is_registered(m.law)) {
    const auto count = static_cast<std::ptrdiff_t>(parameter_names(m.law).size());
    return {m.parameters.begin(), m.parameters.begin() + count};
  }
  std::vector<double> p = description_of(m.law).numbers(m, field_values(m, X));
  if (has_volumetric(m.law)) {
    const Lame moduli = lame(m);
    append_volume(m, moduli.lambda + 2 * moduli.mu / 3, p);
  }
  return p;
}

std::vector<double> law_parameters_with_soft_bulk(const Material& m, double most, double rate, const Vec3& X) {
  std::vector<double> p = law_parameters(m, X);
  // Branches subtract kappa P_iso: lambda + 2/3 kappa mu and (1 - kappa) mu remain.
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
  // The meaning of a registered law's parameters is known only from their effect.
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
  return !is_registered(m.law) && description_of(m.law).bulk_stands_apart;
}

double bulk_stiffness(const Material& m) {
  if (!has_volumetric(m.law)) return law_parameters(m)[1];
  const Lame moduli = lame(m);
  return moduli.lambda + 2 * moduli.mu / 3;
}

Material with_bulk_stiffness(const Material& m, double stiffness) {
  const LawDescription& law = description_of(m.law);
  if (law.with_bulk) return law.with_bulk(m, stiffness);
  Material result = m;
  if (law.shear) {
    result.bulk = stiffness;
  } else {
    const double mu = lame(m).mu;
    result.nu = stiffness / (2 * (stiffness + mu));
    result.E = 2 * mu * (1 + result.nu);
  }
  return result;
}

}  // namespace gearshift::solid
