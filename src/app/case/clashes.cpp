#include "app/case/clashes.hpp"

#include <gearshift/petsc/options.hpp>

#include "app/case/option_origin.hpp"
#include "petsc/options/key_names.hpp"
#include "petsc/options/nearest.hpp"
#include "petsc/options/unread_options.hpp"
#include "petsc/ranks/agree.hpp"

#include <algorithm>
#include <map>

namespace gearshift::app {

using petsc::lower;

namespace {

constexpr const char* ignored = "PETSc ignores the case of keys";

/// Returns the key as the user spelled it, among those that have not been read, or an empty string if it was not given.
std::string spelling(const std::string& small) {
  for (const std::string& key : petsc::unread_options())
    if (lower(key) == small) return key;
  return {};
}

/// Throws OptionError for a key that could refer to two names; a key consists of a prefix, a name and an ending.
void refuse_shared_keys(const char* kind, const std::vector<std::string>& names,
                        const std::vector<std::string>& beginnings, const std::vector<std::string>& endings) {
  std::map<std::string, std::string> owners;
  for (const std::string& name : names)
    for (const std::string& beginning : beginnings)
      for (const std::string& ending : endings) {
        const auto [key, added] = owners.emplace(lower(beginning + name + ending), name);
        if (added || key->second == name) continue;
        const std::string given = spelling(key->first), &other = key->second;
        if (given.empty()) continue;
        throw OptionError("option -" + given + ": the mesh has the " + kind + " '" + other + "' and '" + name +
                          "', and " + (lower(other) == lower(name) ? ignored : "the option could refer to either") +
                          "; rename one of them in the mesh");
      }
}

/// Returns an error message if two probes, tables or contacts have names that differ only in case, because the second
/// would replace the first; otherwise an empty string.
std::string respelled_key() {
  std::map<std::string, GivenKey> first;
  for (const GivenKey& key : given_keys()) {
    const std::string small = lower(key.name);
    if (!small.starts_with("probe_") && !small.starts_with("table_") && !small.starts_with("contact_")) continue;
    const auto [found, added] = first.emplace(small, key);
    if (!added && found->second.name != key.name)
      return "options -" + found->second.name + " and -" + key.name + ": these are the same option, because " +
             ignored + "; choose names that differ in more than case";
  }
  return {};
}

}  // namespace

void refuse_clashes(MPI_Comm comm, const Names& names) {
  refuse_shared_keys("faces", names.faces, {keys_of_faces.begin(), keys_of_faces.end()}, {""});
  refuse_shared_keys("faces", names.faces, {"pressure_"}, {"", "_follow"});
  std::string respelled;
  petsc::on_first_rank(comm, [&] { respelled = respelled_key(); });
  petsc::throw_if_any<OptionError>(comm, respelled);
}

void refuse_clashing_regions(const std::vector<std::string>& regions, std::vector<std::string> parameters) {
  for (std::string& parameter : parameters) parameter.insert(0, "_");
  parameters.emplace_back();
  refuse_shared_keys("regions", regions, {"material_"}, parameters);
}

void refuse_face_or_probe(const Names& names, const std::vector<std::pair<std::string, solid::Vec3>>& probes) {
  for (const std::string& face : names.faces)
    for (const auto& [probe, X] : probes)
      for (const char* beginning : {"-force_", "-mass_"})
        if (const std::string key = beginning + probe;
            lower(face) == lower(probe) && petsc::has_option("", key.c_str()))
          throw OptionError("option " + key + ": there is a face '" + face + "' and a probe '" + probe +
                            "'; give the probe another name");
}

void refuse_unknown_names(const std::string& key, const std::vector<std::string>& known,
                          const std::vector<std::string>& names, const char* what) {
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      std::string list;
      for (const std::string& face : known) list += " " + face;
      throw OptionError(
          "option " + key + ": the mesh has no " + what + " '" + name + "'; " + petsc::meant(name, known) +
          (list.empty() ? "it has none with a name; in Gmsh, physical groups give names" : "known names:" + list));
    }
}

}  // namespace gearshift::app
