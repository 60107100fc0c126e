/// Compiled once for each instruction set, with GEARSHIFT_KERNELS, GEARSHIFT_KERNELS_NAME and GEARSHIFT_LANES given.

#include "solid/kernels/kernels.inc"
