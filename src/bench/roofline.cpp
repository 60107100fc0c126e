#include "bench/roofline.hpp"

#include <gearshift/petsc/error.hpp>

#include "bench/measure.hpp"
#include "solid/kernels/table.hpp"
#include "solid/operator/large_array.hpp"

namespace gearshift::bench {

Machine measure_machine(MPI_Comm comm, const std::string& simd, int repeat) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  constexpr std::size_t size = std::size_t{1} << 23;  // 64 MiB per array
  solid::LargeArray<double> x(size, 0.0), y(size, 1.0), z(size, 2.0);
  const Seconds triad = measure(comm, repeat, [&] {
    for (std::size_t i = 0; i < size; ++i) x[i] = y[i] + 3 * z[i];
    volatile double keep = x[size / 2];
    (void)keep;
  });
  const solid::Kernels* kernels = solid::find_kernels(simd.c_str());
  if (!kernels) throw OptionError("option -solid_simd: '" + simd + "' is not available on this machine");
  constexpr long rounds = 20000000;
  double operations = 0;
  const Seconds peak = measure(comm, repeat, [&] { operations = kernels->multiply_adds(rounds); });
  return {static_cast<double>(ranks) * 24 * static_cast<double>(size) / triad.clock,
          static_cast<double>(ranks) * operations / peak.clock};
}

}  // namespace gearshift::bench
