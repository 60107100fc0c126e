#pragma once

/// @file
/// The laws of the library, in the order of Law: law(name, class of its functions at a point). The header of each law
/// has its name and is in the folder src/solid/material/laws. Options and their help, inheritance of regions, checks,
/// scaling, multigrid levels, memory and kernels are derived from this list. A new law needs a header there and a line
/// here.

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
