#pragma once

/// @file
/// A stand-in for preCICE 3 on machines without it: the calls made by the body's coupling, with a partner inside. It
/// checks the contract of these calls and throws std::logic_error if the caller violates it.
///
/// The configuration is a text file of lines `name value`:
///
///     windows 8        number of time windows
///     window 0.1       their length
///     first 4          number of windows already completed, if the partner continues from its own saved state
///     iterations 3     number of iterations of each window
///     dimensions 3     of the mesh
///     scalar 1         the data have one component
///     force 2 0 0      amplitude of the partner's force F sin(rate t) on all vertices together
///     rate 5
///     share 0 0.2 1 0.8   in two dimensions: the shares of this force at the vertices with y = 0 and y = 1
///     spring 100       a spring to the ground for all vertices together, evaluated at the ends of windows only
///     waveform 1       ... at all received times: its force is the polynomial through these values
///     samples 3        minimum number of samples per window
///     per_area 0.25    the data are tractions: each vertex has the force over this area
///     velocity 1 0 0   the velocity of all vertices, if velocities are written
///     connectivity 4   number of triangles that the mesh must have, in two dimensions of edges
///     measure 2.5      ... and their area, or length
///
/// Vertices at one position, copies on several ranks, are one vertex for the partner, whose force is received by the
/// last of these ranks; they have the same motion.

#include <mpi.h>

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace precice {

using VertexID = int;
template <class T>
using span = std::span<T>;

class Participant {
 public:
  Participant(std::string_view name, std::string_view configuration, int rank, int size, void* communicator);

  Participant(std::string_view name, std::string_view configuration, int rank, int size);

  int getMeshDimensions(std::string_view mesh) const;
  bool requiresMeshConnectivityFor(std::string_view mesh) const;
  void setMeshVertices(std::string_view mesh, span<const double> positions, span<VertexID> ids);
  void setMeshEdges(std::string_view mesh, span<const VertexID> ends);
  void setMeshTriangles(std::string_view mesh, span<const VertexID> corners);
  bool requiresInitialData();
  void initialize();
  void advance(double dt);
  void finalize();

  bool isCouplingOngoing() const;
  double getMaxTimeStepSize() const;
  bool requiresWritingCheckpoint();
  bool requiresReadingCheckpoint();

  void readData(std::string_view mesh, std::string_view data, span<const VertexID> ids, double time,
                span<double> values) const;
  void writeData(std::string_view mesh, std::string_view data, span<const VertexID> ids, span<const double> values);

 private:
  double number(const char* name, double otherwise) const;
  void require_mesh(std::string_view mesh) const;
  void require_ids(span<const VertexID> ids) const;
  void require_parts(span<const VertexID> corners, std::size_t of_each) const;
  double share(std::size_t vertex) const;
  double measure(span<const VertexID> part) const;
  void find_copies();
  void compare_copies() const;
  double spring_force(std::size_t entry, double time) const;

  std::map<std::string, std::vector<double>> settings_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  double vertices_ = 0;             // of all ranks, copies counted once
  std::size_t own_ = 0;             // on this rank, including copies
  std::vector<bool> receives_;      // for these, true if their force is received here
  std::vector<std::size_t> place_;  // for these, one number for all copies
  int window_ = 0, iteration_ = 0;  // from 0
  double in_window_ = 0;            // time since the start of the window
  bool initialized_ = false, finalized_ = false, written_ = false, must_write_ = false, must_read_ = false;
  struct Sample {
    double time;  // since the start of the window
    std::vector<double> values;
  };
  std::size_t dimensions_ = 3, components_ = 3;
  std::vector<double> places_, motion_;  // positions of the vertices, and their motion as last written
  std::vector<Sample> told_, wave_;      // samples of motion and spring's force since the window's start
};

}  // namespace precice
