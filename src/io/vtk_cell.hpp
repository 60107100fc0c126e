#pragma once

/// @file
/// Cells in VTK's form: Lagrange cells with equidistant nodes.

#include <gearshift/solid/element.hpp>

#include <cstdint>
#include <vector>

namespace gearshift::io {

/// One kind of cell of one degree.
struct VtkCell {
  explicit VtkCell(const solid::Element& element);

  std::uint8_t type = 0;                 ///< VTK's number of the cell type
  std::vector<solid::Vec3> equidistant;  ///< reference positions of the nodes, in the element's order
  std::vector<int> order;                ///< positions of these nodes in VTK's cell
  int line = 0;                          ///< nodes per direction of a tensor product, else 0
  /// Matrix from nodal values, for one direction of a tensor product, else for all nodes; empty: the nodes are already
  /// equidistant.
  std::vector<double> to_equidistant;

  /// Replaces nodal values, with this number of components per node, by values at VTK's nodes.
  void transform(std::size_t components, std::vector<double>& values, std::vector<double>& work) const;

 private:
  void make_hexahedron(const solid::Element& element);
  void make_tetrahedron(const solid::Element& element);
  void make_wedge(const solid::Element& element);
};

}  // namespace gearshift::io
