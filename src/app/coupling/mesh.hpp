#pragma once

/// @file
/// The interface between a body and its partners: the vertices known to the partners, and the nodes of the body that
/// belong to them.

#include <gearshift/solid/body.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gearshift::app {

/// The vertices of a coupling mesh. In three dimensions they are the nodes of some faces, each on the rank that owns
/// it. In two dimensions they are lines of such nodes along z: a force on a vertex is distributed over the nodes of its
/// line in proportion to their parts of the face area, and the motion of the vertex is the mean of the nodal motions
/// with the same weights. If the vertices are connected, a rank also has copies of vertices of other ranks that its
/// triangles or edges need: a conservative mapping may assign a force to any of the copies, and all copies have the
/// same motion.
class CouplingMesh {
 public:
  /// Creates the mesh of these faces of the body, in 2 or 3 dimensions. Collective; the body must outlive it.
  static std::unique_ptr<CouplingMesh> make(const solid::Body& body, const std::vector<std::string>& faces,
                                            int dimensions, bool connected);
  virtual ~CouplingMesh() = default;

  /// Returns the coordinates of this rank's vertices, vertex by vertex [length].
  const std::vector<double>& places() const { return places_; }
  /// Returns indices of this rank's vertices: the corners of triangles or, in two dimensions, the ends of edges. Each
  /// triangle or edge is on one rank only. Empty if the vertices are not connected.
  virtual std::vector<int> connectivity() const = 0;
  /// Sets `values` to a field of the body at the vertices, one value per dimension and vertex. Collective.
  virtual void read(Vec field, std::span<double> values) const = 0;
  /// Adds the forces of the vertices, summed over all copies, to `forces`. Collective.
  virtual void add_forces(std::span<const double> values, Vec forces) const = 0;
  /// Sets `tractions` at the nodes to the values of their vertices, and to zero elsewhere. Collective.
  virtual void set_tractions(std::span<const double> values, Vec tractions) const = 0;

 protected:
  std::vector<double> places_;
};

/// Returns the index of a component of a node in arrays with three numbers per node.
inline std::size_t entry(PetscInt node, std::size_t component) {
  return 3 * static_cast<std::size_t>(node) + component;
}

/// Creates the mesh in two dimensions.
std::unique_ptr<CouplingMesh> make_coupling_lines(const solid::Body& body, const std::vector<std::string>& faces,
                                                  bool connected);

}  // namespace gearshift::app
