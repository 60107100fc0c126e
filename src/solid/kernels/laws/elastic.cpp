/// The elastic laws that have forms for Cartesian cells.

#include "solid/kernels/neo_hookean_tangent.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

const OwnWork linear_elastic = own_work<LinearElasticLaw>;
const OwnWork st_venant_kirchhoff = own_work<StVenantKirchhoffLaw>;
const OwnWork neo_hookean = own_work<NeoHookeanLaw>;
const OwnWork mooney_rivlin = own_work<MooneyRivlinLaw>;

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
