#pragma once

/// @file
/// A mesh of hexahedra, tetrahedra and wedges on PETSc's DMPlex, with named faces and regions.

#include <gearshift/petsc/handle.hpp>
#include <gearshift/solid/element.hpp>

#include <petscdmplex.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::solid {

/// A distributed mesh of hexahedra, tetrahedra and wedges (triangular prisms) with named faces and regions.
///
/// Cells may be of one kind or of several that share whole faces: hexahedra and wedges share quadrilaterals, tetrahedra
/// and wedges share triangles. They have straight edges (8, 4, 6 corners) or second-order ones (20 or 27, 10, 18 nodes,
/// curved). Any number of ranks works, even more ranks than cells. Names are the physical names of a Gmsh file; the
/// faces of a box are called xmin xmax ymin ymax zmin zmax; unnamed strata of PETSc's "Face Sets" and "Cell Sets" are
/// named by their numbers. Cells with their nodes in left-handed order (mirrored meshes) are used in right-handed
/// order.
/// Move-only; every function that is not const is collective. Throws MeshError on all ranks; its text gives the cause,
/// the place and a remedy.
class GEARSHIFT_EXPORT Mesh {
 public:
  /// Creates the mesh described by PETSc's own options, each with `prefix` after its dash:
  ///
  /// | key | meaning |
  /// |---|---|
  /// | `-dm_plex_filename f.msh` | Gmsh (2.2, 4.0, 4.1, ASCII or binary; order 1 or 2), or another format of PETSc |
  /// | `-dm_plex_gmsh_periodic 0` (without the prefix) | ignore the periodic links of a Gmsh file |
  /// | `-dm_plex_box_faces 16,4,4`, `-dm_plex_box_lower`, `-dm_plex_box_upper 4,1,1` | a box of hexahedra (default) |
  /// | `-dm_plex_simplex 1` | the same box of tetrahedra, six for each hexahedron |
  /// | `-dm_plex_cell triangular_prism` | the same box of wedges along z, two for each hexahedron |
  /// | `-dm_refine n`, `-dm_refine_pre n` | n uniform refinements, each cell into 8; straight meshes only |
  /// | `-petscpartitioner_type` | the partitioner of the mesh; without it each rank makes a part of a box |
  ///
  /// Refused are: a missing file, a file without a mesh, other cells (pyramids), two-dimensional or periodic meshes,
  /// refinement of curved meshes (PETSc 3.18 turns their coordinates into NaN). The first rank reads and checks a Gmsh
  /// file, without PETSc's reader, and sends each rank its cells; the error gives the line, or the byte of a binary
  /// file. Refused there are:
  /// inconsistent sections, counts and numbers, duplicate tags and elements, references to missing nodes, folded cells,
  /// overlapping cells, three cells on one face, faces that belong to no cell. Unused nodes and separate bodies are
  /// allowed; see remarks().
  static Mesh from_options(MPI_Comm comm, std::string_view prefix = {});

  /// Uses an existing DMPlex (interpolated, distributed, of hexahedra, tetrahedra and wedges): shared, not copied.
  /// Cells of an overlap are ignored.
  static Mesh adopt(DM dm);

  /// Returns the DMPlex, borrowed.
  DM dm() const { return dm_.get(); }
  MPI_Comm comm() const { return comm_; }

  /// Returns the kinds of cells, in the order of CellKind; equal on all ranks.
  const std::vector<CellKind>& cell_kinds() const { return cell_kinds_; }

  /// Returns 1 for cells with straight edges, 2 for second-order cells.
  int geometry_degree() const { return geometry_degree_; }

  /// Returns the number of cells on all ranks.
  PetscInt global_cells() const { return global_cells_; }

  /// Returns true if cells have numbers that do not depend on the distribution: true for from_options(), false for
  /// adopted meshes. Equal on all ranks.
  bool has_cell_numbers() const { return has_cell_numbers_; }
  /// Returns the number of a cell of this rank, a point of the DMPlex, in the file or box (0 .. global_cells() - 1).
  /// The children of a refined cell n have the numbers 8 n .. 8 n + 7. Not collective.
  PetscInt cell_number(PetscInt point) const { return cell_numbers_[static_cast<std::size_t>(point)]; }

  /// Returns the names that loads and supports can refer to; the list is equal on all ranks.
  const std::vector<std::string>& face_names() const { return face_names_; }
  /// Returns the names of curves and points, physical groups of a Gmsh file that supports can refer to; the list is
  /// equal on all ranks.
  const std::vector<std::string>& curve_names() const { return curve_names_; }
  /// Returns the names that materials can refer to; the list is equal on all ranks.
  const std::vector<std::string>& region_names() const { return region_names_; }

  /// Returns properties of a Gmsh file that are allowed but rarely intended, one per line: bodies without a common
  /// node, physical groups that cannot be used. Equal on all ranks.
  const std::vector<std::string>& remarks() const { return remarks_; }

  /// Returns the largest memory [bytes] that this process had used when a Gmsh file had been read and checked, before
  /// the mesh was made; nullopt for other meshes, and for those that are not distributed. Not collective.
  std::optional<double> peak_after_reading() const { return peak_after_reading_; }

  /// The faces or cells of a name in the DMPlex: stratum `value` of label `label`.
  struct Group {
    std::string label;
    PetscInt value = 0;
  };
  /// Return the DMPlex stratum of a name. Not collective. Throws MeshError for an unknown name, listing the known ones.
  const Group& face(std::string_view name) const;
  const Group& region(std::string_view name) const;
  /// Returns the stratum of edges and vertices of a name.
  const Group& curve(std::string_view name) const;
  /// Returns the position of a named point that consists of one vertex; nullopt for curves and for several points.
  /// Collective.
  std::optional<Vec3> point(std::string_view name) const;

 private:
  explicit Mesh(petsc::Handle<DM> dm);
  void inspect();
  void find_groups(bool box);
  petsc::Handle<DM> dm_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::vector<CellKind> cell_kinds_;
  int geometry_degree_ = 1;
  PetscInt global_cells_ = 0;
  bool has_cell_numbers_ = false;
  std::vector<std::string> remarks_;
  std::optional<double> peak_after_reading_;
  std::vector<PetscInt> cell_numbers_;  // of the cells' points, whose numbers begin at 0
  std::vector<std::string> face_names_, region_names_, curve_names_;
  std::vector<Group> face_groups_, region_groups_, curve_groups_;
};

}  // namespace gearshift::solid
