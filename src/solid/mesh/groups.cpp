/// The faces and regions of a mesh, by name.

#include <gearshift/solid/mesh.hpp>

#include "petsc/queries.hpp"
#include "petsc/ranks/agree.hpp"
#include "solid/mesh/plex.hpp"
#include "solid/numerics/sort_unique.hpp"

#include <algorithm>
#include <array>
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

/// Returns the names of rank 0's labels, one per line, on all ranks. Collective.
std::string label_names(DM dm, MPI_Comm comm) {
  std::string list;
  PetscInt count = 0;
  check(DMGetNumLabels(dm, &count));
  for (PetscInt i = 0; i < count; ++i) {
    const char* name = nullptr;
    check(DMGetLabelName(dm, i, &name));
    list += std::string(name) + '\n';
  }
  int length = static_cast<int>(list.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, comm);
  list.resize(static_cast<std::size_t>(length));
  MPI_Bcast(list.data(), length, MPI_CHAR, 0, comm);
  return list;
}

/// Returns the values of a label on points of one height, the same on all ranks. Collective.
std::vector<PetscInt> values_at(DM dm, MPI_Comm comm, const std::string& name, PetscInt height) {
  DMLabel label = nullptr;
  check(DMGetLabel(dm, name.c_str(), &label));
  PetscInt first = 0, last = 0;
  check(DMPlexGetHeightStratum(dm, height, &first, &last));
  std::vector<PetscInt> mine;
  const std::string failure = petsc::failure_of([&] {
    petsc::Handle<IS> values;
    if (label) check(DMLabelGetValueIS(label, values.out()));
    for (const PetscInt value : petsc::indices_of(values.get()))
      if (std::ranges::any_of(labelled_points(dm, name, value), [&](PetscInt p) { return p >= first && p < last; }))
        mine.push_back(value);
  });
  petsc::throw_if_any<MeshError>(comm, failure);
  std::vector<PetscInt> all = petsc::gathered(comm, mine);
  sort_unique(all);
  return all;
}

}  // namespace

void Mesh::find_groups(bool box) {
  const auto add = [](std::vector<std::string>& names, std::vector<Group>& groups, const std::string& name,
                      Group group) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    names.push_back(name);
    groups.push_back(std::move(group));
  };

  PetscInt refined = 0;
  check(DMGetRefineLevel(dm_.get(), &refined));
  std::istringstream lines(label_names(dm_.get(), comm_));
  std::string name;
  while (std::getline(lines, name)) {
    if (name == "depth" || name == "celltype" || name == "marker" || name == "Vertex Sets" || name == "Edge Sets")
      continue;
    const bool numbered = name == "Face Sets" || name == "Cell Sets";
    const std::vector<PetscInt> of_cells = values_at(dm_.get(), comm_, name, 0);
    for (const PetscInt height : {1, 0}) {
      if ((height == 0 && name == "Face Sets") || (height == 1 && name == "Cell Sets")) continue;
      auto& names = height == 1 ? face_names_ : region_names_;
      auto& groups = height == 1 ? face_groups_ : region_groups_;
      // PETSc numbers a box's faces in the order -z +z -y +y +x -x.
      static constexpr std::array<const char*, 6> box_names{"zmin", "zmax", "ymin", "ymax", "xmax", "xmin"};
      for (const PetscInt value : height == 0 ? of_cells : values_at(dm_.get(), comm_, name, height)) {
        // Refinement also sets a region's label on the faces between its new cells.
        if (height == 1 && refined > 0 && std::binary_search(of_cells.begin(), of_cells.end(), value)) continue;
        const bool of_box = box && name == "Face Sets" && value >= 1 && value <= 6;
        add(names, groups,
            of_box     ? box_names[static_cast<std::size_t>(value - 1)]
            : numbered ? std::to_string(value)
                       : name,
            Group{name, value});
      }
    }
    if (numbered) continue;
    // Closures of labelled faces and cells may also be labelled.
    std::vector<PetscInt> higher = of_cells;
    const std::vector<PetscInt> of_faces = values_at(dm_.get(), comm_, name, 1);
    higher.insert(higher.end(), of_faces.begin(), of_faces.end());
    for (const PetscInt height : {2, 3})
      for (const PetscInt value : values_at(dm_.get(), comm_, name, height))
        if (std::find(higher.begin(), higher.end(), value) == higher.end() &&
            std::find(face_names_.begin(), face_names_.end(), name) == face_names_.end())
          add(curve_names_, curve_groups_, name, Group{name, value});
  }
}

namespace {
const Mesh::Group& group_of(const char* what, std::string_view name, const std::vector<std::string>& names,
                            const std::vector<Mesh::Group>& groups) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw MeshError(std::string("the mesh has no ") + what + " '" + std::string(name) + "'; known " + what +
                    "s: " + joined(names));
  return groups[static_cast<std::size_t>(found - names.begin())];
}
}  // namespace

const Mesh::Group& Mesh::face(std::string_view name) const { return group_of("face", name, face_names_, face_groups_); }

const Mesh::Group& Mesh::region(std::string_view name) const {
  return group_of("region", name, region_names_, region_groups_);
}

std::optional<Vec3> Mesh::point(std::string_view name) const {
  const Group& group = curve(name);
  std::array<PetscInt, 2> edges{};
  check(DMPlexGetDepthStratum(dm_.get(), 1, &edges[0], &edges[1]));
  // The number of vertices that this rank owns, 1 if it has edges, and the position of its vertex.
  std::array<PetscReal, 5> sums{};
  if (const auto points = labelled_points(dm_.get(), group.label, group.value); !points.empty()) {
    PetscInt vertex = 0, last = 0, dofs = 0, offset = 0;
    PetscSection section = nullptr;
    Vec values = nullptr;
    check(DMPlexGetDepthStratum(dm_.get(), 0, &vertex, &last));
    check(DMGetCoordinateSection(dm_.get(), &section));
    check(DMGetCoordinatesLocal(dm_.get(), &values));
    const petsc::ReadView positions(values);
    const std::vector<PetscInt> foreign = leaf_points(dm_.get());
    for (const PetscInt point : points) {
      if (point >= edges[0] && point < edges[1]) sums[1] = 1;
      if (point < vertex || point >= last || std::binary_search(foreign.begin(), foreign.end(), point)) continue;
      sums[0] += 1;
      check(PetscSectionGetDof(section, point, &dofs));
      check(PetscSectionGetOffset(section, point, &offset));
      for (std::size_t c = 0; dofs == 3 && c < 3; ++c) sums[2 + c] = positions[static_cast<std::size_t>(offset) + c];
    }
  }
  check(MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPIU_REAL, MPI_SUM, comm_));
  if (sums[0] != 1 || sums[1] != 0) return std::nullopt;
  return Vec3{sums[2], sums[3], sums[4]};
}

const Mesh::Group& Mesh::curve(std::string_view name) const {
  return group_of("curve", name, curve_names_, curve_groups_);
}

}  // namespace gearshift::solid
