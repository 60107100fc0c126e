/// The kernels of one instruction set as a table. This file and its neighbours levels.cpp and bulk.cpp are compiled
/// once for each instruction set, with GEARSHIFT_KERNELS, GEARSHIFT_KERNELS_NAME and GEARSHIFT_LANES defined.

#include "solid/kernels/loops/branch_loops.hpp"
#include "solid/kernels/loops/corner_matrix.hpp"
#include "solid/kernels/loops/force_loops.hpp"
#include "solid/kernels/loops/peak.hpp"
#include "solid/kernels/loops/point_values.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

extern const LevelKernels<double> level_kernels_in_double;
extern const LevelKernels<float> level_kernels_in_float;
extern const TangentKernels<double, float> lean_tangent_kernels;
extern const BulkKernels bulk_kernels;

#define GEARSHIFT_ADDRESS(name, functions) &name,
const OwnWork* const own_laws[own_law_count] = {GEARSHIFT_LAWS(GEARSHIFT_ADDRESS)};
#undef GEARSHIFT_ADDRESS

extern const Kernels table;
const Kernels table{GEARSHIFT_KERNELS_NAME,
                    for_element<[]<class Element>(auto&&... a) { ForceLoops<Element, Lanes>::residual(a...); }>,
                    for_element<[]<class Element>(auto&&... a) { ForceLoops<Element, Lanes>::derivative(a...); }>,
                    for_element<[]<class Element>(auto&&... a) { ForceLoops<Element, Lanes>::energy(a...); }>,
                    for_element<[]<class Element>(auto&&... a) { BranchLoops<Element, Lanes>::internal(a...); }>,
                    for_element<[]<class Element>(auto&&... a) { BranchLoops<Element, Lanes>::dissipation(a...); }>,
                    for_element<[]<class Element>(auto&&... a) { BranchLoops<Element, Lanes>::dissipated(a...); }>,
                    for_element<[]<class Element>(auto&&... a) { PointValueLoops<Element, Lanes>::run(a...); }>,
                    multiply_adds,
                    level_kernels_in_double,
                    level_kernels_in_float,
                    lean_tangent_kernels,
                    corner_matrix_of<Lanes, double>,
                    corner_matrix_of<Lanes, float>,
                    bulk_kernels};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
