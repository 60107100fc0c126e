#include "app/case/usage.hpp"

#include <gearshift/petsc/error.hpp>

#include "app/case/option_origin.hpp"

#include <cstdlib>
#include <string>

namespace gearshift::app {
namespace {

constexpr const char* usage =
    "gearshift-solid: implicit dynamics of solid bodies.\n"
    "  mpirun -np 2 gearshift-solid -options_file case.yaml [-key value ...]\n"
    "  gearshift-solid -help [WORD]          every option, or those that mention the word\n"
    "A first run, a cantilever under its own weight:\n"
    "  gearshift-solid -dm_plex_box_faces 8,2,2 -dm_plex_box_upper 4,1,1 -E 1e6 -nu 0.3 -rho 1000 -clamp xmin \\\n"
    "                  -gravity 0,0,-1 -gear_dt 0.02 -gear_t_end 1\n"
    "Exit codes: 0 completed, 1 error, 2 ended early, 75 stopped by a signal or the limit of wall time (continue\n"
    "with -gear_restart).\n";

bool is_number(const std::string& word) {
  char* end = nullptr;
  (void)std::strtod(word.c_str(), &end);
  return end != word.c_str() && *end == '\0';
}

bool given(const char* key) {
  PetscBool set = PETSC_FALSE;
  petsc::check(PetscOptionsHasName(nullptr, nullptr, key, &set));
  return set;
}

}  // namespace

bool asked_for_usage(MPI_Comm comm) {
  int count = 0;
  char** words = nullptr;
  petsc::check(PetscGetArgs(&count, &words));
  bool after_key = false;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (!is_key(word) && !after_key) {
      if (word.starts_with("--")) throw OptionError("'" + word + "' belongs to no option; options begin with one dash");
      const bool file =
          word.find_first_of("./") != std::string::npos && word.find(',') == std::string::npos && !is_number(word);
      throw OptionError("'" + word + "' belongs to no option; " +
                        (file ? "to read options from it, write -options_file " + word
                              : "write lists with commas and no blanks, and put formulas in quotes"));
    }
    after_key = is_key(word);
  }
  if (count > 1 || given("-gear_dt") || given("-gear_adapt") || given("-static")) return false;
  petsc::check(PetscPrintf(comm, "%s", usage));
  return true;
}

}  // namespace gearshift::app
