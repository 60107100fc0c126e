#include "solid/material/law_count.hpp"
#include "solid/material/law_description.hpp"

#include <sstream>
#include <string>
#include <utility>

namespace gearshift::solid {

const char* name_of(Law law) { return law_names().at(static_cast<std::size_t>(law)); }

Law law_of(std::string_view name) {
  std::string known;
  const auto names = law_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (name == names[i]) return static_cast<Law>(i);
    known += std::string(i > 0 ? ", " : "") + names[i];
  }
  throw OptionError("unknown material '" + std::string(name) + "'; known: " + known);
}

namespace {

std::string list_of_parameters(Law law) {
  std::string list;
  for (const char* name : parameter_names(law)) list += std::string(list.empty() ? "" : ", ") + name;
  return list;
}

/// Checks the parameters in Material::parameters.
void check_parameters(const MaterialCheck& check) {
  const Material& m = check.material;
  const auto names = parameter_names(m.law);
  if (m.parameters.size() != names.size())
    throw OptionError("material " + std::string(name_of(m.law)) + " has " + std::to_string(names.size()) +
                      " parameters (" + list_of_parameters(m.law) + "); " + std::to_string(m.parameters.size()) +
                      " are given");
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!std::isfinite(m.parameters[i])) check.refuse(names[i], m.parameters[i], "give a number");
}

/// Checks a registered law by its behaviour at small strains, since nothing else is known about it.
void check_small_strains(const MaterialCheck& check) {
  const Lame moduli = lame(check.material);
  const std::string rule = "the law must resist small strains; check " + list_of_parameters(check.material.law);
  if (!finite_positive(moduli.mu)) check.refuse("the shear modulus at small strains", moduli.mu, rule);
  if (!finite_positive(moduli.lambda + 2 * moduli.mu / 3))
    check.refuse("the bulk modulus at small strains", moduli.lambda + 2 * moduli.mu / 3, rule);
}

void check_branches(const MaterialCheck& check) {
  const Material& m = check.material;
  if (m.prony_g.size() != m.prony_tau.size())
    check.refuse("the number of relaxation times prony_tau", static_cast<PetscReal>(m.prony_tau.size()),
                 "give one for each of the " + std::to_string(m.prony_g.size()) + " numbers of prony_g");
  PetscReal sum = 0;
  for (const PetscReal g : m.prony_g) {
    if (!finite_positive(g)) check.refuse("prony_g", g, "give fractions of the shear modulus > 0");
    sum += g;
  }
  if (!(sum < 1)) check.refuse("the sum of prony_g", sum, "give fractions of the shear modulus whose sum is below 1");
  for (const PetscReal tau : m.prony_tau)
    if (!finite_positive(tau)) check.refuse("prony_tau", tau, "give relaxation times > 0");
}

void check_damping(const MaterialCheck& check) {
  const Material& m = check.material;
  for (const auto& [name, value] :
       {std::pair{"rayleigh_mass", m.rayleigh_mass}, {"rayleigh_stiffness", m.rayleigh_stiffness}})
    if (!std::isfinite(value) || value < 0) check.refuse(name, value, "give a number of 0 or more");
  if (m.rayleigh_stiffness > 0 && (is_plastic(m) || is_registered(m.law)))
    check.refuse("rayleigh_stiffness", m.rayleigh_stiffness,
                 "the stiffness of this law cannot be used for damping by regions; give -gear_rayleigh_stiffness for "
                 "the whole body, or rayleigh_mass");
}

/// Refuses parameters that only other laws use.
void check_foreign(const MaterialCheck& check) {
  const Material& m = check.material;
  for (std::size_t i = 0; i < own_law_count; ++i) {
    const LawDescription& law = description_of(static_cast<Law>(i));
    for (const LawParameter& own : law.parameters)
      if (own.alone && own.member && !has_parameter(m.law, own.name) && m.*own.member != 0)
        check.refuse(own.name, m.*own.member,
                     std::string("only the law ") + law.name + " " + own.alone + "; give -material " + law.name +
                         " or leave it out");
  }
  if (is_plastic(m) && !m.prony_g.empty())
    check.refuse("the number of Maxwell branches prony_g", static_cast<PetscReal>(m.prony_g.size()),
                 std::string("the law ") + name_of(m.law) + " cannot have any; give the branches to another region");
  if (has_volumetric(m.law) || m.volumetric == Volumetric::log2) return;
  check.refuse("volumetric", m.volumetric == Volumetric::simo ? "simo" : "quadratic",
               "this law has no separate function of J; leave it out, or give one of the laws " + laws_in_two_parts());
}

}  // namespace

namespace {

[[noreturn]] void refuse_value(const MaterialCheck& check, const std::string& name, const std::string& fault,
                               const std::string& rule) {
  std::ostringstream text;
  text << "material " << name_of(check.material.law);
  if (!check.region.empty()) text << " of region '" << check.region << "'";
  text << ": " << name << fault << "; " << rule;
  throw OptionError(text.str());
}

}  // namespace

void MaterialCheck::refuse(const std::string& name, PetscReal value, const std::string& rule) const {
  const bool is_parameter = name.find(' ') == std::string::npos && !name.starts_with("prony_");
  if (value == 0 && is_parameter) refuse_value(*this, name, " is 0 or not given", rule);
  std::ostringstream text;
  text << " = " << value << " is not possible";
  refuse_value(*this, name, text.str(), rule);
}
void MaterialCheck::refuse(const std::string& name, const char* value, const std::string& rule) const {
  refuse_value(*this, name, std::string(" = ") + value + " is not possible", rule);
}

void check_engineering_moduli(const MaterialCheck& check) {
  const Material& m = check.material;
  if (!finite_positive(m.E)) check.refuse("E", m.E, "give a Young's modulus > 0");
  if (!(m.nu > -1 && m.nu < 0.5))
    check.refuse("nu", m.nu,
                 "give a Poisson's ratio in (-1, 0.5); for nearly incompressible bodies 0.49 at degree >= 2");
}

void check_material(const Material& m, std::string_view where) {
  const MaterialCheck check{m, where};
  if (!finite_positive(m.rho)) check.refuse("rho", m.rho, "give a mass density > 0");
  check_branches(check);
  check_foreign(check);
  check_damping(check);
  if (!parameter_names(m.law).empty()) check_parameters(check);
  if (is_registered(m.law)) return check_small_strains(check);
  const LawDescription& law = description_of(m.law);
  law.check(check);
  if (!law.in_two_parts || !law.shear) return;
  const PetscReal least = 2 * lame(m).mu / 3;
  if (!std::isfinite(m.bulk) || m.bulk < least) {
    std::ostringstream rule;
    rule << "give a bulk modulus >= 2/3 of the shear modulus, here " << least << "; for rubber hundreds of times that";
    check.refuse("bulk", m.bulk, rule.str());
  }
}

}  // namespace gearshift::solid
