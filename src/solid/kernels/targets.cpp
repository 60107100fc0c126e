/// The choice among the instruction sets for which the kernels are compiled.

#include <gearshift/petsc/error.hpp>

#include "solid/kernels/block_table.hpp"

#include <cstring>

namespace gearshift::solid {

// cmake/laws.cmake defines the available sets.
#define GEARSHIFT_DECLARE(set)           \
  namespace set {                        \
  extern const Kernels table;            \
  extern const BlockKernels block_table; \
  }
#if defined(GEARSHIFT_WITH_BASELINE)
GEARSHIFT_DECLARE(baseline)
#endif
#if defined(GEARSHIFT_WITH_AVX2)
GEARSHIFT_DECLARE(avx2)
#endif
#if defined(GEARSHIFT_WITH_AVX512)
GEARSHIFT_DECLARE(avx512)
#endif
#undef GEARSHIFT_DECLARE

namespace {

/// The usable instruction sets, from the narrowest to the widest.
struct Known {
  struct Set {
    const Kernels* kernels;
    const BlockKernels* blocks;
  };
  Set sets[3] = {};
  int count = 0;
  char names[64] = "";
  Known() {
#if defined(GEARSHIFT_WITH_BASELINE)
    add({&baseline::table, &baseline::block_table}, true);
#endif
#if defined(GEARSHIFT_WITH_AVX2)
    add({&avx2::table, &avx2::block_table}, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
#endif
#if defined(GEARSHIFT_WITH_AVX512)
    add({&avx512::table, &avx512::block_table},
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx512f") &&
            __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
            __builtin_cpu_supports("avx512bw"));
#endif
  }
  /// Adds a set, unless this machine does not support it.
  void add(const Set& set, bool usable) {
    if (!usable) return;
    if (count > 0) std::strcat(names, ", ");
    std::strcat(names, set.kernels->name);
    sets[count++] = set;
  }
};

const Known& known() {
  static const Known result;
  return result;
}

}  // namespace

const Kernels* find_kernels(const char* name) {
  const Known& all = known();
  if (all.count == 0)
    throw Error(
        "gearshift was built for the instruction set of another machine and cannot run on this one; rebuild "
        "it here, or with -DGEARSHIFT_KERNELS=all for any machine of this architecture");
  if (std::strcmp(name, "auto") == 0) return all.sets[all.count - 1].kernels;
  for (int i = 0; i < all.count; ++i)
    if (std::strcmp(all.sets[i].kernels->name, name) == 0) return all.sets[i].kernels;
  return nullptr;
}

const BlockKernels& block_kernels(const Kernels& kernels) {
  int i = 0;
  while (known().sets[i].kernels != &kernels) ++i;
  return *known().sets[i].blocks;
}

const char* kernel_names() { return known().names; }

}  // namespace gearshift::solid
