#pragma once

/// @file
/// Fields on curved high-order cells as VTK files, without loss of degree.

#include <gearshift/petsc/error.hpp>
#include <gearshift/solid/node_places.hpp>
#include <gearshift/solid/space.hpp>

#include <petscvec.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace gearshift::io {

/// Position in a VTK_LAGRANGE_HEXAHEDRON (VTK's order since file version 2.1) of node (i, j, k), each 0..p, of a cell
/// of degree p: corners, edges, faces, inside.
GEARSHIFT_EXPORT int vtk_hexahedron_index(int i, int j, int k, int p);

/// Position in a VTK_LAGRANGE_TETRAHEDRON of an Element's node: vertices, edges 01 12 20 03 13 23, faces 013 123 023 012.
GEARSHIFT_EXPORT int vtk_tetrahedron_index(int node, int p);

/// Position in a VTK_LAGRANGE_WEDGE of degree 1 or 2 of an Element's node: vertices; edges 01 12 20 below and above, then
/// those between; faces 0143 1254 2035.
GEARSHIFT_EXPORT int vtk_wedge_index(int node, int p);

struct VtkCell;

/// Writes nodal fields of a Space as VTK's Lagrange hexahedra, tetrahedra and wedges (cell types 72, 71 and 73) of
/// the space's degree: raw appended binary, doubles, node positions on the curved cells.
///
/// VTK's nodes are equidistant, the space's stand on Gauss-Lobatto points: positions and fields are evaluated at VTK's
/// nodes, and VTK's interpolation gives back the same polynomials. Where fields jump, nodes have a point for each of their
/// places. Each rank with cells writes one .vtu; with several ranks a .pvtu joins them. Holds a reference to the space,
/// which must outlive it.
class GEARSHIFT_EXPORT VtuWriter {
 public:
  /// A vector field, or one of any number of components that may jump.
  struct PointField {
    const char* name;
    Vec values = nullptr;                    ///< layout of the space, borrowed; or
    std::span<const double> at_places = {};  ///< [place][components]
    int components = 3;
  };
  /// A whole number for each cell of the rank.
  struct CellField {
    const char* name;
    std::span<const int> values;
  };

  explicit VtuWriter(const solid::Space& space) : VtuWriter(space, solid::NodePlaces(space)) {}
  VtuWriter(const solid::Space& space, solid::NodePlaces places);
  ~VtuWriter();

  /// Writes the fields under `folder/name` and returns the name of the file to open: name.vtu on one rank, else
  /// name.pvtu with its pieces name_<rank>.vtu. The folder exists. Collective; throws IoError on all ranks.
  /// What fails leaves nothing of these files behind.
  std::string write(const std::filesystem::path& folder, const std::string& name, std::span<const PointField> fields,
                    std::span<const CellField> cell_fields = {}) const;

  /// Brings the files written since the last call to the disk. Collective; throws IoError on all ranks.
  void sync();

 private:
  void add_cell(PetscInt cell, const VtkCell& kind);
  std::vector<double> at_vtk_nodes(const PointField& field) const;
  std::string piece(const std::vector<std::vector<double>>& values, std::span<const PointField> fields,
                    std::span<const CellField> cell_fields) const;
  const solid::Space& space_;
  solid::NodePlaces places_;
  std::vector<VtkCell> kinds_;  // as the space's blocks
  std::vector<double> points_;
  std::vector<std::int64_t> connectivity_, offsets_;
  std::vector<std::uint8_t> types_;
  mutable std::vector<std::filesystem::path> unsynced_;  // of this rank
};

}  // namespace gearshift::io
