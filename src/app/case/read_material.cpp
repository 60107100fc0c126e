#include "app/case/read_material.hpp"

#include <gearshift/solid/law.hpp>

#include "app/case/clashes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

namespace gearshift::app {
namespace {

using petsc::Options;
using solid::Law;
using solid::Material;

constexpr std::array volumetric_forms{"log2", "simo", "quadratic"};

/// The parameters of a law besides its density, as words between blanks. Of fibres and of plastic flow no parameters have
/// to be listed: where they do not belong they are refused elsewhere.
std::string_view moduli_of(Law law) {
  switch (law) {
    case Law::mooney_rivlin:
    case Law::isochoric_mooney_rivlin:
      return " mu1 mu2 bulk ";
    case Law::ogden:
      return " mu1 alpha1 mu2 alpha2 mu3 alpha3 bulk ";
    case Law::yeoh:
      return " c1 c2 c3 bulk ";
    case Law::holzapfel:
      return " mu1 k1 k2 dispersion bulk ";
    default:
      return " E nu ";
  }
}

bool uses(Law law, std::string_view name) {
  const auto registered = solid::parameter_names(law);
  if (!registered.empty())
    return name == "rho" || std::any_of(registered.begin(), registered.end(), [&](const char* n) { return name == n; });
  constexpr std::array elsewhere{"rho", "yield", "hardening", "voce_saturation", "voce_rate", "k1", "k2", "dispersion"};
  return std::find(elsewhere.begin(), elsewhere.end(), name) != elsewhere.end() ||
         moduli_of(law).find(" " + std::string(name) + " ") != std::string_view::npos;
}

/// A parameter that was given.
struct Modulus {
  std::string key, name;
  Law law;
  bool used = uses(law, name);
};

void append_unused(const std::vector<Modulus>& found, std::vector<std::string>& unused) {
  for (const Modulus& modulus : found)
    if (!modulus.used) unused.push_back(modulus.key + " is not a parameter of " + solid::name_of(modulus.law));
}

/// Numbers in the place of the ones before, which may be fewer.
void read_list(Options& options, const std::string& key, const char* text, std::vector<PetscReal>& values) {
  constexpr std::size_t most = 63;
  std::vector<PetscReal> own;
  if (!options.reals(key.c_str(), text, own)) return;
  if (own.size() > most) throw OptionError("option " + key + ": give " + std::to_string(most) + " numbers at most");
  values = own;
}

void read_direction(Options& options, const std::string& key, const char* text, solid::Direction& value) {
  std::string formulas = value.text();
  if (!options.string(key.c_str(), text, formulas)) return;
  try {
    value = solid::Direction(formulas);
  } catch (const OptionError& error) {
    throw OptionError("option " + key + ": " + error.what());
  }
}

/// Reads the moduli, whose keys begin with `before`: "-" (for "-E") or, of a region, "-material_core_".
void read_moduli(Options& options, const std::string& before, Material& m, std::vector<Modulus>& found) {
  const auto real = [&](const char* name, const char* text, PetscReal& value) {
    if (!options.real((before + name).c_str(), text, value)) return;
    if (!std::isfinite(value)) throw OptionError("option " + before + name + ": give a finite number");
    found.push_back({before + name, name, m.law});
  };
  real("E", "Young's modulus [force/length^2]", m.E);
  real("nu", "Poisson's ratio, below 0.5 [-]", m.nu);
  real("rho", "mass density [mass/length^3]", m.rho);
  real("mu1", "mooney_rivlin: first modulus; ogden: of the first term; holzapfel: of the matrix [force/length^2]",
       m.mu1);
  real("mu2", "mooney_rivlin: second modulus; ogden: of the second term, 0: none [force/length^2]", m.mu2);
  real("mu3", "ogden: modulus of the third term, 0: none [force/length^2]", m.mu3);
  real("alpha1", "ogden: exponent of the first term; the shear modulus is half the sum of mu alpha [-]", m.alpha1);
  real("alpha2", "ogden: exponent of the second term [-]", m.alpha2);
  real("alpha3", "ogden: exponent of the third term [-]", m.alpha3);
  real("c1", "yeoh: first modulus, half the shear modulus [force/length^2]", m.c1);
  real("c2", "yeoh: second modulus [force/length^2]", m.c2);
  real("c3", "yeoh: third modulus [force/length^2]", m.c3);
  real("k1", "holzapfel: modulus of fibres, which carry tension and no compression [force/length^2]", m.k1);
  real("k2", "holzapfel: how fast they stiffen [-]", m.k2);
  real("dispersion", "holzapfel: of fibres around their direction, 0: none, 1/3: all directions alike [-]",
       m.dispersion);
  read_direction(
      options, before + "fibre_1",
      "holzapfel: direction ax,ay,az of fibres at rest, of any length; formulas, taken in the middle of cells",
      m.fibre_1);
  read_direction(options, before + "fibre_2", "holzapfel: that of a second family, where there is one", m.fibre_2);
  real("bulk", "mooney_rivlin, isochoric_mooney_rivlin, yeoh, ogden, holzapfel: bulk modulus [force/length^2]", m.bulk);
  options.choice((before + "volumetric").c_str(),
                 "of isochoric_* laws, yeoh, ogden, holzapfel: K/2 (ln J)^2, K/4 (J^2 - 1 - 2 ln J), K/2 (J - 1)^2",
                 volumetric_forms, m.volumetric);
  real("yield", "j2: yield stress at the beginning [force/length^2]", m.yield);
  real("hardening", "j2: linear hardening, stress per plastic strain [force/length^2]", m.hardening);
  real("voce_saturation", "j2: yield stress that Voce's hardening ends at, 0: without [force/length^2]",
       m.voce_saturation);
  real("voce_rate", "j2: how fast Voce's hardening gets there [-]", m.voce_rate);
  read_list(options, before + "prony_g",
            "viscoelastic: shares g1,g2,.. of the shear modulus that relax, together < 1; 0: none [-]", m.prony_g);
  read_list(options, before + "prony_tau", "relaxation times tau1,tau2,.. of these shares [time]", m.prony_tau);
  if (m.prony_g == std::vector<PetscReal>{0}) {  // a region of a viscoelastic body that is not
    m.prony_g.clear();
    m.prony_tau.clear();
  }
  const auto own = solid::parameter_names(m.law);
  if (m.parameters.size() != own.size()) m.parameters.assign(own.size(), std::numeric_limits<PetscReal>::quiet_NaN());
  const std::string text = std::string(solid::name_of(m.law)) + ": parameter of the law";
  for (std::size_t i = 0; i < own.size(); ++i) real(own[i], text.c_str(), m.parameters[i]);
}

/// Removes what a region's law, which is not the body's, has no use for: the region inherits parameters that its law has, too.
void drop_other_laws_parameters(Material& m) {
  const Material none;
  if (m.law == Law::j2) {
    m.prony_g = none.prony_g;
    m.prony_tau = none.prony_tau;
  } else {
    m.yield = none.yield;
    m.hardening = none.hardening;
    m.voce_saturation = none.voce_saturation;
    m.voce_rate = none.voce_rate;
  }
  if (m.law != Law::holzapfel) {
    m.k1 = none.k1;
    m.k2 = none.k2;
    m.dispersion = none.dispersion;
    m.fibre_1 = none.fibre_1;
    m.fibre_2 = none.fibre_2;
  }
  constexpr std::array in_two_parts{Law::isochoric_neo_hookean, Law::isochoric_mooney_rivlin, Law::yeoh, Law::ogden,
                                    Law::holzapfel};
  if (std::find(in_two_parts.begin(), in_two_parts.end(), m.law) == in_two_parts.end()) m.volumetric = none.volumetric;
  // A modulus of this name without an exponent is another law's.
  if (m.law == Law::ogden)
    for (const auto& [modulus, exponent] : {std::pair{&m.mu1, m.alpha1}, {&m.mu2, m.alpha2}, {&m.mu3, m.alpha3}})
      if (exponent == 0) *modulus = 0;
}

}  // namespace

void read_material(Options& options, const std::vector<std::string>& regions, Case& given) {
  options.heading("Material");
  const auto laws = solid::law_names();
  options.choice("-material", "law of the material", laws, given.material.law);
  std::vector<Modulus> found;
  const auto before_moduli = static_cast<std::ptrdiff_t>(options.keys().size());
  read_moduli(options, "-", given.material, found);
  std::vector<std::string> parameters{"rayleigh_mass", "rayleigh_stiffness"};
  for (auto key = options.keys().begin() + before_moduli; key != options.keys().end(); ++key)
    parameters.push_back(key->substr(1));
  for (int law = 0; law < static_cast<int>(laws.size()); ++law)
    for (const char* parameter : solid::parameter_names(static_cast<Law>(law))) parameters.emplace_back(parameter);
  refuse_clashing_regions(regions, parameters);
  given.region_materials.clear();
  given.unused_moduli.clear();
  options.mention("-material_<region>", "<law>", "law in a region, a physical group of cells, where it has its own");
  options.mention("-material_<region>_<modulus>", "<x>", "the same as -E, -nu, -rho .. above, of the region alone");
  options.mention(
      "-material_<region>_rayleigh_mass", "<x>",
      "r_m in the damping force r_m M v + r_k K(q) v of the region alone, besides -gear_rayleigh_mass [1/time]");
  options.mention("-material_<region>_rayleigh_stiffness", "<x>", "r_k of the region alone; not of j2 [time]");
  for (const std::string& region : regions) {
    const std::string key = "-material_" + region;
    Material material = given.material;
    const Material before = material;
    const bool law = options.choice(key.c_str(), ("law in the region " + region).c_str(), laws, material.law);
    if (material.law != before.law) {
      material.parameters.clear();
      drop_other_laws_parameters(material);
    }
    std::vector<Modulus> of_region;
    read_moduli(options, key + "_", material, of_region);
    for (Modulus& modulus : found) modulus.used = modulus.used || uses(material.law, modulus.name);
    append_unused(of_region, given.unused_moduli);
    options.real((key + "_rayleigh_mass").c_str(), "damping of the region", material.rayleigh_mass);
    options.real((key + "_rayleigh_stiffness").c_str(), "damping of the region", material.rayleigh_stiffness);
    if (law || material != before) given.region_materials.emplace_back(region, material);
  }
  append_unused(found, given.unused_moduli);
}

}  // namespace gearshift::app
