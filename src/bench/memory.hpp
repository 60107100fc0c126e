#pragma once

/// @file
/// The memory of the parts of a run.

#include <gearshift/io/summary.hpp>

#include <mpi.h>

namespace gearshift::bench {

/// Measures the memory of the mesh and of the rest of a run, summed over the ranks and without the memory of the
/// program itself. Every call is collective on `comm`.
class MemoryWatch {
 public:
  /// To be created before the mesh.
  explicit MemoryWatch(MPI_Comm comm);
  /// To be called once the mesh is finished.
  void mesh_is_made();
  /// To be called once everything is set up, before the first solve; optional.
  void set_up_is_done();
  /// Adds these values, in bytes per unknown of the `dofs` unknowns (null if not available):
  ///
  /// | field | meaning |
  /// |---|---|
  /// | memory_B/DoF | largest resident memory at any time, including the creation of the mesh |
  /// | memory_mesh_B/DoF | memory of the finished mesh |
  /// | memory_solver_B/DoF | largest memory of the rest of the run, in addition to the mesh |
  /// | memory_petsc_B/DoF | largest memory seen by PETSc when it destroyed objects, without that at the start |
  /// | mesh_peak/share | largest memory of a rank while the mesh was created, divided by the mean of the finished mesh |
  /// | setup_peak/share | the same until set_up_is_done(), divided by the mean then; mean over the ranks |
  void report(io::Summary& line, double dofs) const;

 private:
  MPI_Comm comm_;
  double own_start_, start_, mesh_ = 0, mesh_peak_ = 0;
  double fullest_ = 0, set_up_ = 0, set_up_fullest_ = 0;  // of the mesh and of the set-up, without own_start_
  bool restarted_ = false;
};

}  // namespace gearshift::bench
