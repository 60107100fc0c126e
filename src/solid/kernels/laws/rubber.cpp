/// Rubber by its invariants.

#include "solid/kernels/law_work.hpp"
#include "solid/material/rubber_parts.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

const OwnWork isochoric_neo_hookean = own_work<IsochoricNeoHookeanLaw>;
const OwnWork isochoric_mooney_rivlin = own_work<IsochoricMooneyRivlinLaw>;
const OwnWork yeoh = own_work<YeohLaw>;

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
