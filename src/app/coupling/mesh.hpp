#pragma once

/// @file
/// Where a body and its partners meet: the vertices that the partners know, and the body's nodes behind them.

#include <gearshift/solid/body.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gearshift::app {

/// The vertices of a coupling's mesh. In three dimensions they are the nodes of some faces, each on the rank that owns it.
/// In two they are the lines of such nodes along z, seen from above: a force on one is shared out among its nodes by
/// their parts of the faces, and its motion is the mean of theirs with the same weights.
/// Where the vertices are connected, a rank has copies of other ranks' that its triangles or edges need: a conservative
/// mapping may leave a force with any of them, and all move alike.
class CouplingMesh {
 public:
  /// Of the body's faces, in 2 or 3 dimensions. Collective; the body must outlive it.
  static std::unique_ptr<CouplingMesh> make(const solid::Body& body, const std::vector<std::string>& faces,
                                            int dimensions, bool connected);
  virtual ~CouplingMesh() = default;

  /// Of this rank's vertices, one after the other [length].
  const std::vector<double>& places() const { return places_; }
  /// Vertices of this rank: the corners of triangles, in two dimensions the ends of edges. All ranks together have each
  /// of these once; empty where the vertices are not connected.
  virtual std::vector<int> connectivity() const = 0;
  /// values = the vertices' part of a field on the body, as many for each as there are dimensions. Collective.
  virtual void read(Vec field, std::span<double> values) const = 0;
  /// forces += the vertices' forces, all copies' together. Collective.
  virtual void add_forces(std::span<const double> values, Vec forces) const = 0;
  /// tractions = at the nodes, what the vertices have; zero elsewhere. Collective.
  virtual void set_tractions(std::span<const double> values, Vec tractions) const = 0;

 protected:
  std::vector<double> places_;
};

/// Returns the position of a node's component in arrays of three numbers a node.
inline std::size_t entry(PetscInt node, std::size_t component) {
  return 3 * static_cast<std::size_t>(node) + component;
}

/// That of two dimensions.
std::unique_ptr<CouplingMesh> make_coupling_lines(const solid::Body& body, const std::vector<std::string>& faces,
                                                  bool connected);

}  // namespace gearshift::app
