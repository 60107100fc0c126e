#include "solid/mesh/file_check.hpp"

#include <gearshift/petsc/handle.hpp>

#include "petsc/ranks/agree.hpp"
#include "solid/mesh/gmsh/content.hpp"
#include "solid/mesh/gmsh_file.hpp"
#include "solid/mesh/inspect.hpp"

#include <petscdmplex.h>

#include <array>
#include <sstream>

namespace gearshift::solid {
namespace {

using petsc::check;

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
           "compressed";
  }
}

}  // namespace

CheckedFile check_on_first_rank(MPI_Comm comm, const std::string& path) {
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
  CheckedFile file;
  for (std::string line; std::getline(lines, line);) file.remarks.push_back(line);
  std::array<int, 4> facts{report.wedges, report.second_order, report.content != nullptr,
                           report.content && report.content->named};
  MPI_Bcast(facts.data(), static_cast<int>(facts.size()), MPI_INT, 0, comm);
  file.wedges = facts[0] != 0;
  file.second_order = facts[1] != 0;
  file.gmsh = facts[2] != 0;
  file.named = facts[3] != 0;
  file.content = std::move(report.content);
  file.path = report.instead ? *report.instead : path;
  length = static_cast<int>(file.path.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, comm);
  file.path.resize(static_cast<std::size_t>(length));
  MPI_Bcast(file.path.data(), length, MPI_CHAR, 0, comm);
  file.instead = std::move(report.instead);
  return file;
}

}  // namespace gearshift::solid
