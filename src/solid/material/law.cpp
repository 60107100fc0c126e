#include <gearshift/solid/law.hpp>

#include "solid/material/law_count.hpp"
#include "solid/material/registered_laws.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <numeric>

namespace gearshift::solid {
namespace {

/// The versions of one law; a deque keeps their addresses.
std::deque<std::vector<const CompiledLaw*>>& registered() {
  static std::deque<std::vector<const CompiledLaw*>> laws;
  return laws;
}

const std::vector<const CompiledLaw*>& versions_of(Law law) {
  return registered().at(static_cast<std::size_t>(static_cast<int>(law) - own_law_count));
}

constexpr std::array<const char*, own_law_count> own_names{"linear_elastic", "st_venant_kirchhoff", "neo_hookean",
                                                           "mooney_rivlin", "j2"};

void check_law(std::span<const CompiledLaw* const> versions) {
  const auto refuse = [&](const std::string& why) {
    throw OptionError("law '" + std::string(versions.empty() ? "?" : versions.front()->name) + "' " + why);
  };
  if (versions.empty()) refuse("has no version for any instruction set");
  for (const CompiledLaw* version : versions)
    if (version->made_for != CompiledLaw::interface)
      refuse("was compiled with headers of another version of gearshift; compile it again");
  const CompiledLaw& first = *versions.front();
  if (first.parameters < 1 || first.parameters > CompiledLaw::most_parameters)
    refuse("has " + std::to_string(first.parameters) + " parameters; 1 to " +
           std::to_string(CompiledLaw::most_parameters) + " can be");
  for (int i = 0; i < first.parameters; ++i)
    for (const char* taken : {"rho", "prony_g", "prony_tau", "yield", "hardening", "voce_saturation", "voce_rate"})
      if (std::strcmp(first.parameter_names[i], taken) == 0)
        refuse("has a parameter '" + std::string(taken) + "'; every material has one by that name already");
}

Lame lame(Law law, const std::vector<double>& parameters) {
  std::array<double, 2> result{};
  versions_of(law).front()->lame(parameters.data(), result.data());
  return {result[0], result[1]};
}

}  // namespace

Law register_law(std::span<const CompiledLaw* const> versions) {
  check_law(versions);
  const char* name = versions.front()->name;
  const std::vector<const char*> names = law_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::strcmp(names[i], name) != 0) continue;
    const auto law = static_cast<Law>(i);
    if (is_registered(law) && versions_of(law).front() == versions.front()) return law;
    throw OptionError("law '" + std::string(name) + "' is known already; give yours another name");
  }
  registered().emplace_back(versions.begin(), versions.end());
  return static_cast<Law>(names.size());
}

std::vector<const char*> law_names() {
  std::vector<const char*> names(own_names.begin(), own_names.end());
  for (const auto& versions : registered()) names.push_back(versions.front()->name);
  return names;
}

std::span<const char* const> parameter_names(Law law) {
  if (!is_registered(law)) return {};
  const CompiledLaw& first = *versions_of(law).front();
  return {first.parameter_names, static_cast<std::size_t>(first.parameters)};
}

bool is_registered(Law law) { return static_cast<int>(law) >= own_law_count; }

std::size_t internal_tensors(const Material& m) { return is_plastic(m) ? 1 : m.prony_g.size(); }

bool is_plastic(const Material& m) { return m.law == Law::j2; }

std::size_t point_size(Law law, bool internal) {
  if (internal) return modulus_size;
  if (is_registered(law)) return static_cast<std::size_t>(versions_of(law).front()->point_size);
  return law == Law::linear_elastic ? 0 : 10;
}

Lame lame(const Material& m) {
  if (is_registered(m.law)) return lame(m.law, m.parameters);
  if (m.law == Law::mooney_rivlin) return {m.bulk - 2 * (m.mu1 + m.mu2) / 3, m.mu1 + m.mu2};
  return {m.E * m.nu / ((1 + m.nu) * (1 - 2 * m.nu)), m.E / (2 * (1 + m.nu))};
}

Lame relaxed_lame(const Material& m) {
  Lame result = lame(m);
  const double lost = result.mu * std::accumulate(m.prony_g.begin(), m.prony_g.end(), 0.0);
  return {result.lambda + 2 * lost / 3, result.mu - lost};
}

std::vector<double> law_parameters(const Material& m) {
  if (is_registered(m.law)) {
    const auto count = static_cast<std::ptrdiff_t>(parameter_names(m.law).size());
    return {m.parameters.begin(), m.parameters.begin() + count};
  }
  const Lame moduli = lame(m);
  if (m.law == Law::mooney_rivlin) return {m.mu1, moduli.lambda - 2 * m.mu2, m.mu2};
  if (is_plastic(m))
    return {moduli.mu,  moduli.lambda, m.yield, m.hardening, m.voce_saturation > 0 ? m.voce_saturation - m.yield : 0,
            m.voce_rate};
  return {moduli.mu, moduli.lambda, 0};
}

std::vector<double> law_parameters_with_soft_bulk(const Material& m, double most, double rate) {
  std::vector<double> p = law_parameters(m);
  // Branches take kappa P_iso: lambda + 2/3 kappa mu and (1 - kappa) mu are left.
  double kappa = 0;
  for (std::size_t i = 0; i < m.prony_g.size(); ++i) kappa += m.prony_g[i] / (1 + rate * m.prony_tau[i]);
  const double ratio = most * (1 - kappa) - 2 * kappa / 3;
  if (!is_registered(m.law)) {
    p[1] = std::min(p[1], ratio * lame(m).mu);
    return p;
  }
  // What the parameters of a registered law mean is only seen from what they do.
  const Lame moduli = lame(m.law, p);
  const double wanted = ratio * moduli.mu;
  if (moduli.lambda <= wanted) return p;
  for (double& parameter : p) {
    const double own = parameter;
    parameter = 0.5 * own;
    const double change = moduli.lambda - lame(m.law, p).lambda;
    if (change != 0) {
      parameter = own * (1 - 0.5 * (moduli.lambda - wanted) / change);
      const Lame soft = lame(m.law, p);
      if (std::abs(soft.mu - moduli.mu) <= 1e-6 * moduli.mu && std::abs(soft.lambda - wanted) <= 1e-6 * moduli.lambda)
        return p;
    }
    parameter = own;
  }
  return p;
}

std::vector<const void*> registered_work(const char* simd) {
  std::vector<const void*> result;
  for (const auto& versions : registered()) {
    const auto found = std::find_if(versions.begin(), versions.end(),
                                    [&](const CompiledLaw* version) { return std::strcmp(version->simd, simd) == 0; });
    result.push_back(found == versions.end() ? nullptr : (*found)->work);
  }
  return result;
}

void require_version(Law law, const char* simd) {
  if (!is_registered(law) || registered_work(simd)[static_cast<std::size_t>(static_cast<int>(law) - own_law_count)])
    return;
  std::string known;
  for (const CompiledLaw* version : versions_of(law)) known += std::string(known.empty() ? "" : ", ") + version->simd;
  throw OptionError("material " + std::string(name_of(law)) + " was not compiled for " + simd +
                    "; give -solid_simd one of " + known);
}

}  // namespace gearshift::solid
