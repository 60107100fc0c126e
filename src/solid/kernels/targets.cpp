/// The choice among the instruction sets that the kernels are compiled for.

#include "solid/kernels/block_table.hpp"

#include <cstring>

namespace gearshift::solid {

namespace baseline {
extern const Kernels table;
extern const BlockKernels block_table;
}  // namespace baseline
#if defined(GEARSHIFT_KERNELS_X86)
namespace avx2 {
extern const Kernels table;
extern const BlockKernels block_table;
}  // namespace avx2
namespace avx512 {
extern const Kernels table;
extern const BlockKernels block_table;
}  // namespace avx512
#endif

namespace {

/// From the narrowest up; those that this machine lacks are left out.
struct Known {
  const Kernels* tables[3] = {&baseline::table, nullptr, nullptr};
  int count = 1;
  char names[64] = "";
  Known() {
#if defined(GEARSHIFT_KERNELS_X86)
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (has_avx2) tables[count++] = &avx2::table;
    if (has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
      tables[count++] = &avx512::table;
#endif
    for (int i = 0; i < count; ++i) {
      if (i > 0) std::strcat(names, ", ");
      std::strcat(names, tables[i]->name);
    }
  }
};

const Known& known() {
  static const Known result;
  return result;
}

}  // namespace

const Kernels* find_kernels(const char* name) {
  if (std::strcmp(name, "auto") == 0) return known().tables[known().count - 1];
  for (int i = 0; i < known().count; ++i)
    if (std::strcmp(known().tables[i]->name, name) == 0) return known().tables[i];
  return nullptr;
}

const BlockKernels& block_kernels([[maybe_unused]] const Kernels& kernels) {
#if defined(GEARSHIFT_KERNELS_X86)
  if (&kernels == &avx512::table) return avx512::block_table;
  if (&kernels == &avx2::table) return avx2::block_table;
#endif
  return baseline::block_table;
}

const char* kernel_names() { return known().names; }

}  // namespace gearshift::solid
