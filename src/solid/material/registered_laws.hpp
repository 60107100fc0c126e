#pragma once

/// @file
/// What the solid asks about laws, its own and registered ones.

#include <gearshift/solid/law.hpp>

#include <vector>

namespace gearshift::solid {

GEARSHIFT_EXPORT bool is_registered(Law law);

/// Internal variables at each of a material's quadrature points, in symmetric tensors: one for each Maxwell branch; one
/// for plasticity, E_p without its last diagonal entry, in whose place alpha stands.
std::size_t internal_tensors(const Material& material);

/// Whether some of them follow the path of the strain without regard to the rate.
GEARSHIFT_EXPORT bool is_plastic(const Material& material);

/// Whether strains are small to the law, whatever they are.
GEARSHIFT_EXPORT bool has_small_strains(Law law);
/// Returns true if the law has spatially varying data (LawDescription::fields).
bool has_fields(Law law);

/// Whether W is an isochoric part and a function U(J) apart from it, the material's Volumetric.
GEARSHIFT_EXPORT bool has_volumetric(Law law);

/// Numbers that the tangent keeps of a quadrature point, with internal variables or without.
std::size_t point_size(Law law, bool internal);

/// Whether these numbers hold moduli, so that a tangent by other parameters takes another linearization.
bool keeps_modulus(Law law, bool internal);

/// Whether the derivative of the law's tangent is to be had (LawKernels::second_derivative).
bool has_second_derivative(Law law);

/// Lame's moduli at small strains.
struct Lame {
  double lambda = 0, mu = 0;
};
Lame lame(const Material& material);
Lame registered_lame(Law law, const std::vector<double>& parameters);
/// The same once Maxwell branches have relaxed.
Lame relaxed_lame(const Material& material);

/// The numbers p that the law's functions take, of a cell whose centre is at X in the undeformed body.
std::vector<double> law_parameters(const Material& material, const Vec3& X = {});

/// The same with a softer bulk where lambda > most mu of what Maxwell branches of that rate (InternalState) hold, as
/// far as a parameter sets lambda alone.
std::vector<double> law_parameters_with_soft_bulk(const Material& material, double most, double rate,
                                                  const Vec3& X = {});

/// Whether the law holds its volume by a term k/2 e^2 apart from all else, e = ln J or tr H (linear_elastic).
bool bulk_stands_apart(const Material& material);
/// k of that term: lambda, or the bulk modulus of laws in two parts.
double bulk_stiffness(const Material& material);
/// The same material, by another law where need be, with another one >= 0.
Material with_bulk_stiffness(const Material& material, double stiffness);

/// For each registered law its LawKernels for an instruction set; null: not compiled for it.
std::vector<const void*> registered_work(const char* simd);

/// OptionError if the law has no version for the instruction set.
void require_version(Law law, const char* simd);

}  // namespace gearshift::solid
