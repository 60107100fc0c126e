#pragma once

/// @file
/// What the library knows of each of its laws beside the functions at a point.

#include <gearshift/solid/types.hpp>

#include "solid/material/registered_laws.hpp"

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gearshift::solid {

inline constexpr const char* stress = "force/length^2";
inline constexpr const char* number = "-";

/// A number that a law takes, by the key without its dash. Laws may share it.
struct LawParameter {
  const char* name;
  const char* text;  ///< what it is, for -help
  const char* unit;  ///< moduli and other stresses have the unit `stress`
  /// Where a material has it; nullptr: in Material::parameters, as the laws of users have theirs, in the order of the law.
  PetscReal Material::*member = nullptr;
  /// What only the laws do that have it ("flows"): it is refused elsewhere. nullptr: it is not used there.
  const char* alone = nullptr;

  bool is_stress() const { return std::string_view(unit) == stress; }
};

inline constexpr LawParameter Youngs_modulus{"E", "Young's modulus", stress, &Material::E},
    Poissons_ratio{"nu", "Poisson's ratio, below 0.5", number, &Material::nu},
    bulk_modulus{"bulk", "bulk modulus", stress, &Material::bulk};

inline bool finite_positive(PetscReal value) { return std::isfinite(value) && value > 0; }

/// A material whose parameters are checked, and the region that it belongs to, or nothing.
struct MaterialCheck {
  const Material& material;
  std::string_view region;
  /// Throws OptionError: "material yeoh: c1 = 0 is not possible; <rule>".
  [[noreturn]] void refuse(const std::string& name, PetscReal value, const std::string& rule) const;
  [[noreturn]] void refuse(const std::string& name, const char* value, const std::string& rule) const;
};

struct LawDescription {
  const char* name = nullptr;
  std::vector<LawParameter> parameters;  ///< besides the density
  /// The numbers p that its functions take, of a cell whose centre is at X; of laws in two parts without those of U.
  std::vector<double> (*numbers)(const Material&, const Vec3& X) = nullptr;
  /// The shear modulus at small strains of laws that have a bulk modulus; nullptr: E and nu are their moduli.
  double (*shear)(const Material&) = nullptr;
  void (*check)(const MaterialCheck&) = nullptr;
  /// The material with another bulk_stiffness(), where that is not E and nu, or the bulk modulus itself.
  Material (*with_bulk)(Material, double stiffness) = nullptr;
  /// Changes what a region of this law inherits from a body of another law, beside leaving out what it does not have.
  void (*inherit)(Material&) = nullptr;
  bool flows = false;               ///< plastically
  bool has_fibres = false;          ///< in the directions fibre_1 and fibre_2
  bool bulk_stands_apart = true;    ///< bulk_stands_apart() of laws that are not in two parts
  bool logarithmic_volume = false;  ///< whether such a law resists changes of volume by K/2 (ln J)^2

  // Of its functions.
  bool in_two_parts = false;  ///< W_iso + U(J), with the material's Volumetric
  bool small_strains = false, twice_differentiable = true;
  int point_size = 0;
  std::vector<const char*> further;  ///< the parameters without a member
};

/// Of one of the library's laws.
GEARSHIFT_EXPORT const LawDescription& description_of(Law law);

/// What the description of each law is made by.
#define GEARSHIFT_DECLARE_LAW(law, functions) LawDescription describe_##law();
GEARSHIFT_LAWS(GEARSHIFT_DECLARE_LAW)
#undef GEARSHIFT_DECLARE_LAW

/// The parameters of all laws of the library, each name once, in the order of the laws.
GEARSHIFT_EXPORT const std::vector<LawParameter>& known_parameters();
/// The law's own parameter of this name, or nullptr.
GEARSHIFT_EXPORT const LawParameter* parameter_of(const LawDescription& law, std::string_view name);
/// For -help, what a name means in which laws: "yeoh, ogden: bulk modulus [force/length^2]".
GEARSHIFT_EXPORT std::string help_on_parameter(const char* name);

/// E > 0 and -1 < nu < 0.5.
void check_engineering_moduli(const MaterialCheck& check);

}  // namespace gearshift::solid
