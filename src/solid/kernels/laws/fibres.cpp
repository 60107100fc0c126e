/// Tissue with fibres.

#include "solid/material/fibres.hpp"

#include "solid/kernels/law_work.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

const OwnWork holzapfel = own_work<HolzapfelLaw>;

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
