#pragma once

/// @file
/// The library's own laws, compiled for this instruction set.

#include "solid/kernels/law_work.hpp"
#include "solid/material/fibres.hpp"
#include "solid/material/rubber_parts.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// The library's own laws in the order of Law, in general and in Cartesian cells.
template <class Law>
struct Pair {
  static constexpr LawWork general = make_law_work<Law, false>(), cartesian = make_law_work<Law, true>();
};
struct Plastic {
  static constexpr LawWork work = make_plastic_work();
};
constexpr const LawWork* own_laws[][2] = {
    {&Pair<LinearElasticLaw>::general, &Pair<LinearElasticLaw>::cartesian},
    {&Pair<StVenantKirchhoffLaw>::general, &Pair<StVenantKirchhoffLaw>::cartesian},
    {&Pair<NeoHookeanLaw>::general, &Pair<NeoHookeanLaw>::cartesian},
    {&Pair<MooneyRivlinLaw>::general, &Pair<MooneyRivlinLaw>::cartesian},
    {&Plastic::work, &Plastic::work},
    {&Pair<IsochoricNeoHookeanLaw>::general, &Pair<IsochoricNeoHookeanLaw>::general},
    {&Pair<IsochoricMooneyRivlinLaw>::general, &Pair<IsochoricMooneyRivlinLaw>::general},
    {&Pair<YeohLaw>::general, &Pair<YeohLaw>::general},
    {&Pair<OgdenLaw>::general, &Pair<OgdenLaw>::general},
    {&Pair<HolzapfelLaw>::general, &Pair<HolzapfelLaw>::general}};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
