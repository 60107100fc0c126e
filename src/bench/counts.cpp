#include "bench/counts.hpp"

#include "bench/measure.hpp"

#include <petscsys.h>

#include <limits>

namespace gearshift::bench {

Counts counts() {
#if defined(PETSC_USE_LOG)
  return {petsc_isend_ct + petsc_send_ct, petsc_isend_len + petsc_send_len,
          petsc_allreduce_ct + petsc_gather_ct + petsc_scatter_ct};
#else
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  return {unknown, unknown, unknown};
#endif
}

Counts largest(MPI_Comm comm, Counts mine) {
  double values[] = {mine.messages, mine.bytes, mine.reductions};
  MPI_Allreduce(MPI_IN_PLACE, values, 3, MPI_DOUBLE, MPI_MAX, comm);
  return {values[0], values[1], values[2]};
}

void add(io::Summary& line, const std::string& of, Counts counts) {
  add_measured(line, "messages_" + of, counts.messages);
  add_measured(line, "bytes_" + of, counts.bytes);
  add_measured(line, "reductions_" + of, counts.reductions);
}

}  // namespace gearshift::bench
