#pragma once

/// @file
/// What stands for preCICE 3 where there is none: the calls that the body's coupling makes, with a partner inside. It
/// holds the caller to the contract of these calls and throws std::logic_error where that is broken.
///
/// The configuration is a text file of lines `name value`:
///
///     windows 8        time windows
///     window 0.1       their length
///     first 4          the windows that are over at the begin, where the partner goes on from a state of its own
///     iterations 3     how often each is taken
///     dimensions 3     of the mesh
///     scalar 1         the data have one component
///     force 2 0 0      amplitude of the partner's force F sin(rate t) on all vertices together
///     rate 5
///     share 0 0.2 1 0.8   in two dimensions: the parts of this force that the vertices at y = 0 and y = 1 have
///     spring 100       a spring to the ground, all vertices together, which the partner works out at windows' ends alone
///     waveform 1       ... at all times of which it is told: its force is the polynomial through these
///     samples 3        how often it is told in a window, at least
///     per_area 0.25    the data are tractions: each vertex has the force over this area
///     velocity 1 0 0   the velocity with which all vertices move, where that is what is written
///     connectivity 4   triangles that the mesh must have, in two dimensions edges
///     measure 2.5      ... and their area, or length
///
/// Vertices at one place, copies on several ranks, are one to the partner, whose force the last of these ranks receives;
/// they move alike.

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
  std::size_t own_ = 0;             // of this rank, copies included
  std::vector<bool> receives_;      // of these, whether their force arrives here
  std::vector<std::size_t> place_;  // of these, the same number for all copies
  int window_ = 0, iteration_ = 0;  // from 0
  double in_window_ = 0;            // how much of the window is over
  bool initialized_ = false, finalized_ = false, written_ = false, must_write_ = false, must_read_ = false;
  struct Sample {
    double time;  // in the window
    std::vector<double> values;
  };
  std::size_t dimensions_ = 3, components_ = 3;
  std::vector<double> places_, motion_;  // motion: last written
  std::vector<Sample> told_, wave_;      // of the motion, of the spring's force, from the window's begin on
};

}  // namespace precice
