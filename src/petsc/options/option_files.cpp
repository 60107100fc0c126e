#include "petsc/options/option_files.hpp"

#include "petsc/options/yaml_keys.hpp"
#include "petsc/print_capture.hpp"

#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace gearshift::petsc {
namespace {

/// Returns true if PETSc cannot read the YAML. The trial uses a separate database, because this one may exist before
/// PetscInitialize. A PETSc without libyaml contains a copy of it.
bool malformed_yaml(const std::string& text) {
  const PrintCapture capture;
  PetscOptions trial = nullptr;
  if (PetscOptionsCreate(&trial) != 0) return false;
  const bool malformed = PetscOptionsInsertStringYAML(trial, text.c_str()) != 0;
  return PetscOptionsDestroy(&trial) != 0 || malformed;
}

/// Returns the first line, from 1, up to which a malformed text is malformed: the line of the error, or that of a list
/// or a quotation around it. Parses the text log2(lines) times.
std::ptrdiff_t malformed_line(const std::string& text) {
  const std::vector<std::size_t> begins = yaml_lines(text);
  // The text up to an error is malformed wherever a later line ends it.
  const auto found = std::partition_point(begins.begin(), begins.end(), [&](std::size_t begin) {
    return begin == 0 || !malformed_yaml(text.substr(0, begin));
  });
  const std::size_t at = found == begins.begin() ? 0 : *(found - 1);
  return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
}

}  // namespace

std::string option_file_error(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string key = argv[i];
    if (strcasecmp(argv[i], "-options_file") != 0 && strcasecmp(argv[i], "-options_file_yaml") != 0) continue;
    if (i + 1 == argc || argv[i + 1][0] == '-' || argv[i + 1][0] == '\0')
      return "no file name follows " + key + "; give one, or remove the option";
    std::string name = argv[i + 1];
    bool yaml = strcasecmp(argv[i], "-options_file_yaml") == 0 || name.ends_with(".yaml") || name.ends_with(".yml");
    if (name.find('$') != std::string::npos) continue;  // PETSc expands ${HOME} and the like
    for (const char* suffix : {":yaml", ":yml"})
      if (name.ends_with(suffix)) {
        yaml = true;
        name.erase(name.rfind(':'));
      }
    std::error_code ignored;
    if (access(name.c_str(), R_OK) != 0 || std::filesystem::is_directory(name, ignored))
      return "the option file '" + name + "' cannot be read; check the path given to " + key;
    if (!yaml) continue;
    std::ifstream file(name);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (malformed_yaml(text))
      return "the option file '" + name + "' is not valid YAML at line " + std::to_string(malformed_line(text)) +
             "; write 'key: value' without a dash, and check brackets, quotes and indentation";
    // PETSc would silently use the last one.
    if (const std::string repeated = repeated_yaml_key(text); !repeated.empty())
      return "the option file '" + name + "' " + repeated;
  }
  return {};
}

}  // namespace gearshift::petsc
