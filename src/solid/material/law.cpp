#include <gearshift/solid/law.hpp>

#include "solid/material/law_count.hpp"
#include "solid/material/law_description.hpp"
#include "solid/material/law_functions.hpp"

#include <algorithm>
#include <cstring>
#include <deque>

namespace gearshift::solid {
namespace {

/// The versions of one law; a deque keeps their addresses valid.
std::deque<std::vector<const CompiledLaw*>>& registered() {
  static std::deque<std::vector<const CompiledLaw*>> laws;
  return laws;
}

const std::vector<const CompiledLaw*>& versions_of(Law law) {
  return registered().at(static_cast<std::size_t>(static_cast<int>(law) - own_law_count));
}

const std::vector<LawDescription>& own_laws() {
#define GEARSHIFT_DESCRIPTION(law, functions) describe_##law(),
  static const std::vector<LawDescription> all = [] {
    std::vector<LawDescription> laws{GEARSHIFT_LAWS(GEARSHIFT_DESCRIPTION)};
    for (LawDescription& law : laws)
      for (const LawParameter& own : law.parameters)
        if (!own.member) law.further.push_back(own.name);
    return laws;
  }();
#undef GEARSHIFT_DESCRIPTION
  return all;
}

void check_law(std::span<const CompiledLaw* const> versions) {
  const auto refuse = [&](const std::string& why) {
    throw OptionError("law '" + std::string(versions.empty() ? "?" : versions.front()->name) + "' " + why);
  };
  if (versions.empty()) refuse("has no version for any instruction set");
  for (const CompiledLaw* version : versions)
    if (version->made_for != CompiledLaw::interface)
      refuse("was compiled with headers of another version of gearshift; compile it again");
  const CompiledLaw& first = *versions.front();
  if (first.parameters < 1 || first.parameters > CompiledLaw::max_parameters)
    refuse("has " + std::to_string(first.parameters) + " parameters; 1 to " +
           std::to_string(CompiledLaw::max_parameters) + " are allowed");
  std::vector<const char*> taken{"rho", "prony_g", "prony_tau", "volumetric"};
  for (const LawParameter& parameter : known_parameters())
    if (parameter.alone) taken.push_back(parameter.name);
  for (const LawField& field : known_fields()) taken.push_back(field.name);
  for (int i = 0; i < first.parameters; ++i)
    for (const char* name : taken)
      if (std::strcmp(first.parameter_names[i], name) == 0)
        refuse("has a parameter '" + std::string(name) + "'; every material already has one of that name");
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
  std::vector<const char*> names;
  for (const LawDescription& law : own_laws()) names.push_back(law.name);
  for (const auto& versions : registered()) names.push_back(versions.front()->name);
  return names;
}

const LawDescription& description_of(Law law) { return own_laws().at(static_cast<std::size_t>(law)); }

namespace {

/// Returns a list of all laws' descriptions, each name once, in the order of the laws.
template <class Item>
std::vector<Item> each_name_once(std::vector<Item> LawDescription::*list) {
  std::vector<Item> found;
  for (const LawDescription& law : own_laws())
    for (const Item& own : law.*list)
      if (std::none_of(found.begin(), found.end(),
                       [&](const Item& known) { return std::strcmp(known.name, own.name) == 0; }))
        found.push_back(own);
  return found;
}

}  // namespace

const std::vector<LawParameter>& known_parameters() {
  static const std::vector<LawParameter> all = each_name_once(&LawDescription::parameters);
  return all;
}

const std::vector<LawField>& known_fields() {
  static const std::vector<LawField> all = each_name_once(&LawDescription::fields);
  return all;
}

const LawParameter* parameter_of(const LawDescription& law, std::string_view name) {
  const auto found = std::find_if(law.parameters.begin(), law.parameters.end(),
                                  [&](const LawParameter& own) { return name == own.name; });
  return found == law.parameters.end() ? nullptr : &*found;
}

bool has_parameter(Law law, std::string_view name) {
  if (!is_registered(law)) {
    const auto& fields = description_of(law).fields;
    return parameter_of(description_of(law), name) != nullptr ||
           std::any_of(fields.begin(), fields.end(), [&](const LawField& field) { return name == field.name; });
  }
  const auto names = parameter_names(law);
  return std::any_of(names.begin(), names.end(), [&](const char* own) { return name == own; });
}

std::string laws_in_two_parts() {
  std::string list;
  for (const LawDescription& law : own_laws())
    if (law.in_two_parts) list += (list.empty() ? "" : ", ") + std::string(law.name);
  return list;
}

namespace {

/// Returns "law, law: text; law: another text"; text_of(law) is empty for laws that it does not concern.
template <class TextOf>
std::string by_laws(TextOf&& text_of) {
  std::vector<std::pair<std::string, std::string>> meanings;  // with the laws that share each
  for (const LawDescription& law : own_laws()) {
    const std::string meaning = text_of(law);
    if (meaning.empty()) continue;
    const auto known =
        std::find_if(meanings.begin(), meanings.end(), [&](const auto& m) { return m.first == meaning; });
    if (known == meanings.end())
      meanings.emplace_back(meaning, law.name);
    else
      known->second += std::string(", ") + law.name;
  }
  std::string text;
  for (const auto& [meaning, laws] : meanings) text += (text.empty() ? "" : "; ") + laws + ": " + meaning;
  return text;
}

}  // namespace

std::string help_on_parameter(const char* name) {
  return by_laws([name](const LawDescription& law) {
    const LawParameter* own = parameter_of(law, name);
    return own ? std::string(own->text) + " [" + own->unit + "]" : std::string();
  });
}

std::string help_on_field(const char* name) {
  return by_laws([name](const LawDescription& law) {
           const auto own = std::find_if(law.fields.begin(), law.fields.end(),
                                         [&](const LawField& field) { return std::strcmp(field.name, name) == 0; });
           return own == law.fields.end() ? std::string() : std::string(own->text);
         }) +
         "; formulas in x, y, z, evaluated at the centre of each cell, or file.csv with rows x,y,z and values, of "
         "which the nearest is used";
}

std::span<const char* const> parameter_names(Law law) {
  if (!is_registered(law)) return description_of(law).further;
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

bool is_plastic(const Material& m) { return !is_registered(m.law) && description_of(m.law).flows; }

bool has_small_strains(Law law) { return !is_registered(law) && description_of(law).small_strains; }

bool has_fields(Law law) { return !is_registered(law) && !description_of(law).fields.empty(); }

bool has_volumetric(Law law) { return !is_registered(law) && description_of(law).in_two_parts; }

std::size_t point_size(Law law, bool internal) {
  if (internal) return is_registered(law) ? modulus_size : spatial_size;
  return static_cast<std::size_t>(is_registered(law) ? versions_of(law).front()->point_size
                                                     : description_of(law).point_size);
}

bool keeps_modulus(Law law, bool internal) { return point_size(law, internal) > tangent_size; }

// For a registered law, dual numbers compute it: Completed has no twice_differentiable.
bool has_second_derivative(Law law) { return is_registered(law) || description_of(law).twice_differentiable; }

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
