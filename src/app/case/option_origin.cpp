#include "app/case/option_origin.hpp"

#include <gearshift/petsc/handle.hpp>

#include "petsc/options/yaml_keys.hpp"

#include <petscsys.h>
#include <strings.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
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

/// Returns the key in a line of an option file: its first word without the dash.
std::string first_key(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos || line[begin] != '-') return {};
  const std::size_t end = line.find_first_of(" \t\r", begin);
  return line.substr(begin + 1, end == std::string::npos ? end : end - begin - 1);
}

/// Returns the keys in the text of an option file with their line numbers, from 1.
std::vector<petsc::YamlKey> keys_in(const std::string& text, bool yaml) {
  if (yaml) return petsc::yaml_keys(text);
  std::vector<petsc::YamlKey> keys;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (const std::string key = first_key(line); !key.empty()) keys.push_back({key, number});
  }
  return keys;
}

/// Returns the option files named on the command line, in order, and true for those in YAML.
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

}  // namespace

bool is_key(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && (std::isalpha(static_cast<unsigned char>(word[1])) || word[1] == '_');
}

int line_of_key(const std::string& text, const std::string& key, bool yaml) {
  for (const petsc::YamlKey& known : keys_in(text, yaml))
    if (same(known.name, key)) return known.line;
  return 0;
}

std::vector<GivenKey> given_keys() {
  using Kind = OptionOrigin::Kind;
  std::vector<GivenKey> keys;
  int count = 0;
  char** words = nullptr;
  petsc::check(PetscGetArgs(&count, &words));
  bool resource_files = true;
  for (int i = 1; i < count; ++i)
    if (const std::string word = words[i]; is_key(word)) {
      keys.push_back({word.substr(1), {}});
      if (same(word, "-skip_petscrc")) resource_files = false;
    }
  for (const auto& [path, yaml] : option_files())
    for (const petsc::YamlKey& key : keys_in(contents(path), yaml))
      keys.push_back({key.name, {Kind::file, path + ", line " + std::to_string(key.line)}});
  const char* given = std::getenv("PETSC_OPTIONS");
  std::istringstream variable(given ? given : "");
  for (std::string word; variable >> word;)
    if (is_key(word)) keys.push_back({word.substr(1), {Kind::surroundings, "PETSC_OPTIONS"}});
  const char* home = std::getenv("HOME");
  for (const std::string& path :
       {std::string(home ? home : "") + "/.petscrc", std::string(".petscrc"), std::string("petscrc")})
    if (resource_files)
      for (const petsc::YamlKey& key : keys_in(contents(path), false))
        keys.push_back({key.name, {Kind::surroundings, path}});
  return keys;
}

OptionOrigin origin_of(const std::string& key) {
  const auto keys = given_keys();
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const GivenKey& one) { return same(one.name, key); });
  return found == keys.end() ? OptionOrigin() : found->origin;
}

std::string with_origin(const std::string& message) {
  constexpr std::string_view before = "option -";
  const std::size_t end = message.find_first_of(": ", before.size());
  if (!message.starts_with(before) || end == std::string::npos) return message;
  const std::string place = origin_of(message.substr(before.size(), end - before.size())).place;
  return place.empty() ? message : message.substr(0, end) + " (" + place + ")" + message.substr(end);
}

}  // namespace gearshift::app
