#include <gearshift/petsc/options.hpp>
#include <gearshift/solid/mesh.hpp>

#include "petsc/agree.hpp"
#include "petsc/option_override.hpp"
#include "solid/mesh/cell_advice.hpp"
#include "solid/mesh/cell_coordinates.hpp"
#include "solid/mesh/distribution.hpp"
#include "solid/mesh/gmsh_file.hpp"
#include "solid/mesh/plex.hpp"
#include "solid/mesh/simplex_box.hpp"

#include <petscdmplex.h>

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>

namespace gearshift::solid {
namespace {

using petsc::check;

std::string joined(const std::vector<std::string>& names) {
  if (names.empty()) return "none";
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

PetscInt integer_option(const std::string& key, PetscInt value) {
  PetscBool set = PETSC_FALSE;
  check(PetscOptionsGetInt(nullptr, nullptr, key.c_str(), &value, &set));
  return value;
}

/// Why the cells of this rank cannot be used, or an empty text.
std::string refuse_cells(DM dm) {
  PetscInt dimension = 0, embedding = 0, first = 0, last = 0;
  check(DMGetDimension(dm, &dimension));
  check(DMGetCoordinateDim(dm, &embedding));
  if (dimension != 3 || embedding != 3)
    return "the mesh has dimension " + std::to_string(dimension) + " in a space of dimension " +
           std::to_string(embedding) +
           "; give a mesh of hexahedra or of tetrahedra (for plane strain: one layer of hexahedra, both sides fixed)";
  check(DMPlexGetHeightStratum(dm, 0, &first, &last));
  DMPolytopeType kind = DM_POLYTOPE_UNKNOWN;
  for (PetscInt cell = first; cell < last; ++cell) {
    DMPolytopeType type = DM_POLYTOPE_UNKNOWN;
    check(DMPlexGetCellType(dm, cell, &type));
    if (cell == first) kind = type;
    if (type != DM_POLYTOPE_HEXAHEDRON && type != DM_POLYTOPE_TETRAHEDRON)
      return "cell " + std::to_string(cell) + " of the mesh is a " + DMPolytopeTypes[type] + cell_advice;
    if (type != kind)
      return std::string("the mesh has both hexahedra and tetrahedra: cell ") + std::to_string(cell) + " is a " +
             DMPolytopeTypes[type] + ", cell " + std::to_string(first) + " a " + DMPolytopeTypes[kind] + cell_advice;
  }
  return {};
}

/// Whether coordinates stand on vertices.
bool on_vertices(DM dm) {
  PetscSection section = nullptr;
  PetscInt first = 0, last = 0, begin = 0, end = 0;
  check(DMGetCoordinateSection(dm, &section));
  check(PetscSectionGetChart(section, &begin, &end));
  check(DMPlexGetDepthStratum(dm, 0, &first, &last));
  for (PetscInt point = first; point < last; ++point) {
    PetscInt dofs = 0;
    if (point >= begin && point < end) check(PetscSectionGetDof(section, point, &dofs));
    if (dofs != 3) return false;
  }
  return true;
}

/// Reads a file that is none of Gmsh's on rank 0 alone, since PETSc's readers leave the other ranks waiting when rank 0
/// fails.
std::string refuse_by_reading(const std::string& path) {
  petsc::ErrorCapture quiet;
  try {
    petsc::Handle<DM> trial;
    check(DMPlexCreateFromFile(PETSC_COMM_SELF, path.c_str(), "trial", PETSC_TRUE, trial.out()));
    return refuse_cells(trial.get());
  } catch (const Error& error) {
    return "mesh file '" + path + "' cannot be read: " + error.what() +
           "; give a Gmsh file (.msh, formats 2.2, 4.0, 4.1) of hexahedra or of tetrahedra, complete and not "
           "compressed";
  }
}

/// Refuses a file that PETSc would not read well; returns what there is to remark, on all ranks. Collective.
std::vector<std::string> check_on_first_rank(MPI_Comm comm, const std::string& path) {
  PetscBool periodic = PETSC_TRUE;
  check(PetscOptionsGetBool(nullptr, nullptr, "-dm_plex_gmsh_periodic", &periodic, nullptr));
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  FileReport report;
  if (rank == 0) {
    report = check_file(path, PETSC_MAX_INT);
    if (report.refusal.empty() && !is_gmsh_file(path)) report.refusal = refuse_by_reading(path);
    if (report.refusal.empty() && report.periodic && periodic)
      report.refusal =
          "mesh file '" + path +
          "' has periodic links ($Periodic), and only bodies with a boundary are supported; leave Periodic "
          "out of the .geo file, or give -dm_plex_gmsh_periodic 0 to read the mesh without the links";
  }
  petsc::throw_if_any<MeshError>(comm, report.refusal);
  std::string text;
  for (const std::string& remark : report.remarks) text += "'" + path + "': " + remark + '\n';
  int length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, comm);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, 0, comm);
  std::istringstream lines(text);
  std::vector<std::string> remarks;
  for (std::string line; std::getline(lines, line);) remarks.push_back(line);
  return remarks;
}

}  // namespace

Mesh::Mesh(petsc::Handle<DM> dm) : dm_(std::move(dm)) {
  check(PetscObjectGetComm(reinterpret_cast<PetscObject>(dm_.get()), &comm_));
}

Mesh Mesh::from_options(MPI_Comm comm, std::string_view prefix) {
  const std::string dash = "-" + std::string(prefix);
  std::array<char, PETSC_MAX_PATH_LEN> path{};
  PetscBool from_file = PETSC_FALSE;
  check(PetscOptionsGetString(nullptr, nullptr, (dash + "dm_plex_filename").c_str(), path.data(), path.size(),
                              &from_file));
  const PetscInt refine = integer_option(dash + "dm_refine", 0) + integer_option(dash + "dm_refine_pre", 0) +
                          integer_option(dash + "dm_refine_hierarchy", 0);
  if (refine < 0)
    throw OptionError(dash + "dm_refine " + std::to_string(refine) +
                      ": the number of refinements is negative; give 0 or more");

  // PETSc's keys as this library needs them; the user's values come back at the end.
  std::vector<std::unique_ptr<petsc::OptionOverride>> settings;
  const auto force = [&](const std::string& key, const char* value) {
    settings.push_back(std::make_unique<petsc::OptionOverride>(key, value));
  };
  const auto propose = [&](const char* key, const char* value) {
    if (!petsc::has_option(prefix, (std::string("-") + key).c_str())) force(dash + key, value);
  };
  for (const char* key : {"dm_refine", "dm_refine_pre", "dm_refine_hierarchy"})
    if (petsc::has_option(prefix, (std::string("-") + key).c_str())) force(dash + key, "0");
  auto undistributed = std::make_unique<petsc::OptionOverride>(dash + "dm_distribute", "0");
  force("-dm_plex_gmsh_use_regions", "1");
  if (!prefix.empty()) force(dash + "dm_plex_gmsh_use_regions", "1");

  PetscInt dimension = integer_option(dash + "dm_plex_dim", 3);
  if (!from_file && dimension != 3)
    throw MeshError(
        dash + "dm_plex_dim " + std::to_string(dimension) +
        ": the mesh has to be three-dimensional; for plane strain take one layer of cells with both sides fixed");
  std::vector<std::string> remarks;
  if (from_file) {
    remarks = check_on_first_rank(comm, path.data());
    // Whatever follows the elements is not checked, and nobody needs it.
    force("-dm_plex_gmsh_periodic", "0");
  } else {
    propose("dm_plex_dim", "3");
    propose("dm_plex_simplex", "0");
    propose("dm_plex_box_faces", "1,1,1");
  }

  petsc::Handle<DM> dm;
  std::vector<PetscInt> numbers;
  try {
    petsc::ErrorCapture quiet;
    if (!from_file && asks_for_simplex_box(prefix)) {
      dm = create_simplex_box(comm, prefix);
    } else {
      check(DMCreate(comm, dm.out()));
      check(DMSetType(dm.get(), DMPLEX));
    }
    if (!prefix.empty()) check(DMSetOptionsPrefix(dm.get(), std::string(prefix).c_str()));
    check(DMSetFromOptions(dm.get()));
    undistributed.reset();
    dm = distribute(std::move(dm), prefix, numbers);
  } catch (const PetscFailure& error) {
    throw MeshError(std::string("the mesh cannot be made: ") + error.what() + "; check the " + dash +
                    "dm_plex_* options" +
                    (from_file ? std::string(" and the file '") + path.data() + "'" : std::string()));
  }
  petsc::throw_if_any<MeshError>(comm, refuse_cells(dm.get()));
  join_cell_coordinates(dm.get());
  Mesh mesh(std::move(dm));
  mesh.has_cell_numbers_ = true;
  mesh.cell_numbers_ = std::move(numbers);
  mesh.remarks_ = std::move(remarks);
  mesh.inspect();
  if (refine > 0 && mesh.geometry_degree_ > 1)
    throw MeshError(
        "refinement (" + dash + "dm_refine " + std::to_string(refine) + ") of the curved mesh '" + path.data() +
        "': PETSc loses the coordinates of second-order cells; refine when the mesh is made, raise -degree, or "
        "save the mesh with order 1");
  for (PetscInt level = 0; level < refine; ++level) {
    petsc::Handle<DM> fine;
    check(DMPlexSetRefinementUniform(mesh.dm_.get(), PETSC_TRUE));
    check(DMRefine(mesh.dm_.get(), comm, fine.out()));
    mesh.dm_ = std::move(fine);
    std::vector<PetscInt> children;
    for (const PetscInt number : mesh.cell_numbers_)
      for (PetscInt child = 0; child < 8; ++child) children.push_back(8 * number + child);
    mesh.cell_numbers_ = std::move(children);
  }
  mesh.inspect();
  mesh.find_groups(!from_file);
  return mesh;
}

Mesh Mesh::adopt(DM dm) {
  Mesh mesh(petsc::Handle<DM>::share(dm));
  PetscBool plex = PETSC_FALSE;
  check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(dm), DMPLEX, &plex));
  if (!plex)
    throw MeshError(
        "Mesh::adopt: the DM is no DMPlex; give a DMPlex of hexahedra or of tetrahedra, or use Mesh::from_options");
  petsc::throw_if_any<MeshError>(mesh.comm_, refuse_cells(dm));
  mesh.inspect();
  mesh.find_groups(false);
  return mesh;
}

void Mesh::inspect() {
  DM dm = dm_.get();
  PetscInt first = 0, last = 0;
  check(DMPlexGetHeightStratum(dm, 0, &first, &last));
  const auto shared = leaf_points(dm);
  PetscInt cells = 0;
  for (PetscInt cell = first; cell < last; ++cell) cells += !std::binary_search(shared.begin(), shared.end(), cell);
  check(MPI_Allreduce(&cells, &global_cells_, 1, MPIU_INT, MPI_SUM, comm_));
  // Ranks without cells hear from the others what cells there are.
  DMPolytopeType type = DM_POLYTOPE_UNKNOWN;
  if (first < last) check(DMPlexGetCellType(dm, first, &type));
  std::array<int, 2> kinds{type == DM_POLYTOPE_HEXAHEDRON, type == DM_POLYTOPE_TETRAHEDRON};
  check(MPI_Allreduce(MPI_IN_PLACE, kinds.data(), 2, MPI_INT, MPI_MAX, comm_));
  if (kinds[0] && kinds[1]) throw MeshError(std::string("the mesh has both hexahedra and tetrahedra") + cell_advice);
  cell_kind_ = kinds[1] ? CellKind::tetrahedron : CellKind::hexahedron;
  if (global_cells_ == 0) throw MeshError("the mesh has no cells; check the -dm_plex_* options");

  // Degree of the geometry: 3 (m - 1) coordinates stand on an edge.
  PetscSection section = nullptr, cellwise = nullptr;
  check(DMGetCoordinateSection(dm, &section));
  check(DMGetCellCoordinateSection(dm, &cellwise));
  PetscInt begin = 0, end = 0, found[3] = {0, 0, cellwise ? 1 : 0};
  check(DMPlexGetDepthStratum(dm, 1, &first, &last));
  check(PetscSectionGetChart(section, &begin, &end));
  for (PetscInt point = std::max(first, begin); point < std::min(last, end); ++point) {
    PetscInt dofs = 0;
    check(PetscSectionGetDof(section, point, &dofs));
    found[0] = std::max(found[0], dofs / 3);
  }
  found[1] = on_vertices(dm) ? 0 : 1;
  check(MPI_Allreduce(MPI_IN_PLACE, found, 3, MPIU_INT, MPI_MAX, comm_));
  if (found[2])
    throw MeshError(
        "the mesh is periodic (its coordinates are given cell by cell); only bodies with a boundary are supported");
  if (found[1])
    throw MeshError(
        "the mesh's coordinates do not stand on its vertices; save it as a Gmsh file of order 1 or 2, and "
        "read it by Mesh::from_options");
  if (found[0] > 1)
    throw MeshError("the mesh's geometry has degree " + std::to_string(found[0] + 1) +
                    "; orders 1 and 2 are supported: save it with gmsh -order 2");
  geometry_degree_ = 1 + static_cast<int>(found[0]);
}

void Mesh::find_groups(bool box) {
  DM dm = dm_.get();
  // Rank 0's list of labels for all ranks.
  std::string list;
  PetscInt count = 0;
  check(DMGetNumLabels(dm, &count));
  for (PetscInt i = 0; i < count; ++i) {
    const char* name = nullptr;
    check(DMGetLabelName(dm, i, &name));
    list += std::string(name) + '\n';
  }
  int length = static_cast<int>(list.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, comm_);
  list.resize(static_cast<std::size_t>(length));
  MPI_Bcast(list.data(), length, MPI_CHAR, 0, comm_);

  // Values of a label among points of one height, the same on all ranks.
  const auto values_at = [&](const std::string& name, PetscInt height) {
    DMLabel label = nullptr;
    check(DMGetLabel(dm, name.c_str(), &label));
    PetscInt first = 0, last = 0;
    check(DMPlexGetHeightStratum(dm, height, &first, &last));
    std::vector<PetscInt> mine;
    for (PetscInt point = first; label && point < last; ++point) {
      PetscInt value = -1, absent = -1;
      check(DMLabelGetDefaultValue(label, &absent));
      check(DMLabelGetValue(label, point, &value));
      if (value != absent && std::find(mine.begin(), mine.end(), value) == mine.end()) mine.push_back(value);
    }
    int size = 1, own = static_cast<int>(mine.size());
    MPI_Comm_size(comm_, &size);
    std::vector<int> counts(static_cast<std::size_t>(size)), offsets(static_cast<std::size_t>(size));
    MPI_Allgather(&own, 1, MPI_INT, counts.data(), 1, MPI_INT, comm_);
    int total = 0;
    for (std::size_t r = 0; r < counts.size(); ++r) {
      offsets[r] = total;
      total += counts[r];
    }
    std::vector<PetscInt> all(static_cast<std::size_t>(total));
    MPI_Allgatherv(mine.data(), own, MPIU_INT, all.data(), counts.data(), offsets.data(), MPIU_INT, comm_);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  };
  const auto add = [](std::vector<std::string>& names, std::vector<Group>& groups, const std::string& name,
                      Group group) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    names.push_back(name);
    groups.push_back(std::move(group));
  };

  std::istringstream lines(list);
  std::string name;
  while (std::getline(lines, name)) {
    if (name == "depth" || name == "celltype" || name == "marker" || name == "Vertex Sets" || name == "Edge Sets")
      continue;
    const bool numbered = name == "Face Sets" || name == "Cell Sets";
    for (const PetscInt height : {1, 0}) {
      if ((height == 0 && name == "Face Sets") || (height == 1 && name == "Cell Sets")) continue;
      auto& names = height == 1 ? face_names_ : region_names_;
      auto& groups = height == 1 ? face_groups_ : region_groups_;
      // PETSc numbers a box's faces -z +z -y +y +x -x.
      static constexpr std::array<const char*, 6> box_names{"zmin", "zmax", "ymin", "ymax", "xmax", "xmin"};
      for (const PetscInt value : values_at(name, height)) {
        const bool of_box = box && name == "Face Sets" && value >= 1 && value <= 6;
        add(names, groups,
            of_box     ? box_names[static_cast<std::size_t>(value - 1)]
            : numbered ? std::to_string(value)
                       : name,
            Group{name, value});
      }
    }
  }
}

const Mesh::Group& Mesh::face(std::string_view name) const {
  const auto found = std::find(face_names_.begin(), face_names_.end(), name);
  if (found == face_names_.end())
    throw MeshError("the mesh has no face '" + std::string(name) + "'; known faces: " + joined(face_names_));
  return face_groups_[static_cast<std::size_t>(found - face_names_.begin())];
}

const Mesh::Group& Mesh::region(std::string_view name) const {
  const auto found = std::find(region_names_.begin(), region_names_.end(), name);
  if (found == region_names_.end())
    throw MeshError("the mesh has no region '" + std::string(name) + "'; known regions: " + joined(region_names_));
  return region_groups_[static_cast<std::size_t>(found - region_names_.begin())];
}

}  // namespace gearshift::solid
