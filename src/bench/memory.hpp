#pragma once

/// @file
/// Memory of a run's parts.

#include <gearshift/io/summary.hpp>

#include <mpi.h>

namespace gearshift::bench {

/// What the mesh, and what the rest of a run takes, summed over the ranks and beyond what the program itself had
/// taken. Every call is collective on `comm`.
class MemoryWatch {
 public:
  /// To be made before the mesh.
  explicit MemoryWatch(MPI_Comm comm);
  void mesh_is_made();
  /// Adds, in bytes for each of `dofs` unknowns (null where unknown):
  ///
  /// | field | meaning |
  /// |---|---|
  /// | memory_B/DoF | most that was resident at any time, the making of the mesh included |
  /// | memory_mesh_B/DoF | what the finished mesh keeps |
  /// | memory_solver_B/DoF | most that the rest took beyond that |
  /// | memory_petsc_B/DoF | most that PETSc saw when it destroyed objects, beyond the start |
  void report(io::Summary& line, double dofs) const;

 private:
  MPI_Comm comm_;
  double start_, mesh_ = 0, mesh_peak_ = 0;
  bool restarted_ = false;
};

}  // namespace gearshift::bench
