#pragma once

/// @file
/// Fields on curved high-order cells as VTK files, without loss of degree.

#include <gearshift/petsc/error.hpp>
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

/// Writes nodal vector fields of a Space as VTK's Lagrange hexahedra, tetrahedra and wedges (cell types 72, 71 and 73) of
/// the space's degree: raw appended binary, doubles, node positions on the curved cells.
///
/// VTK's nodes are equidistant, the space's stand on Gauss-Lobatto points: positions and fields are evaluated at VTK's
/// nodes, and VTK's interpolation gives back the same polynomials. Each rank with cells writes one .vtu; with several
/// ranks a .pvtu joins them. Holds a reference to the space, which must outlive it.
class GEARSHIFT_EXPORT VtuWriter {
 public:
  struct PointField {
    const char* name;
    Vec values;  ///< layout of the space, borrowed
  };

  explicit VtuWriter(const solid::Space& space);
  ~VtuWriter();

  /// Writes the fields under `folder/name` and returns the name of the file to open: name.vtu on one rank, else
  /// name.pvtu with its pieces name_<rank>.vtu. The folder exists. Collective; throws IoError on all ranks.
  /// What fails leaves nothing of these files behind.
  std::string write(const std::filesystem::path& folder, const std::string& name,
                    std::span<const PointField> fields) const;

  /// Brings the files written since the last call to the disk. Collective; throws IoError on all ranks.
  void sync();

 private:
  void add_cell(PetscInt cell, const VtkCell& kind);
  std::vector<double> at_vtk_nodes(Vec values) const;
  std::string piece(const std::vector<std::vector<double>>& values, std::span<const PointField> fields) const;
  const solid::Space& space_;
  std::vector<VtkCell> kinds_;  // as the space's blocks
  std::vector<double> points_;
  std::vector<std::int64_t> connectivity_, offsets_;
  std::vector<std::uint8_t> types_;
  mutable std::vector<std::filesystem::path> unsynced_;  // of this rank
};

}  // namespace gearshift::io
