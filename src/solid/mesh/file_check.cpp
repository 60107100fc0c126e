#include "solid/mesh/file_check.hpp"

#include <gearshift/petsc/handle.hpp>

#include "petsc/memory.hpp"
#include "petsc/ranks/agree.hpp"
#include "solid/mesh/gmsh/check.hpp"
#include "solid/mesh/inspect.hpp"

#include <petscdmplex.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

namespace gearshift::solid {
namespace {

using petsc::check;

std::string remark_on_bodies(const GmshVerdict& verdict) {
  constexpr std::size_t shown = 5;
  std::string cells;
  for (std::size_t i = 0; i < verdict.bodies.size() && i < shown; ++i)
    cells += (i > 0 ? ", " : "") + std::to_string(verdict.bodies[i]);
  if (verdict.bodies.size() > shown) cells += ", ...";
  std::string text =
      "the mesh has " + std::to_string(verdict.bodies.size()) + " bodies without a common node (" + cells + " cells)";
  if (verdict.coincident > 0)
    return text + ", and " + std::to_string(verdict.coincident) +
           " of their nodes coincide but are not connected; if the bodies should be joined, merge them into one mesh "
           "(gmsh: BooleanFragments before meshing, or Coherence Mesh)";
  return text + ": each needs separate supports, unless it should move freely";
}

/// Tries to read a file of another format only on rank 0, since PETSc's readers leave the other ranks waiting when rank
/// 0 fails.
std::string refuse_by_reading(const std::string& path) {
  petsc::ErrorCapture quiet;
  try {
    petsc::Handle<DM> trial;
    check(DMPlexCreateFromFile(PETSC_COMM_SELF, path.c_str(), "trial", PETSC_TRUE, trial.out()));
    return refuse_cells(trial.get());
  } catch (const Error& error) {
    return "mesh file '" + path + "' cannot be read: " + error.what() +
           "; give a Gmsh file (.msh, formats 2.2, 4.0, 4.1) of hexahedra, tetrahedra and wedges, complete and not "
           "compressed; gmsh -3 -format msh41 creates one from a .geo or STEP file";
  }
}

/// Reads and checks a Gmsh file of this size; returns the reason why it is refused, or an empty text.
std::string read_gmsh_file(const std::string& path, std::uintmax_t size, PetscBool periodic, int ranks,
                           CheckedFile& file) {
  const std::string name = "mesh file '" + path + "' ";
  GmshBytes bytes(std::make_unique<std::ifstream>(path, std::ios::binary), size);
  const GmshVerdict verdict = check_gmsh(bytes, PETSC_MAX_INT, ranks);
  if (!verdict.refusal.empty()) return name + "cannot be read: " + verdict.refusal;
  if (verdict.periodic && periodic)
    return name +
           "has periodic links ($Periodic), and only bodies with a boundary are supported; leave Periodic out of the "
           ".geo file, or give -dm_plex_gmsh_periodic 0 to read the mesh without the links";
  file.content = verdict.content;
  file.remarks = verdict.remarks;
  if (verdict.bodies.size() > 1) file.remarks.push_back(remark_on_bodies(verdict));
  return {};
}

std::string read_file(const std::string& path, PetscBool periodic, int ranks, CheckedFile& file) {
  std::error_code error;
  const bool regular = std::filesystem::is_regular_file(path, error);
  const std::uintmax_t size = regular ? std::filesystem::file_size(path, error) : 0;
  if (!regular || error || !std::ifstream(path))
    return "mesh file '" + path + "' cannot be opened; check -dm_plex_filename and the working directory";
  if (size == 0) return "mesh file '" + path + "' is empty; check -dm_plex_filename";
  return file.gmsh ? read_gmsh_file(path, size, periodic, ranks, file) : refuse_by_reading(path);
}

}  // namespace

CheckedFile check_on_first_rank(MPI_Comm comm, const std::string& path, bool divided) {
  CheckedFile file;
  file.gmsh = path.ends_with(".msh") || path.ends_with(".msh2") || path.ends_with(".msh4");
  PetscBool periodic = PETSC_TRUE;
  check(PetscOptionsGetBool(nullptr, nullptr, "-dm_plex_gmsh_periodic", &periodic, nullptr));
  const int ranks = divided ? petsc::ranks_of(comm) : 1;
  std::string refusal;
  const std::string failure = petsc::failure_of([&] {
    if (petsc::rank_of(comm) == 0) refusal = read_file(path, periodic, ranks, file);
    file.peak = petsc::process_memory().peak;
  });
  petsc::throw_if_any<MeshError>(comm,
                                 failure.empty() ? refusal : "mesh file '" + path + "' cannot be read: " + failure);
  std::string text;
  for (const std::string& remark : file.remarks) text += "'" + path + "': " + remark + '\n';
  petsc::broadcast(comm, text);
  file.remarks.clear();
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) file.remarks.push_back(line);
  return file;
}

}  // namespace gearshift::solid
