/// The kernels of cells with a separate pressure, for the table of kernels.cpp.

#include "solid/kernels/loops/bulk_loops.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

extern const BulkKernels bulk_kernels;
const BulkKernels bulk_kernels{
    for_element<[]<class Element>(auto&&... a) { BulkLoops<Element, Lanes>::residual(a...); }>,
    for_element<[]<class Element>(auto&&... a) { BulkLoops<Element, Lanes>::linearize(a...); }>,
    for_element<[]<class Element>(auto&&... a) { BulkLoops<Element, Lanes>::answer(a...); }>,
    for_element<[]<class Element>(auto&&... a) { BulkLoops<Element, Lanes>::template apply<double>(a...); }>,
    for_element<[]<class Element>(auto&&... a) { BulkLoops<Element, Lanes>::template apply<float>(a...); }>,
    for_element<[]<class Element>(auto&&... a) { BulkLoops<Element, Lanes>::push(a...); }>,
    for_element<[]<class Element>(auto&&... a) { BulkLoops<Element, Lanes>::energy(a...); }>,
    for_element<[]<class Element>(auto&&... a) { BulkLoops<Element, Lanes>::at_points(a...); }>};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
