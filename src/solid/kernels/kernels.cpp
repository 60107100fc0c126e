/// The kernels of one instruction set as a table. Compiled once for each, with GEARSHIFT_KERNELS, GEARSHIFT_KERNELS_NAME
/// and GEARSHIFT_LANES given.

#include "solid/kernels/branch_loops.hpp"
#include "solid/kernels/corner_matrix.hpp"
#include "solid/kernels/diagonal.hpp"
#include "solid/kernels/force_loops.hpp"
#include "solid/kernels/peak.hpp"
#include "solid/kernels/tangent_loops.hpp"
#include "solid/kernels/transfers.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

extern const Kernels table;
const Kernels table{GEARSHIFT_KERNELS_NAME,
                    lanes,
                    residual,
                    derivative,
                    energy,
                    internal,
                    dissipation,
                    multiply_adds,
                    {linearize<Lanes, double>, apply<Lanes, double>, diagonal<Lanes, double>},
                    {linearize<Lanes, float>, apply<Lanes, float>, diagonal<Lanes, float>},
                    corner_matrix_of<Lanes, double>,
                    corner_matrix_of<Lanes, float>,
                    single_lanes,
                    {linearize<SingleLanes, float>, apply<SingleLanes, float>, diagonal<SingleLanes, float>},
                    {prolong<SingleLanes>, restrict_fine<SingleLanes>}};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
