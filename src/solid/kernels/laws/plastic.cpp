/// Plasticity.

#include "solid/kernels/law_work.hpp"
#include "solid/kernels/plasticity.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

template <>
inline constexpr bool differentiable<J2Law> = false;

/// J2 plasticity, in cells of all shapes.
constexpr LawWork make_plastic_work() {
  LawWork work = make_work<J2Law, false>(elastic_energy_at_points<Lanes>);
  work.internal = plastic_flow_at_points<Lanes>;
  work.dissipated = plastic_work_at_points<Lanes>;
  return work;
}
constexpr LawWork work = make_plastic_work();
const OwnWork j2{work, work};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
