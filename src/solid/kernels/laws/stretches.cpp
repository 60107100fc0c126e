/// Rubber by its principal stretches.

#include "solid/kernels/law_work.hpp"
#include "solid/kernels/principal_tangent.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

const OwnWork ogden = own_work<OgdenLaw>;

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
