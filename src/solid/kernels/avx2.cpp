/// Kernels for x86-64 machines with AVX2 and FMA.

#define GEARSHIFT_KERNELS avx2
#include "solid/kernels/kernels.inc"
