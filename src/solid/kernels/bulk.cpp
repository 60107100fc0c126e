/// The kernels of cells with a separate pressure, for the table of kernels.cpp.

#include "solid/kernels/loops/bulk_loops.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

extern const BulkKernels bulk_kernels;
const BulkKernels bulk_kernels{bulk_residual, bulk_linearize, bulk_apply, bulk_push, bulk_energy, bulk_at_points};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
