/// Kernels for any machine of the architecture, and the choice among the kernels.

#define GEARSHIFT_KERNELS portable
#include "solid/kernels/kernels.inc"

namespace gearshift::solid {

#if defined(GEARSHIFT_KERNELS_AVX2)
namespace avx2 {
extern const Kernels table;
}
#endif

const Kernels& kernels() {
#if defined(GEARSHIFT_KERNELS_AVX2)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2::table;
#endif
  return portable::table;
}

}  // namespace gearshift::solid
