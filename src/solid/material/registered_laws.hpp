#pragma once

/// @file
/// Properties of laws, the library's own and registered ones.

#include <gearshift/solid/law.hpp>

#include <vector>

namespace gearshift::solid {

GEARSHIFT_EXPORT bool is_registered(Law law);

/// Returns the number of internal variables at each of a material's quadrature points, in symmetric tensors: one for
/// each Maxwell branch; one for plasticity, which is E_p with its last diagonal entry replaced by alpha.
std::size_t internal_tensors(const Material& material);

/// Returns true if internal variables follow the path of the strain, independent of the rate.
GEARSHIFT_EXPORT bool is_plastic(const Material& material);

/// Returns true if the law treats all strains as small.
GEARSHIFT_EXPORT bool has_small_strains(Law law);
/// Returns true if the law has spatially varying data (LawDescription::fields).
bool has_fields(Law law);

/// Returns true if W is the sum of an isochoric part and a separate function U(J), the material's Volumetric.
GEARSHIFT_EXPORT bool has_volumetric(Law law);

/// Returns the number of values that the tangent keeps at a quadrature point, with internal variables or without.
std::size_t point_size(Law law, bool internal);

/// Returns true if these values contain moduli, so that a tangent with other parameters needs another linearization.
bool keeps_modulus(Law law, bool internal);

/// Returns true if the derivative of the law's tangent is available (LawKernels::second_derivative).
bool has_second_derivative(Law law);

/// Lame's moduli at small strains.
struct Lame {
  double lambda = 0, mu = 0;
};
Lame lame(const Material& material);
Lame registered_lame(Law law, const std::vector<double>& parameters);
/// Returns Lame's moduli after all Maxwell branches have relaxed.
Lame relaxed_lame(const Material& material);

/// Returns the numbers p for the law's functions, in a cell whose centre is at X in the undeformed body.
std::vector<double> law_parameters(const Material& material, const Vec3& X = {});

/// Returns the numbers p with a softer bulk modulus: lambda is limited to most mu, where both are the moduli that
/// remain with Maxwell branches at that rate (InternalState). The numbers are unchanged if no parameter affects lambda
/// only.
std::vector<double> law_parameters_with_soft_bulk(const Material& material, double most, double rate,
                                                  const Vec3& X = {});

/// Returns true if the law resists changes of volume by a separate term k/2 e^2, e = ln J or tr H (linear_elastic).
bool bulk_stands_apart(const Material& material);
/// Returns k of that term: lambda, or the bulk modulus of laws with an isochoric-volumetric split.
double bulk_stiffness(const Material& material);
/// Returns the material with another k >= 0, by another law if necessary.
Material with_bulk_stiffness(const Material& material, double stiffness);

/// Returns the LawKernels of each registered law for an instruction set; null: not compiled for it.
std::vector<const void*> registered_work(const char* simd);

/// Throws OptionError if the law has no version for the instruction set.
void require_version(Law law, const char* simd);

}  // namespace gearshift::solid
