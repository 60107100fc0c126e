#include "app/option_origin.hpp"

#include <gearshift/petsc/error.hpp>
#include <gearshift/petsc/handle.hpp>

#include "petsc/yaml_keys.hpp"

#include <petscsys.h>
#include <strings.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

namespace gearshift::app {
namespace {

bool same(const std::string& a, const std::string& b) { return strcasecmp(a.c_str(), b.c_str()) == 0; }

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool is_yaml(std::string& path) {
  for (const char* suffix : {":yaml", ":yml"})
    if (path.ends_with(suffix)) {
      path.erase(path.rfind(':'));
      return true;
    }
  return path.ends_with(".yaml") || path.ends_with(".yml");
}

/// The key of a line of an option file: its first word without the dash.
std::string first_key(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos || line[begin] != '-') return {};
  const std::size_t end = line.find_first_of(" \t\r", begin);
  return line.substr(begin + 1, end == std::string::npos ? end : end - begin - 1);
}

/// Whether the variable PETSC_OPTIONS sets the key.
bool set_by_environment(const std::string& key) {
  const char* given = std::getenv("PETSC_OPTIONS");
  std::istringstream words(given ? given : "");
  for (std::string word; words >> word;)
    if (word[0] == '-' && same(word.substr(1), key)) return true;
  return false;
}

/// The option files that the command line names, in their order.
std::vector<std::pair<std::string, bool>> option_files() {
  int count = 0;
  char** words = nullptr;
  petsc::check(PetscGetArgs(&count, &words));
  std::vector<std::pair<std::string, bool>> files;
  for (int i = 1; i + 1 < count; ++i) {
    const bool yaml = same(words[i], "-options_file_yaml");
    if (!yaml && !same(words[i], "-options_file")) continue;
    std::string path = words[i + 1];
    const bool by_name = is_yaml(path);
    files.emplace_back(path, yaml || by_name);
  }
  return files;
}

bool on_command_line(const std::string& key) {
  int count = 0;
  char** words = nullptr;
  petsc::check(PetscGetArgs(&count, &words));
  for (int i = 1; i < count; ++i)
    if (words[i][0] == '-' && same(words[i] + 1, key)) return true;
  return false;
}

}  // namespace

int line_of_key(const std::string& text, const std::string& key, bool yaml) {
  if (yaml) {
    for (const petsc::YamlKey& known : petsc::yaml_keys(text))
      if (same(known.name, key)) return known.line;
    return 0;
  }
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (same(first_key(line), key)) return number;
  }
  return 0;
}

OptionOrigin origin_of(const std::string& key) {
  if (on_command_line(key)) return {};
  for (const auto& [path, yaml] : option_files())
    if (const int line = line_of_key(contents(path), key, yaml))
      return {OptionOrigin::Kind::file, path + ", line " + std::to_string(line)};
  if (set_by_environment(key)) return {OptionOrigin::Kind::surroundings, "PETSC_OPTIONS"};
  const char* home = std::getenv("HOME");
  for (const std::string& path :
       {std::string(home ? home : "") + "/.petscrc", std::string(".petscrc"), std::string("petscrc")})
    if (line_of_key(contents(path), key, false) > 0) return {OptionOrigin::Kind::surroundings, path};
  return {};
}

}  // namespace gearshift::app
