#pragma once

/// @file
/// Description of a material law: its parameters, checks and properties. Its functions at a point are in
/// laws/<name>.hpp.

#include <gearshift/solid/types.hpp>

#include "solid/material/registered_laws.hpp"

#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::solid {

inline constexpr const char* stress = "force/length^2";
inline constexpr const char* number = "-";

/// A parameter. Several laws may have a parameter with the same name.
struct LawParameter {
  const char* name;  ///< the key without its dash
  const char* text;  ///< help text
  const char* unit;  ///< `stress` for moduli and other stresses
  /// Its member of Material; nullptr: stored in Material::parameters, in the order of the law's parameters.
  PetscReal Material::*member = nullptr;
  /// Verb phrase for the laws that have it ("flows"): other laws refuse a nonzero value. nullptr: other laws ignore it.
  const char* alone = nullptr;

  bool is_stress() const { return std::string_view(unit) == stress; }
};

inline constexpr LawParameter Youngs_modulus{"E", "Young's modulus", stress, &Material::E},
    Poissons_ratio{"nu", "Poisson's ratio, below 0.5", number, &Material::nu},
    bulk_modulus{"bulk", "bulk modulus", stress, &Material::bulk};

inline bool finite_positive(PetscReal value) { return std::isfinite(value) && value > 0; }

/// Spatially varying data of a law.
struct LawField {
  const char* name;  ///< the key without its dash
  const char* text;  ///< help text
  PointField::Kind kind;
  const PointField& (*get)(const Material&);
  void (*set)(Material&, PointField);
};

/// Material to be checked, with the name of its region or an empty string.
struct MaterialCheck {
  const Material& material;
  std::string_view region;
  /// Throws OptionError: "material <law>: <name> = <value> is not possible; <rule>", or, for a parameter, "<name> is 0
  /// or not given".
  [[noreturn]] void refuse(const std::string& name, PetscReal value, const std::string& rule) const;
  [[noreturn]] void refuse(const std::string& name, const char* value, const std::string& rule) const;
};

struct LawDescription {
  const char* name = nullptr;
  const char* energy = nullptr;          ///< W per reference volume, in the names of law_list.hpp
  std::vector<LawParameter> parameters;  ///< without the density
  std::vector<LawField> fields;          ///< none: the law is the same everywhere
  /// Returns the numbers p of a cell from the values of the fields there, in the order of `fields`, 0 for a field that
  /// is not given. For laws with an isochoric-volumetric split the moduli of U are appended.
  std::vector<double> (*numbers)(const Material&, std::span<const double> fields) = nullptr;
  /// Returns the shear modulus at small strains, for laws with a bulk modulus; nullptr: the law has E and nu.
  double (*shear)(const Material&) = nullptr;
  void (*check)(const MaterialCheck&) = nullptr;
  /// Sets typical parameters, for benchmarks: E = 1, nu = 0.3, mu1 = 0.3, mu2 = 0.1 and bulk = 1 are preset; nullptr:
  /// no others.
  void (*example)(Material&) = nullptr;
  /// Returns the material with another bulk_stiffness(); nullptr: E and nu, or the bulk modulus, are changed.
  Material (*with_bulk)(Material, double stiffness) = nullptr;
  /// Adjusts parameters that a region with this law inherits from a body with another law; nullptr: nothing to adjust.
  void (*inherit)(Material&) = nullptr;
  bool flows = false;               ///< plastic flow
  const char* jumps = nullptr;      ///< event at which the tangent jumps: "fibres begin to carry load"; nullptr: none
  bool bulk_stands_apart = true;    ///< result of bulk_stands_apart() for a law without an isochoric-volumetric split
  bool logarithmic_volume = false;  ///< for a law without that split: its volumetric part is K/2 (ln J)^2

  // Derived from the functions at a point.
  bool in_two_parts = false;  ///< W = W_iso + U(J), U chosen by Material::volumetric
  bool small_strains = false, twice_differentiable = true;
  int point_size = 0;
  std::vector<const char*> further;  ///< names of the parameters in Material::parameters
};

/// Returns the description of a law of the library.
GEARSHIFT_EXPORT const LawDescription& description_of(Law law);

// Defined in a file that CMake generates from the list of laws.
#define GEARSHIFT_DECLARE_LAW(law, functions) LawDescription describe_##law();
GEARSHIFT_LAWS(GEARSHIFT_DECLARE_LAW)
#undef GEARSHIFT_DECLARE_LAW

/// Returns the parameters of all laws, each name once, in the order of the laws.
GEARSHIFT_EXPORT const std::vector<LawParameter>& known_parameters();
/// Returns the fields of all laws, each name once.
GEARSHIFT_EXPORT const std::vector<LawField>& known_fields();
/// Returns the values of a material's fields at X, for LawDescription::numbers.
std::vector<double> field_values(const Material& material, const Vec3& X);
/// Returns the parameter with this name, or nullptr.
GEARSHIFT_EXPORT const LawParameter* parameter_of(const LawDescription& law, std::string_view name);
/// Returns true if a law of the library or a registered one has this parameter or field.
GEARSHIFT_EXPORT bool has_parameter(Law law, std::string_view name);
/// Returns the help text of a parameter: "mooney_rivlin, ...: bulk modulus [force/length^2]".
GEARSHIFT_EXPORT std::string help_on_parameter(const char* name);

/// Returns the help text of a field: "holzapfel: direction ..".
GEARSHIFT_EXPORT std::string help_on_field(const char* name);

/// Returns the names of the laws with an isochoric-volumetric split, separated by commas.
GEARSHIFT_EXPORT std::string laws_in_two_parts();

/// Requires E > 0 and -1 < nu < 0.5.
void check_engineering_moduli(const MaterialCheck& check);

/// Sets the parameters E and nu, and the numbers p = {mu, lambda, 0}.
void describe_by_E_and_nu(LawDescription& law);

}  // namespace gearshift::solid
