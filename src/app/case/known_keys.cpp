#include "app/case/known_keys.hpp"

#include <gearshift/dynamics/stepper_options.hpp>
#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/options.hpp>
#include <gearshift/solid/kernel_options.hpp>

#include "app/case/case.hpp"
#include "app/case/clashes.hpp"
#include "app/case/option_origin.hpp"
#include "petsc/options/key_names.hpp"
#include "petsc/options/nearest.hpp"
#include "petsc/options/unread_options.hpp"
#include "petsc/ranks/agree.hpp"

#include <petscsnes.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::app {

using petsc::lower;

namespace {

/// Prefixes of the keys of PETSc's objects. These are created later, or read their keys when the program ends.
constexpr const char* beginnings_in_petsc =
    "snes ksp pc_ mg_ mixed_ gamg esteig sub_ mat_ matptap matmat vec dm_ is_ sf_ st_ eps_ modes_eps_ modes_st_ "
    "modes_ksp_ modes_pc_ modes_mg_ modes_mixed_ modes_sub_ "
    "modes_gamg_ modes_esteig_ modes_mat_ modes_bv_ modes_ds_ modes_rg_ modes_fn_ log info options "
    "petsc malloc memory mpi on_error error_ fp_ viewer citations help start_in_debugger debugger stop_for_debugger "
    "redundant_ telescope_ fieldsplit_ npc_ inner_ random_ composite_ hmg_ bddc_ nn_ galerkin_ lsc_ svd_ pep_ nep_ bv_ "
    "ds_ rg_ fn_ ts_ tao_ vecscatter_ mumps superlu cuda hip_ kokkos "
    "no_signal_handler objects_dump device root_ default_device use_gpu_aware_mpi display draw saws skip_petscrc nox "
    "dll_ tmp shared_tmp not_shared_tmp get_total_flops history version";

bool left_to_petsc(const std::string& key) {
  if (key.starts_with("dm_plex_gmsh_") && key != "dm_plex_gmsh_periodic") return false;  // PETSc does not read the file
  std::istringstream beginnings(beginnings_in_petsc);
  for (std::string beginning; beginnings >> beginning;)
    if (key.starts_with(beginning)) return true;
  return false;
}

/// Returns the keys of gearshift that begin with the same word as a key, which then does not belong to another library.
/// Moduli of one or two letters are no such words.
std::string keys_that_begin_like(const std::string& key, const petsc::OptionCatalogue& catalogue) {
  const std::string word = "-" + key.substr(0, key.find_first_of("_="));
  std::string list;
  for (const auto& entry : catalogue.entries()) {
    const std::string own = lower(entry.key);
    if (own.starts_with(word + "_") || (own == word && own.size() > 3)) list += " " + entry.key;
  }
  return list;
}

/// Returns the error message for a key with the name of a face or a region that the mesh does not have, or an empty
/// string for other keys.
std::string unknown_name(const solid::Mesh& mesh, const std::vector<std::string>& probes, const std::string& key) {
  const std::string small = lower(key);
  const bool region = small.starts_with("material_");
  const auto* const of_face = std::find_if(keys_of_faces.begin(), keys_of_faces.end(),
                                           [&](const char* word) { return small.starts_with(word); });
  if (!region && of_face == keys_of_faces.end()) return {};
  const std::string name = key.substr(std::string_view(region ? "material_" : *of_face).size());
  std::vector<std::string> names = region ? mesh.region_names() : mesh.face_names();
  if (small.starts_with("prescribe_") || small.starts_with("release_"))
    names.insert(names.end(), mesh.curve_names().begin(), mesh.curve_names().end());
  std::string list;
  for (const std::string& known : names) list += " " + known;
  if (region)
    return "option -" + key + ": its region or its parameter is unknown; " + petsc::meant(name, names) +
           (list.empty() ? "the mesh has no named region" : "regions of the mesh:" + list);
  if (small.starts_with("force_") || small.starts_with("mass_")) {
    list += "; or name a point, -probe_" + name + " x,y,z";
    names.insert(names.end(), probes.begin(), probes.end());
  }
  return "option -" + key + ": the mesh has no face '" + name + "', or the option is misspelled; " +
         petsc::meant(name, names) + (list.empty() ? "it has no named face" : "known names:" + list);
}

std::string complaint(const std::string& key, const std::string& nearest, const std::string& similar) {
  constexpr std::size_t most = 200;  // a longer list is no help
  const bool list = nearest.empty() && !similar.empty() && similar.size() < most;
  return "option -" + key + ": unknown option. " + (nearest.empty() ? "" : "Did you mean " + nearest + "? ") +
         (list ? "Similar options:" + similar + ". " : "") + "For all options: gearshift-solid -help";
}

/// Returns the key most similar to this one, with the value behind an equals sign: "-E 1e6" for "-E=1e6".
std::string nearest_to(const petsc::OptionCatalogue& catalogue, const std::string& key) {
  const std::size_t end = std::min(key.find('='), key.size());
  const std::string nearest = catalogue.nearest("-" + key.substr(0, end));
  return nearest.empty() || end == key.size() ? nearest : nearest + " " + key.substr(end + 1);
}

/// Returns notes that list keys of this program which are set for all PETSc programs, unless the command line or an
/// option file overrides them. For the first rank only.
std::string keys_from_surroundings(const petsc::OptionCatalogue& catalogue) {
  std::vector<std::string> seen;
  std::map<std::string, std::string> by_place;
  for (const auto& [name, origin] : given_keys()) {
    const std::string small = lower(name);
    if (std::find(seen.begin(), seen.end(), small) != seen.end()) continue;
    seen.push_back(small);
    if (origin.kind == OptionOrigin::Kind::surroundings && catalogue.knows("-" + name) && !left_to_petsc(small) &&
        !small.starts_with("solid_"))  // these change how results are computed, not the results
      by_place[origin.place] += " -" + name;
  }
  std::string notes;
  for (const auto& [place, keys] : by_place) notes += "note: set by " + place + ":" + keys + "\n";
  return notes;
}

}  // namespace

void catalogue_later_keys(MPI_Comm comm) {
  StepperOptions stepper;
  petsc::read_options(comm, "", "Stepper", [&](petsc::Options& options) {
    stepper.read(options);
    options.heading("Printed output");
    options.mention("-gear_monitor", "[viewer]", "print one line per accepted step");
    options.mention("-gear_view", "[viewer]", "print the settings at set-up");
    options.mention("-gear_energy", "[viewer]", "print the energy balance at the end of a run");
    options.mention("-log_view", "[viewer]", "print where the run time was spent, by events and stages (PETSc)");
  });
  (void)solid::read_kernel_options(comm);
  petsc::read_options(comm, "", "Solvers", [&](petsc::Options& options) {
    options.heading("Solvers: PETSc's own options, explained in its manual");
    options.mention("-snes_*", "", "Newton's method: -snes_rtol, -snes_max_it, -snes_monitor, -snes_linesearch_type");
    options.mention("-ksp_*", "", "linear solver: -ksp_type, -ksp_rtol, -ksp_monitor_true_residual");
    options.mention("-pc_*", "", "preconditioner: -pc_type lu, cholesky, gamg, hypre and others instead of -solver");
    options.mention("-mg_*", "", "multigrid levels, under the names that -ksp_view shows");
    options.mention("-mixed_ksp_*", "", "inner iteration of -formulation mixed: -mixed_ksp_max_it");
    options.mention("-modes_eps_*", "", "eigensolver of -modes (SLEPc): -modes_eps_ncv, -modes_eps_monitor");
  });
}

void print_solver_keys(MPI_Comm comm) {
  petsc::Handle<SNES> snes;
  petsc::check(SNESCreate(comm, snes.out()));
  petsc::check(SNESSetFromOptions(snes.get()));
}

void check_keys(const solid::Mesh& mesh, const Case& given, const petsc::OptionCatalogue& catalogue) {
  const MPI_Comm comm = mesh.comm();
  std::vector<std::string> probes;
  for (const auto& [name, X] : given.results.probes) probes.push_back(name);
  std::string error, warnings;  // of the first rank; it reads the option files
  const int rank = petsc::rank_of(comm);
  for (const std::string& key : petsc::unread_options()) {
    const std::string small = lower(key);
    if (rank > 0 || catalogue.knows("-" + key) || (left_to_petsc(small) && !catalogue.a_letter_from("-" + key)))
      continue;
    const std::string name = unknown_name(mesh, probes, key), nearest = nearest_to(catalogue, key),
                      similar = keys_that_begin_like(small, catalogue);
    const std::string text = name.empty() ? complaint(key, nearest, similar) : name;
    const bool meant_for_us = !name.empty() || !nearest.empty() || !similar.empty();
    if (given.strict && meant_for_us && origin_of(key).kind != OptionOrigin::Kind::surroundings)
      error = error.empty() ? text : error;
    else
      warnings += "warning: " + with_origin(text) + "\n";
  }
  if (rank == 0) warnings += keys_from_surroundings(catalogue);
  petsc::check(PetscFPrintf(comm, PETSC_STDERR, "%s", warnings.c_str()));
  petsc::throw_if_any<OptionError>(comm, error);
}

}  // namespace gearshift::app
