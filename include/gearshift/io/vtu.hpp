#pragma once

/// @file
/// Frames as VTK XML files.

#include <gearshift/io/frame_writer.hpp>

namespace gearshift::io {

/// Returns the position of node (i, j, k), each 0..p, of a cell of degree p in a VTK_LAGRANGE_HEXAHEDRON (VTK's order
/// since file version 2.1): corners, edges, faces, inside.
GEARSHIFT_EXPORT int vtk_hexahedron_index(int i, int j, int k, int p);

/// Returns the position of an Element's node in a VTK_LAGRANGE_TETRAHEDRON: vertices, edges 01 12 20 03 13 23, faces
/// 013 123 023 012.
GEARSHIFT_EXPORT int vtk_tetrahedron_index(int node, int p);

/// Returns the position of an Element's node in a VTK_LAGRANGE_WEDGE of degree 1 or 2: vertices; edges 01 12 20 at the
/// bottom and at the top, then the edges between them; faces 0143 1254 2035.
GEARSHIFT_EXPORT int vtk_wedge_index(int node, int p);

/// Writes raw appended binary. Each rank with cells writes one .vtu; with several ranks a .pvtu joins them. write()
/// returns name.vtu on one rank, else name.pvtu, whose pieces are name_<rank>.vtu.
class GEARSHIFT_EXPORT VtuWriter : public FrameWriter {
 public:
  explicit VtuWriter(const solid::Space& space) : VtuWriter(space, solid::NodePlaces(space)) {}
  VtuWriter(const solid::Space& space, solid::NodePlaces places) : FrameWriter(space, std::move(places)) {}

 private:
  std::string write_files(const std::filesystem::path& folder, const std::string& name,
                          std::span<const PointField> fields, std::span<const CellField> cell_fields,
                          std::vector<std::filesystem::path>& written) const override;
  std::string piece(const std::vector<std::vector<double>>& values, std::span<const PointField> fields,
                    std::span<const CellField> cell_fields) const;
};

}  // namespace gearshift::io
