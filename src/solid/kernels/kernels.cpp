/// The kernels of one instruction set as a table. Compiled once for each, with GEARSHIFT_KERNELS,
/// GEARSHIFT_KERNELS_NAME and GEARSHIFT_LANES given.

#include "solid/kernels/branch_loops.hpp"
#include "solid/kernels/bulk_loops.hpp"
#include "solid/kernels/corner_matrix.hpp"
#include "solid/kernels/diagonal.hpp"
#include "solid/kernels/force_loops.hpp"
#include "solid/kernels/peak.hpp"
#include "solid/kernels/point_values.hpp"
#include "solid/kernels/tangent_loops.hpp"
#include "solid/kernels/transfers.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

template <class P, class Data>
constexpr TangentKernels<typename P::Scalar, Data> tangent_kernels{linearize<P, Data>, apply<P, Data>,
                                                                   diagonal<P, Data>};
template <class P, class T = typename P::Scalar>
constexpr LevelKernels<T> level_kernels{P::width, tangent_kernels<P, T>, {prolong<P>, restrict_fine<P>}};

#define GEARSHIFT_ADDRESS(name, functions) &name,
const OwnWork* const own_laws[own_law_count] = {GEARSHIFT_LAWS(GEARSHIFT_ADDRESS)};
#undef GEARSHIFT_ADDRESS

extern const Kernels table;
const Kernels table{GEARSHIFT_KERNELS_NAME,
                    residual,
                    derivative,
                    energy,
                    internal,
                    dissipation,
                    dissipated,
                    values_at_points,
                    multiply_adds,
                    level_kernels<Lanes>,
                    level_kernels<SingleLanes>,
                    tangent_kernels<Lanes, float>,
                    corner_matrix_of<Lanes, double>,
                    corner_matrix_of<Lanes, float>,
                    {bulk_residual, bulk_linearize, bulk_apply, bulk_push, bulk_energy, bulk_at_points}};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
