#include <gearshift/solid/law.hpp>

#include "solid/material/fibres.hpp"
#include "solid/material/law_count.hpp"
#include "solid/material/ogden.hpp"
#include "solid/material/registered_laws.hpp"
#include "solid/material/rubber_parts.hpp"

#include <algorithm>
#include <cstring>
#include <deque>

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

constexpr std::array<const char*, own_law_count> own_names{
    "linear_elastic",        "st_venant_kirchhoff",     "neo_hookean", "mooney_rivlin", "j2",
    "isochoric_neo_hookean", "isochoric_mooney_rivlin", "yeoh",        "ogden",         "holzapfel"};

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
    for (const char* taken :
         {"rho", "prony_g", "prony_tau", "yield", "hardening", "voce_saturation", "voce_rate", "volumetric"})
      if (std::strcmp(first.parameter_names[i], taken) == 0)
        refuse("has a parameter '" + std::string(taken) + "'; every material has one by that name already");
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

Lame registered_lame(Law law, const std::vector<double>& parameters) {
  std::array<double, 2> result{};
  versions_of(law).front()->lame(parameters.data(), result.data());
  return {result[0], result[1]};
}

bool is_registered(Law law) { return static_cast<int>(law) >= own_law_count; }

std::size_t internal_tensors(const Material& m) { return is_plastic(m) ? 1 : m.prony_g.size(); }

bool is_plastic(const Material& m) { return m.law == Law::j2; }

std::size_t point_size(Law law, bool internal) {
  if (internal) return modulus_size;
  if (is_registered(law)) return static_cast<std::size_t>(versions_of(law).front()->point_size);
  switch (law) {
    case Law::linear_elastic:
      return 0;
    case Law::isochoric_neo_hookean:
      return prepared_size<IsochoricNeoHookeanLaw>;
    case Law::isochoric_mooney_rivlin:
      return prepared_size<IsochoricMooneyRivlinLaw>;
    case Law::yeoh:
      return prepared_size<YeohLaw>;
    case Law::ogden:
      return prepared_size<OgdenLaw>;
    case Law::holzapfel:
      return prepared_size<HolzapfelLaw>;
    default:
      return tangent_size;
  }
}

bool keeps_modulus(Law law, bool internal) { return point_size(law, internal) > tangent_size; }

bool has_second_derivative(Law law) { return law != Law::j2 && law != Law::ogden; }

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
