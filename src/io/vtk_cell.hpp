#pragma once

/// @file
/// Cells as VTK has them: Lagrange cells on equidistant nodes.

#include <gearshift/solid/element.hpp>

#include <cstdint>
#include <vector>

namespace gearshift::io {

/// One kind of cell at one degree.
struct VtkCell {
  explicit VtkCell(const solid::Element& element);

  std::uint8_t type = 0;                 ///< VTK's number of the kind
  std::vector<solid::Vec3> equidistant;  ///< reference positions, in the element's order
  std::vector<int> order;                ///< their positions in VTK's cell
  int line = 0;                          ///< nodes in a direction of tensor products, else 0
  /// From nodal values, by one direction of tensor products, else by all nodes; empty: the nodes are equidistant.
  std::vector<double> to_equidistant;

  /// Nodal values, so many a node, become values at VTK's nodes.
  void transform(std::size_t components, std::vector<double>& values, std::vector<double>& work) const;

 private:
  void make_hexahedron(const solid::Element& element);
  void make_tetrahedron(const solid::Element& element);
  void make_wedge(const solid::Element& element);
};

}  // namespace gearshift::io
