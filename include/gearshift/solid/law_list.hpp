#pragma once

/// @file
/// The laws of the library, in the order of Law: law(name, class of its functions at a point). Each stands in
/// src/solid/material/laws/<name>.hpp, and all that depends on a law is derived from there: options and their help, what a region
/// inherits, checks, units, levels, memory, kernels. A further law takes a header and a line here.

#include <gearshift/export.hpp>

// clang-format off
#define GEARSHIFT_LAWS(law) \
  law(linear_elastic, LinearElasticLaw) \
  law(st_venant_kirchhoff, StVenantKirchhoffLaw) \
  law(neo_hookean, NeoHookeanLaw) \
  law(mooney_rivlin, MooneyRivlinLaw) \
  law(j2, J2Law) \
  law(isochoric_neo_hookean, IsochoricNeoHookeanLaw) \
  law(isochoric_mooney_rivlin, IsochoricMooneyRivlinLaw) \
  law(yeoh, YeohLaw) \
  law(ogden, OgdenLaw) \
  law(holzapfel, HolzapfelLaw) \
  law(arruda_boyce, ArrudaBoyceLaw)
// clang-format on
