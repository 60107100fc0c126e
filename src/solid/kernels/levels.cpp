/// The kernels of multigrid levels, for the table of kernels.cpp.

#include "solid/kernels/loops/diagonal.hpp"
#include "solid/kernels/loops/tangent_loops.hpp"
#include "solid/kernels/loops/transfers.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

template <class P, class Data>
constexpr TangentKernels<typename P::Scalar, Data> tangent_kernels{linearize<P, Data>, apply<P, Data>,
                                                                   diagonal<P, Data>};
template <class P, class T = typename P::Scalar>
constexpr LevelKernels<T> level_kernels{P::width, tangent_kernels<P, T>, {prolong<P>, restrict_fine<P>}};

extern const LevelKernels<double> level_kernels_in_double;
extern const LevelKernels<float> level_kernels_in_float;
extern const TangentKernels<double, float> lean_tangent_kernels;

const LevelKernels<double> level_kernels_in_double = level_kernels<Lanes>;
const LevelKernels<float> level_kernels_in_float = level_kernels<SingleLanes>;
const TangentKernels<double, float> lean_tangent_kernels = tangent_kernels<Lanes, float>;

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
