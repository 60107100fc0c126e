#include "solid/material/registered_laws.hpp"

#include <cmath>
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

bool finite_positive(PetscReal value) { return std::isfinite(value) && value > 0; }

/// Parameters of a registered law: nothing is known of them but what they mean at small strains.
template <class Refuse>
void check_parameters(const Material& m, Refuse&& refuse) {
  const auto names = parameter_names(m.law);
  std::string list;
  for (const char* name : names) list += std::string(list.empty() ? "" : ", ") + name;
  if (m.parameters.size() != names.size())
    throw OptionError("material " + std::string(name_of(m.law)) + " has " + std::to_string(names.size()) +
                      " parameters (" + list + "); " + std::to_string(m.parameters.size()) + " are given");
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!std::isfinite(m.parameters[i])) refuse(names[i], m.parameters[i], "give a number");
  const Lame moduli = lame(m);
  const std::string rule = "at small strains the law has to resist; check " + list;
  if (!finite_positive(moduli.mu)) refuse("the shear modulus at small strains", moduli.mu, rule.c_str());
  if (!finite_positive(moduli.lambda + 2 * moduli.mu / 3))
    refuse("the bulk modulus at small strains", moduli.lambda + 2 * moduli.mu / 3, rule.c_str());
}

template <class Refuse>
void check_branches(const Material& m, Refuse&& refuse) {
  if (m.prony_g.size() != m.prony_tau.size())
    refuse("the number of relaxation times prony_tau", static_cast<PetscReal>(m.prony_tau.size()),
           ("give one for each of the " + std::to_string(m.prony_g.size()) + " numbers of prony_g").c_str());
  PetscReal sum = 0;
  for (const PetscReal g : m.prony_g) {
    if (!finite_positive(g)) refuse("prony_g", g, "give shares of the shear modulus > 0");
    sum += g;
  }
  if (!(sum < 1)) refuse("the sum of prony_g", sum, "give shares of the shear modulus that are together below 1");
  for (const PetscReal tau : m.prony_tau)
    if (!finite_positive(tau)) refuse("prony_tau", tau, "give relaxation times > 0");
}

template <class Refuse>
void check_damping(const Material& m, Refuse&& refuse) {
  for (const auto& [name, value] :
       {std::pair{"rayleigh_mass", m.rayleigh_mass}, {"rayleigh_stiffness", m.rayleigh_stiffness}})
    if (!std::isfinite(value) || value < 0) refuse(name, value, "give a number of 0 or more");
  if (m.rayleigh_stiffness > 0 && (is_plastic(m) || is_registered(m.law)))
    refuse("rayleigh_stiffness", m.rayleigh_stiffness,
           "the stiffness of this law cannot damp by regions; give -gear_rayleigh_stiffness for the whole body, or "
           "rayleigh_mass");
}

template <class Refuse>
void check_flow(const Material& m, Refuse&& refuse) {
  if (!is_plastic(m)) {
    for (const auto& [name, value] : {std::pair{"yield", m.yield},
                                      {"hardening", m.hardening},
                                      {"voce_saturation", m.voce_saturation},
                                      {"voce_rate", m.voce_rate}})
      if (value != 0) refuse(name, value, "only the law j2 flows; give -material j2 or leave it out");
    return;
  }
  if (!finite_positive(m.yield)) refuse("yield", m.yield, "give a yield stress > 0");
  if (!std::isfinite(m.hardening) || m.hardening < 0) refuse("hardening", m.hardening, "give a modulus >= 0");
  if (m.voce_saturation != 0 && !(std::isfinite(m.voce_saturation) && m.voce_saturation >= m.yield))
    refuse("voce_saturation", m.voce_saturation, "give a stress >= yield, or 0 for none");
  if (m.voce_saturation != 0 && !finite_positive(m.voce_rate))
    refuse("voce_rate", m.voce_rate, "give a rate > 0 with voce_saturation");
  if (m.voce_saturation == 0 && m.voce_rate != 0) refuse("voce_rate", m.voce_rate, "give voce_saturation with it");
  if (!m.prony_g.empty())
    refuse("the number of Maxwell branches prony_g", static_cast<PetscReal>(m.prony_g.size()),
           "the law j2 has none; give the branches to another region");
}

}  // namespace

void check_material(const Material& m, std::string_view where) {
  const auto refuse = [&](const char* name, PetscReal value, const char* rule) {
    std::ostringstream text;
    text << "material " << name_of(m.law);
    if (!where.empty()) text << " of region '" << where << "'";
    text << ": " << name << " = " << value << " is not possible; " << rule;
    throw OptionError(text.str());
  };
  if (!finite_positive(m.rho)) refuse("rho", m.rho, "give a mass density > 0");
  check_branches(m, refuse);
  check_flow(m, refuse);
  check_damping(m, refuse);
  if (is_registered(m.law)) return check_parameters(m, refuse);
  if (m.law == Law::mooney_rivlin) {
    if (!finite_positive(m.mu1)) refuse("mu1", m.mu1, "give a modulus > 0");
    if (!std::isfinite(m.mu2) || m.mu2 < 0) refuse("mu2", m.mu2, "give a modulus >= 0");
    if (!std::isfinite(m.bulk) || m.bulk < 2 * (m.mu1 + m.mu2) / 3 + 2 * m.mu2)
      refuse("bulk", m.bulk, "give a bulk modulus >= 2/3 (mu1 + mu2) + 2 mu2, so that volume is held");
    return;
  }
  if (!finite_positive(m.E)) refuse("E", m.E, "give a Young's modulus > 0");
  if (!(m.nu > -1 && m.nu < 0.5))
    refuse("nu", m.nu, "give a Poisson's ratio in (-1, 0.5); for nearly incompressible bodies 0.49 at degree >= 2");
}

}  // namespace gearshift::solid
