#pragma once

/// @file
/// What stands for preCICE 3 where there is none: the calls that the body's coupling makes, with a partner inside. It
/// holds the caller to the contract of these calls and throws std::logic_error where that is broken.
///
/// The configuration is a text file of lines `name value`:
///
///     windows 8        time windows
///     window 0.1       their length
///     iterations 3     how often each is taken
///     dimensions 3     of the mesh
///     force 2 0 0      amplitude of the partner's force F sin(rate t) on all vertices together
///     rate 5
///     spring 100       a spring to the ground, all vertices together, which the partner works out at windows' ends alone
///     per_area 0.25    the data are tractions: each vertex has the force over this area
///     velocity 1 0 0   the velocity with which all vertices move, where that is what is written
///     connectivity 4   triangles that the mesh must have

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

  int getMeshDimensions(std::string_view mesh) const;
  bool requiresMeshConnectivityFor(std::string_view mesh) const;
  void setMeshVertices(std::string_view mesh, span<const double> positions, span<VertexID> ids);
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

  std::map<std::string, std::vector<double>> settings_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  double vertices_ = 0;             // of all ranks
  std::size_t own_ = 0;             // of this rank
  int window_ = 0, iteration_ = 0;  // from 0
  double in_window_ = 0;            // how much of the window is over
  bool initialized_ = false, finalized_ = false, written_ = false, must_write_ = false, must_read_ = false;
  std::vector<double> motion_;               // last written
  std::vector<double> spring_, spring_end_;  // its forces at the window's begin and end
};

}  // namespace precice
