#include "solid/material/registered_laws.hpp"

#include <array>
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

template <class Refuse>
void check_volumetric(const Material& m, Refuse&& refuse) {
  if (!has_volumetric(m.law) && m.volumetric != Volumetric::log2)
    refuse("volumetric", m.volumetric == Volumetric::simo ? "simo" : "quadratic",
           "this law has no function of J of its own; leave it out, or give one of the laws isochoric_neo_hookean, "
           "isochoric_mooney_rivlin, yeoh, ogden, holzapfel");
  const bool fibres = m.law == Law::holzapfel;
  for (const auto& [name, value] : {std::pair{"k1", m.k1}, {"k2", m.k2}, {"dispersion", m.dispersion}})
    if (!fibres && value != 0)
      refuse(name, value, "only the law holzapfel has fibres; give -material holzapfel or leave it out");
}

template <class Refuse>
void check_fibres(const Material& m, Refuse&& refuse) {
  if (!finite_positive(m.mu1)) refuse("mu1", m.mu1, "give the matrix a shear modulus > 0");
  if (!finite_positive(m.k1)) refuse("k1", m.k1, "give a modulus > 0 to the fibres");
  if (!std::isfinite(m.k2) || m.k2 < 0) refuse("k2", m.k2, "give a number >= 0");
  if (!(m.dispersion >= 0 && m.dispersion <= 1.0 / 3))
    refuse("dispersion", m.dispersion, "give a number from 0 (all fibres alike) to 1/3 (all directions alike)");
  if (!m.fibre_1.given())
    refuse("the number of fibre families", 0, "give a direction by fibre_1, and by fibre_2 for two");
}

/// Laws in two parts that have a bulk modulus among their parameters.
template <class Refuse>
void check_rubber(const Material& m, Refuse&& refuse) {
  const std::array terms{std::array{m.mu1, m.alpha1}, std::array{m.mu2, m.alpha2}, std::array{m.mu3, m.alpha3}};
  switch (m.law) {
    case Law::isochoric_mooney_rivlin:
      if (!std::isfinite(m.mu1) || m.mu1 < 0) refuse("mu1", m.mu1, "give a modulus >= 0");
      if (!std::isfinite(m.mu2) || m.mu2 < 0) refuse("mu2", m.mu2, "give a modulus >= 0");
      if (!(m.mu1 + m.mu2 > 0)) refuse("mu1 + mu2", m.mu1 + m.mu2, "give a shear modulus > 0");
      break;
    case Law::yeoh:
      if (!finite_positive(m.c1)) refuse("c1", m.c1, "give a modulus > 0, half the shear modulus");
      if (!std::isfinite(m.c2)) refuse("c2", m.c2, "give a modulus");
      if (!std::isfinite(m.c3)) refuse("c3", m.c3, "give a modulus");
      break;
    case Law::ogden:
      for (std::size_t r = 0; r < terms.size(); ++r) {
        const std::string mu = "mu" + std::to_string(r + 1), alpha = "alpha" + std::to_string(r + 1);
        const auto& [modulus, power] = terms[r];
        if (modulus == 0 && power != 0)
          refuse(mu.c_str(), modulus, ("give the modulus that goes with " + alpha).c_str());
        if (modulus != 0 && power == 0)
          refuse(alpha.c_str(), power, ("give the exponent that goes with " + mu).c_str());
        if (!std::isfinite(modulus * power) || modulus * power < 0)
          refuse(mu.c_str(), modulus, ("give a modulus of the same sign as " + alpha).c_str());
      }
      if (!(lame(m).mu > 0)) refuse("mu1", m.mu1, "give one to three pairs mu1, alpha1, mu2, alpha2 ..");
      break;
    default:
      check_fibres(m, refuse);
  }
  const PetscReal least = 2 * lame(m).mu / 3;
  if (!std::isfinite(m.bulk) || m.bulk < least) {
    std::ostringstream rule;
    rule << "give a bulk modulus >= 2/3 of the shear modulus, here " << least << "; of rubber hundreds of times that";
    refuse("bulk", m.bulk, rule.str().c_str());
  }
}

}  // namespace

void check_material(const Material& m, std::string_view where) {
  const auto refuse = [&](const char* name, auto value, const char* rule) {
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
  check_volumetric(m, refuse);
  if (is_registered(m.law)) return check_parameters(m, refuse);
  if (m.law == Law::mooney_rivlin) {
    if (!finite_positive(m.mu1)) refuse("mu1", m.mu1, "give a modulus > 0");
    if (!std::isfinite(m.mu2) || m.mu2 < 0) refuse("mu2", m.mu2, "give a modulus >= 0");
    if (!std::isfinite(m.bulk) || m.bulk < 2 * (m.mu1 + m.mu2) / 3 + 2 * m.mu2)
      refuse("bulk", m.bulk, "give a bulk modulus >= 2/3 (mu1 + mu2) + 2 mu2, so that volume is held");
    return;
  }
  if (has_volumetric(m.law) && m.law != Law::isochoric_neo_hookean) return check_rubber(m, refuse);
  if (!finite_positive(m.E)) refuse("E", m.E, "give a Young's modulus > 0");
  if (!(m.nu > -1 && m.nu < 0.5))
    refuse("nu", m.nu, "give a Poisson's ratio in (-1, 0.5); for nearly incompressible bodies 0.49 at degree >= 2");
}

}  // namespace gearshift::solid
