#pragma once

/// @file
/// A mesh of hexahedra or of tetrahedra on PETSc's DMPlex, with named faces and regions.

#include <gearshift/petsc/handle.hpp>
#include <gearshift/solid/element.hpp>

#include <petscdmplex.h>

#include <string>
#include <string_view>
#include <vector>

namespace gearshift::solid {

/// A distributed mesh of hexahedra or of tetrahedra whose faces and regions are called by name.
///
/// Cells are hexahedra or tetrahedra, one kind in a mesh, with straight edges (8 or 4 corners) or second-order ones (20 or
/// 27, or 10 nodes, curved). Every rank count
/// works, also more ranks than cells. Names are the physical names of a Gmsh file; a box's faces are called xmin xmax
/// ymin ymax zmin zmax; strata of PETSc's "Face Sets" and "Cell Sets" without names are called by their number.
/// Move-only; every function that is not const is collective. Throws MeshError (what, where, what to try), on all
/// ranks.
class GEARSHIFT_EXPORT Mesh {
 public:
  /// The mesh that PETSc's own keys describe, each with `prefix` behind its dash:
  ///
  /// | key | meaning |
  /// |---|---|
  /// | `-dm_plex_filename f.msh` | a Gmsh file (2.2, 4.0 or 4.1, ASCII or binary; order 1 or 2), or what PETSc reads |
  /// | `-dm_plex_gmsh_periodic 0` (without the prefix) | read a Gmsh file without its periodic links |
  /// | `-dm_plex_box_faces 16,4,4`, `-dm_plex_box_lower`, `-dm_plex_box_upper 4,1,1` | a box of hexahedra (the default) |
  /// | `-dm_plex_simplex 1` | that box of tetrahedra, six in the place of each hexahedron |
  /// | `-dm_refine n`, `-dm_refine_pre n` | n uniform refinements, each cell into 8; straight meshes only |
  /// | `-petscpartitioner_type` | how the mesh is distributed |
  ///
  /// Refused: no such file, no mesh in it, other cells or both kinds, two-dimensional or periodic meshes, refinement
  /// of curved meshes (PETSc 3.18 makes NaN of their coordinates), MSH 2.2 files in which an elementary tag equals a
  /// physical tag (PETSc would put foreign faces under the name). Gmsh files are checked by the first rank before PETSc
  /// reads them, once; the text names the line, or the byte of a binary file. Refused are: sections, counts and numbers
  /// that do not fit together, tags and elements given twice, references to what is not there, folded cells, cells that
  /// overlap or of which three share a face, faces of no cell. Nodes of no cell and bodies of their own are allowed; see
  /// remarks().
  static Mesh from_options(MPI_Comm comm, std::string_view prefix = {});

  /// Somebody's own DMPlex (interpolated, distributed, of hexahedra or of tetrahedra): shared, not copied. Cells of an
  /// overlap are ignored.
  static Mesh adopt(DM dm);

  /// The borrowed DMPlex.
  DM dm() const { return dm_.get(); }
  MPI_Comm comm() const { return comm_; }

  /// Of all cells.
  CellKind cell_kind() const { return cell_kind_; }

  /// 1: cells with straight edges; 2: second-order cells.
  int geometry_degree() const { return geometry_degree_; }

  /// Number of cells on all ranks.
  PetscInt global_cells() const { return global_cells_; }

  /// Whether cells have numbers that do not depend on the ranks: those of from_options() do, adopted ones do not. The
  /// same on all ranks.
  bool has_cell_numbers() const { return has_cell_numbers_; }
  /// The number of a cell of this rank, a point of the DMPlex, in the file or box (0 .. global_cells() - 1). Children of
  /// refined cells count 8 n .. 8 n + 7. Not collective.
  PetscInt cell_number(PetscInt point) const { return cell_numbers_[static_cast<std::size_t>(point)]; }

  /// Names that loads and supports can be given for; the same list on all ranks.
  const std::vector<std::string>& face_names() const { return face_names_; }
  /// Names that materials can be given for; the same list on all ranks.
  const std::vector<std::string>& region_names() const { return region_names_; }

  /// What was seen in a Gmsh file that is allowed and seldom meant, a line each: bodies that no node joins, physical
  /// groups that cannot be used. The same on all ranks.
  const std::vector<std::string>& remarks() const { return remarks_; }

  /// Where a name's faces or cells stand in the DMPlex: stratum `value` of label `label`.
  struct Group {
    std::string label;
    PetscInt value = 0;
  };
  /// Not collective. An unknown name throws MeshError, whose text lists the known ones.
  const Group& face(std::string_view name) const;
  const Group& region(std::string_view name) const;

 private:
  explicit Mesh(petsc::Handle<DM> dm);
  void inspect();
  void find_groups(bool box);
  petsc::Handle<DM> dm_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  CellKind cell_kind_ = CellKind::hexahedron;
  int geometry_degree_ = 1;
  PetscInt global_cells_ = 0;
  bool has_cell_numbers_ = false;
  std::vector<std::string> remarks_;
  std::vector<PetscInt> cell_numbers_;  // of the cells' points, which begin at 0
  std::vector<std::string> face_names_, region_names_;
  std::vector<Group> face_groups_, region_groups_;
};

}  // namespace gearshift::solid
