#include "app/case/read_material.hpp"

#include <gearshift/solid/law.hpp>

#include "app/case/clashes.hpp"
#include "petsc/options/check_option.hpp"
#include "solid/material/law_count.hpp"
#include "solid/material/law_description.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>

namespace gearshift::app {
namespace {

using petsc::Options;
using solid::Law;
using solid::Material;

constexpr std::array volumetric_forms{"log2", "simo", "quadratic"};

/// Returns true if a law has a parameter, or if the check of the law rejects it.
bool uses(Law law, std::string_view name) {
  if (name == "rho" || solid::has_parameter(law, name)) return true;
  if (solid::is_registered(law)) return false;
  const auto& known = solid::known_parameters();
  return std::any_of(known.begin(), known.end(), [&](const auto& other) { return other.alone && name == other.name; });
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

/// Reads a list that replaces `values` and may have another length.
void read_list(Options& options, const std::string& key, const char* text, std::vector<PetscReal>& values) {
  constexpr std::size_t most = 63;
  std::vector<PetscReal> own;
  if (!options.reals(key.c_str(), text, own)) return;
  if (own.size() > most) throw OptionError("option " + key + ": give " + std::to_string(most) + " numbers or fewer");
  values = own;
}

/// Adds the energy and the parameters of a built-in law to the help text.
void mention_law(Options& options, Law law) {
  const solid::LawDescription& own = solid::description_of(law);
  std::string names;
  for (const solid::LawParameter& parameter : own.parameters)
    names += (names.empty() ? "" : ", ") + std::string(parameter.name);
  for (const solid::LawField& field : own.fields) names += ", " + std::string(field.name);
  options.mention(("-material " + std::string(own.name)).c_str(), "",
                  ("W = " + std::string(own.energy) + "; parameters " + names).c_str());
}

/// Reads the fields of the law, and those of other laws for regions to inherit. Collective.
void read_fields(MPI_Comm comm, Options& options, const std::string& before, Material& m, std::vector<Modulus>& found) {
  for (const solid::LawField& field : solid::known_fields()) {
    const std::string key = before + field.name;
    std::string text = field.get(m).text();
    const bool given = options.string(key.c_str(), solid::help_on_field(field.name).c_str(), text);
    if (!given) continue;
    petsc::for_option(key, [&] { field.set(m, solid::PointField::of(comm, text, field.kind)); });
    found.push_back({key, field.name, m.law});
  }
}

/// Parameters in Material::parameters given for the body; regions inherit them.
using Further = std::map<std::string, PetscReal>;

/// Reads the moduli and fields. Their keys begin with `before`: "-" (as in "-E") or, for a region, "-material_core_".
void read_moduli(MPI_Comm comm, Options& options, const std::string& before, Material& m, std::vector<Modulus>& found,
                 Further& of_body) {
  const auto real = [&](const char* name, const char* text, PetscReal& value) {
    if (!options.real((before + name).c_str(), text, value)) return;
    if (!std::isfinite(value)) throw OptionError("option " + before + name + ": give a finite number");
    found.push_back({before + name, name, m.law});
  };
  real("rho",
       "mass density; statics needs it only for -gravity, -base_acceleration, -frame_spin and -modes [mass/length^3]",
       m.rho);
  for (const solid::LawParameter& parameter : solid::known_parameters()) {
    const std::string text = solid::help_on_parameter(parameter.name);
    if (parameter.member) {
      real(parameter.name, text.c_str(), m.*parameter.member);
    } else if (!uses(m.law, parameter.name)) {
      PetscReal of_another_law = 0;
      const std::size_t before_it = found.size();
      real(parameter.name, text.c_str(), of_another_law);
      if (found.size() > before_it && before == "-") of_body[parameter.name] = of_another_law;
    }
  }
  read_fields(comm, options, before, m, found);
  options.choice((before + "volumetric").c_str(),
                 (solid::laws_in_two_parts() +
                  ": volumetric energy U(J): log2 K/2 (ln J)^2, simo K/4 (J^2 - 1 - 2 ln J), quadratic K/2 (J - 1)^2")
                     .c_str(),
                 volumetric_forms, m.volumetric);
  read_list(options, before + "prony_g",
            "viscoelasticity: shares g1,g2,.. of the shear modulus that relax, with a sum < 1; 0: none [-]", m.prony_g);
  read_list(options, before + "prony_tau", "relaxation times tau1,tau2,.. of these shares [time]", m.prony_tau);
  if (m.prony_g == std::vector<PetscReal>{0}) {  // an elastic region of a viscoelastic body
    m.prony_g.clear();
    m.prony_tau.clear();
  }
  const auto own = solid::parameter_names(m.law);
  if (m.parameters.size() != own.size()) m.parameters.assign(own.size(), std::numeric_limits<PetscReal>::quiet_NaN());
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (std::isnan(m.parameters[i]) && of_body.count(own[i])) m.parameters[i] = of_body[own[i]];
    const std::string text = solid::is_registered(m.law) ? std::string(solid::name_of(m.law)) + ": parameter of the law"
                                                         : solid::help_on_parameter(own[i]);
    real(own[i], text.c_str(), m.parameters[i]);
    if (before == "-" && !std::isnan(m.parameters[i])) of_body[own[i]] = m.parameters[i];
  }
}

/// Removes the parameters that the law of a region does not use, if this law differs from the body's: the region
/// inherits only parameters of that law.
void drop_other_laws_parameters(Material& m) {
  const Material none;
  for (const solid::LawParameter& parameter : solid::known_parameters())
    if (parameter.alone && parameter.member && !solid::has_parameter(m.law, parameter.name))
      m.*parameter.member = none.*parameter.member;
  const solid::LawDescription law =
      solid::is_registered(m.law) ? solid::LawDescription{} : solid::description_of(m.law);
  if (law.flows) {
    m.prony_g = none.prony_g;
    m.prony_tau = none.prony_tau;
  }
  for (const solid::LawField& field : solid::known_fields())
    if (!solid::has_parameter(m.law, field.name)) field.set(m, {});
  if (!law.in_two_parts) m.volumetric = none.volumetric;
  if (law.inherit) law.inherit(m);
}

}  // namespace

void read_material(MPI_Comm comm, Options& options, const std::vector<std::string>& regions, Case& given) {
  options.heading("Material");
  const auto laws = solid::law_names();
  options.choice("-material",
                 "material law. In its energy W, F is the deformation gradient, H = F - I, J = det F, E = (F'F - I)/2; "
                 "I1 and I2 are invariants of F'F; Ibar and the principal stretches lbar are of J^-1/3 F",
                 laws, given.materials.body.law);
  for (std::size_t law = 0; law < solid::own_law_count; ++law) mention_law(options, static_cast<Law>(law));
  std::vector<Modulus> found;
  Further of_body;
  const auto before_moduli = static_cast<std::ptrdiff_t>(options.keys().size());
  read_moduli(comm, options, "-", given.materials.body, found, of_body);
  std::vector<std::string> parameters{"rayleigh_mass", "rayleigh_stiffness"};
  for (auto key = options.keys().begin() + before_moduli; key != options.keys().end(); ++key)
    parameters.push_back(key->substr(1));
  for (int law = 0; law < static_cast<int>(laws.size()); ++law)
    for (const char* parameter : solid::parameter_names(static_cast<Law>(law))) parameters.emplace_back(parameter);
  refuse_clashing_regions(regions, parameters);
  options.mention("-material_<region>", "<law>",
                  "material law of a region (a physical group of cells); default: the law of the body");
  options.mention("-material_<region>_<modulus>", "<x>",
                  "parameter -E, -nu, -rho .. as above, of this region only; default: the value of the body");
  options.mention(
      "-material_<region>_rayleigh_mass", "<x>",
      "r_m in the damping force r_m M v + r_k K(q) v of this region only, in addition to -gear_rayleigh_mass [1/time]");
  options.mention("-material_<region>_rayleigh_stiffness", "<x>",
                  "r_k of this region only; not available for j2 [time]");
  for (const std::string& region : regions) {
    const std::string key = "-material_" + region;
    Material material = given.materials.body;
    const Material before = material;
    const bool law = options.choice(key.c_str(), ("material law of the region " + region).c_str(), laws, material.law);
    if (material.law != before.law) {
      material.parameters.clear();
      drop_other_laws_parameters(material);
    }
    std::vector<Modulus> of_region;
    read_moduli(comm, options, key + "_", material, of_region, of_body);
    for (Modulus& modulus : found) modulus.used = modulus.used || uses(material.law, modulus.name);
    append_unused(of_region, given.materials.unused);
    options.real((key + "_rayleigh_mass").c_str(), "damping of the region", material.rayleigh_mass);
    options.real((key + "_rayleigh_stiffness").c_str(), "damping of the region", material.rayleigh_stiffness);
    if (law || material != before) given.materials.regions.emplace_back(region, material);
  }
  append_unused(found, given.materials.unused);
}

std::string density_needed_by(const Case& given) {
  if (given.loads.contains(LoadKind::base_acceleration)) return "-base_acceleration";
  if (given.loads.contains(LoadKind::inertial)) return petsc::has_option("", "-gravity") ? "-gravity" : "-frame_spin";
  if (given.analysis.modes > 0) return "-modes";
  return given.analysis.wanted == Wanted::equilibrium ? "" : "a motion";
}

solid::Material with_density(solid::Material material, const std::string& needed_by, const std::string& region) {
  if (material.rho != 0) return material;
  if (!needed_by.empty())
    throw OptionError("option -" + (region.empty() ? "rho" : "material_" + region + "_rho") + ": " + needed_by +
                      " needs the mass density, which is 0 or not given; give a number > 0");
  material.rho = 1;  // no result depends on it
  return material;
}

}  // namespace gearshift::app
