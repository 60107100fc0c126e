#include "app/clashes.hpp"

#include <gearshift/petsc/options.hpp>

#include "app/option_origin.hpp"
#include "petsc/agree.hpp"
#include "petsc/key_names.hpp"
#include "petsc/unread_options.hpp"

#include <array>
#include <map>

namespace gearshift::app {

using petsc::lower;

namespace {

constexpr const char* ignored = "PETSc ignores the case of the letters of a key";

void refuse(const std::string& key, const char* what, const std::string& a, const std::string& b) {
  throw OptionError("option " + key + ": the mesh has the " + what + " '" + a + "' and '" + b + "', and " + ignored +
                    "; rename one of them in the mesh");
}

/// Calls use(a, b) for each two names that differ only in the case of letters.
template <class Use>
void for_each_clash(const std::vector<std::string>& names, Use&& use) {
  std::map<std::string, std::string> first;
  for (const std::string& name : names)
    if (const auto [found, added] = first.emplace(lower(name), name); !added && found->second != name)
      use(found->second, name);
}

/// One of two spellings would replace the other.
std::string respelled_key() {
  std::map<std::string, GivenKey> first;
  for (const GivenKey& key : given_keys()) {
    const std::string small = lower(key.name);
    if (!small.starts_with("probe_") && !small.starts_with("table_")) continue;
    const auto [found, added] = first.emplace(small, key);
    if (!added && found->second.name != key.name)
      return "options -" + found->second.name + " and -" + key.name + ": these are one key, because " + ignored +
             "; choose names that differ in more";
  }
  return {};
}

}  // namespace

void refuse_clashes(MPI_Comm comm, const Names& names) {
  for_each_clash(names.faces, [](const std::string& a, const std::string& b) {
    for (const char* beginning : keys_of_faces)
      for (const char* ending : {"", "_follow"})
        if (const std::string key = "-" + (beginning + a) + ending; petsc::has_option("", key.c_str()))
          refuse(key, "faces", a, b);
  });
  for_each_clash(names.regions, [](const std::string& a, const std::string& b) {
    const std::string beginning = lower("material_" + a);
    for (const std::string& key : petsc::unread_options())
      if (const std::string small = lower(key); small == beginning || small.starts_with(beginning + "_"))
        refuse("-" + key, "regions", a, b);
  });
  std::string respelled;
  petsc::on_first_rank(comm, [&] { respelled = respelled_key(); });
  petsc::throw_if_any<OptionError>(comm, respelled);
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

}  // namespace gearshift::app
