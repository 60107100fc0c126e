#include <gearshift/petsc/options.hpp>
#include <gearshift/solid/mesh.hpp>

#include "petsc/options/key_names.hpp"
#include "petsc/options/nearest.hpp"
#include "petsc/options/option_numbers.hpp"
#include "petsc/options/option_override.hpp"
#include "petsc/ranks/agree.hpp"
#include "solid/mesh/box.hpp"
#include "solid/mesh/distribution.hpp"
#include "solid/mesh/file_check.hpp"
#include "solid/mesh/gmsh_mesh.hpp"
#include "solid/mesh/inspect.hpp"
#include "solid/mesh/plex.hpp"

#include <petscdmplex.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>

namespace gearshift::solid {
namespace {

using petsc::check;

PetscInt integer_option(const std::string& key, PetscInt value) {
  PetscBool set = PETSC_FALSE;
  petsc::check_whole_number("", key.c_str());
  check(PetscOptionsGetInt(nullptr, nullptr, key.c_str(), &value, &set));
  return value;
}

/// Returns the numbers of the children of refined cells. They have consecutive points among the cells of their type, in
/// the order of their parents; the children of cell n get the numbers 8 n .. 8 n + 7.
std::vector<PetscInt> numbers_of_children(DM coarse, DM fine, const std::vector<PetscInt>& numbers) {
  std::map<DMPolytopeType, std::vector<PetscInt>> children;
  for (std::size_t cell = 0; cell < numbers.size(); ++cell)
    for (PetscInt child = 0; child < 8; ++child)
      children[type_of(coarse, static_cast<PetscInt>(cell))].push_back(8 * numbers[cell] + child);
  std::map<DMPolytopeType, std::size_t> next;
  std::vector<PetscInt> result(8 * numbers.size());
  for (std::size_t cell = 0; cell < result.size(); ++cell) {
    const DMPolytopeType type = type_of(fine, static_cast<PetscInt>(cell));
    result[cell] = children[type].at(next[type]++);
  }
  return result;
}

void check_word(const std::string& key, const std::vector<std::string>& known, const char* besides) {
  const std::string word = option_text(key);
  if (!petsc::has_option("", key.c_str()) || std::find(known.begin(), known.end(), petsc::lower(word)) != known.end())
    return;
  std::string list;
  for (const std::string& other : known) list += (list.empty() ? "" : ", ") + other;
  throw OptionError("option " + key + ": '" + word + "' is unknown; " + petsc::meant(word, known) + "choose one of " +
                    list + besides);
}

/// Throws OptionError for unknown shapes and kinds of cells.
void check_words(const std::string& dash) {
  std::vector<std::string> shapes;
  for (const char* const* shape = DMPlexShapes; std::string_view(*shape) != "DMPlexShape"; ++shape)
    shapes.emplace_back(*shape);
  check_word(dash + "dm_plex_shape", shapes, "");
  check_word(dash + "dm_plex_cell", {"hexahedron", "triangular_prism"},
             (", or " + dash + "dm_plex_simplex true for tetrahedra").c_str());
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
  constexpr std::array refinements{"-dm_refine", "-dm_refine_pre", "-dm_refine_hierarchy"};
  std::int64_t refine = 0;
  for (const char* key : refinements) {
    const std::string full = petsc::full_key(prefix, key);
    const PetscInt times = integer_option(full, 0);
    if (times < 0)
      throw OptionError("option " + full + " " + std::to_string(times) +
                        ": the number of refinements is negative; give 0 or more");
    refine += times;
  }

  // PETSc's keys in the form that this library needs; the user's values are restored at the end.
  std::vector<std::unique_ptr<petsc::OptionOverride>> settings;
  const auto set_if = [&](bool condition, const char* key, const char* value) {
    if (condition) settings.push_back(std::make_unique<petsc::OptionOverride>(petsc::full_key(prefix, key), value));
  };
  const auto replace = [&](const char* key, const char* value) { set_if(petsc::has_option(prefix, key), key, value); };
  const auto propose = [&](const char* key, const char* value) { set_if(!petsc::has_option(prefix, key), key, value); };
  for (const char* key : refinements) replace(key, "0");
  // PETSc reorders meshes of one rank only.
  const bool divisible = distributes(prefix) && !petsc::has_option(prefix, "-dm_plex_reorder"),
             by_halves = divisible && !petsc::has_option(prefix, "-petscpartitioner_type");
  auto undistributed = std::make_unique<petsc::OptionOverride>(dash + "dm_distribute", "0");

  PetscInt dimension = integer_option(dash + "dm_plex_dim", 3);
  if (!from_file && dimension != 3)
    throw MeshError(
        dash + "dm_plex_dim " + std::to_string(dimension) +
        ": the mesh has to be three-dimensional; for plane strain use one layer of cells with both sides fixed");
  CheckedFile file;
  std::optional<CellKind> box;
  std::optional<double> peak_after_reading;
  if (from_file) {
    file = check_on_first_rank(comm, path.data(), divisible);
    if (file.gmsh && divisible) peak_after_reading = file.peak;
    if (petsc::has_option(prefix, "-dm_plex_box_faces"))
      file.remarks.push_back(dash + "dm_plex_box_faces is not used, because the mesh is that of " + dash +
                             "dm_plex_filename");
  } else {
    check_words(dash);
    box = cells_of_box(prefix);
    if (box && !petsc::has_option(prefix, "-dm_plex_box_faces"))
      file.remarks.push_back("no mesh is given (" + dash + "dm_plex_filename or " + dash +
                             "dm_plex_box_faces): the body is a box of one cell, before its refinement");
    if (!box) {
      propose("-dm_plex_dim", "3");
      propose("-dm_plex_simplex", "0");
      propose("-dm_plex_box_faces", "1,1,1");
    }
  }

  const bool divided = box ? by_halves : file.gmsh && divisible && petsc::ranks_of(comm) > 1;
  petsc::Handle<DM> dm;
  std::vector<PetscInt> numbers;
  try {
    petsc::ErrorCapture quiet;
    if (file.gmsh) {
      dm = create_gmsh_mesh(comm, prefix, std::move(file.content), divided, numbers);
    } else if (box) {
      dm = create_box(comm, prefix, *box, divided, numbers);
    } else {
      check(DMCreate(comm, dm.out()));
      check(DMSetType(dm.get(), DMPLEX));
    }
    if (!prefix.empty()) check(DMSetOptionsPrefix(dm.get(), std::string(prefix).c_str()));
    check(DMSetFromOptions(dm.get()));
    undistributed.reset();
    if (!divided) dm = distribute(std::move(dm), prefix, numbers);
  } catch (const PetscFailure& error) {
    throw MeshError(std::string("the mesh cannot be created: ") + error.what() + "; check the " + dash +
                    "dm_plex_* options" +
                    (from_file ? std::string(" and the file '") + path.data() + "'" : std::string()));
  }
  petsc::throw_if_any<MeshError>(comm, refuse_cells(dm.get()));
  Mesh mesh(std::move(dm));
  mesh.has_cell_numbers_ = true;
  mesh.cell_numbers_ = std::move(numbers);
  mesh.remarks_ = std::move(file.remarks);
  mesh.peak_after_reading_ = peak_after_reading;
  mesh.inspect();
  if (refine > 0 && mesh.geometry_degree_ > 1)
    throw MeshError(
        "refinement (" + dash + "dm_refine " + std::to_string(refine) + ") of the curved mesh '" + path.data() +
        "': PETSc loses the coordinates of second-order cells; refine the mesh in the generator, raise -degree, or "
        "save the mesh with order 1");
  const double children = std::pow(8.0, static_cast<double>(refine));
  require_numbers_for(comm, children * static_cast<double>(mesh.cell_numbers_.size()),
                      children * static_cast<double>(mesh.global_cells()),
                      dash + "dm_refine " + std::to_string(refine));
  for (std::int64_t level = 0; level < refine; ++level) {
    petsc::Handle<DM> fine;
    check(DMPlexSetRefinementUniform(mesh.dm_.get(), PETSC_TRUE));
    check(DMRefine(mesh.dm_.get(), comm, fine.out()));
    mesh.cell_numbers_ = numbers_of_children(mesh.dm_.get(), fine.get(), mesh.cell_numbers_);
    mesh.dm_ = std::move(fine);
  }
  mesh.inspect();
  mesh.find_groups(!from_file);
  return mesh;
}

Mesh Mesh::adopt(DM dm) {
  Mesh mesh(petsc::Handle<DM>::share(dm));
  if (!petsc::is_of_type(dm, DMPLEX))
    throw MeshError(
        "Mesh::adopt: the DM is not a DMPlex; give a DMPlex of hexahedra, tetrahedra and wedges, or use "
        "Mesh::from_options");
  petsc::throw_if_any<MeshError>(mesh.comm_, refuse_cells(dm));
  mesh.inspect();
  mesh.find_groups(false);
  return mesh;
}

}  // namespace gearshift::solid
