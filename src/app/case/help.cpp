#include "app/case/help.hpp"

#include <gearshift/petsc/options.hpp>
#include <gearshift/solid/law.hpp>

#include "app/case/case.hpp"
#include "app/case/known_keys.hpp"
#include "petsc/options/key_names.hpp"
#include "petsc/options/option_catalogue.hpp"
#include "solid/material/law_count.hpp"

#include <strings.h>

#include <sstream>

namespace gearshift::app {
namespace {

using Entry = petsc::OptionCatalogue::Entry;
using petsc::lower;

constexpr std::size_t width = 100;

bool concerns(const Entry& entry, const std::string& word) {
  const std::string wanted = lower(word);
  const auto has = [&](const std::string& text) { return lower(text).find(wanted) != std::string::npos; };
  return word.empty() || has(entry.heading) || has(entry.key) || has(entry.text);
}

/// Returns the text wrapped into indented lines.
std::string wrapped(const std::string& text) {
  constexpr const char* indent = "      ";
  std::istringstream words(text);
  std::string all, line = indent;
  for (std::string word; words >> word;) {
    if (line.size() + 1 + word.size() > width) {
      all += line + "\n";
      line = indent;
    }
    line += (line == indent ? "" : " ") + word;
  }
  return all + line + "\n";
}

std::string printed(const Entry& entry) {
  std::string text = "  " + entry.key + (entry.kind.empty() ? "" : " " + entry.kind);
  if (!entry.value.empty()) text += "  (default " + entry.value + ")";
  return text + "\n" + wrapped(entry.text);
}

/// Adds the parameters of laws that a library or -dll_append has registered; they are read only if such a law is
/// chosen.
void mention_parameters(MPI_Comm comm) {
  petsc::read_options(comm, "", "Parameters of further laws", [](petsc::Options& options) {
    const auto laws = solid::law_names();
    for (std::size_t law = solid::own_law_count; law < laws.size(); ++law)
      for (const std::string name : solid::parameter_names(static_cast<solid::Law>(law)))
        options.mention(("-" + name).c_str(), "<x>", (std::string(laws[law]) + ": parameter of the law").c_str());
  });
}

}  // namespace

Help take_help(int& argc, char** argv) {
  Help help;
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool asks = word == "-help" || word == "--help" || word == "-h";
    const bool followed = i + 1 < argc && argv[i + 1][0] != '-';
    const std::string about = followed ? argv[i + 1] : "";
    if (!asks || about == "intro") {
      argv[kept++] = argv[i];
      continue;
    }
    if (followed) ++i;
    if (about == "petsc") {
      static char petsc_help[] = "-help";
      argv[kept++] = petsc_help;
      continue;
    }
    help = {true, about};
  }
  argc = kept;
  argv[argc] = nullptr;
  return help;
}

void print_help(MPI_Comm comm, const std::string& introduction, const Help& help) {
  const petsc::OptionCatalogue catalogue;
  petsc::check(PetscOptionsClear(nullptr));  // the help text must not depend on the options that are given or missing
  (void)read_case(comm, {.faces = {"<face>"}});
  mention_parameters(comm);
  catalogue_later_keys(comm);
  std::string text = help.about.empty() ? introduction : "", heading;
  for (const Entry& entry : catalogue.entries()) {
    if (!concerns(entry, help.about)) continue;
    if (entry.heading != heading) text += "\n" + entry.heading + "\n";
    heading = entry.heading;
    text += printed(entry);
  }
  if (text.empty()) text = "no option mentions '" + help.about + "'; -help lists all options\n";
  text += "\n-help WORD lists the options that mention the word; -help petsc adds all options of PETSc.\n";
  std::istringstream lines(text);  // one at a time, because PETSc truncates long texts
  for (std::string line; std::getline(lines, line);) petsc::check(PetscPrintf(comm, "%s\n", line.c_str()));
}

}  // namespace gearshift::app
