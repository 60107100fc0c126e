/// Option files: the first line of the input is an option, the rest the file. Any YAML file is refused or read by
/// PETSc, and an option is found on a line that contains it, in YAML and line by line.

#include <gearshift/petsc/error.hpp>

#include "app/case/option_origin.hpp"
#include "fuzz/target.hpp"
#include "petsc/options/option_files.hpp"
#include "petsc/print_capture.hpp"

#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

using namespace gearshift;
using gearshift::test::require;

namespace {

std::string line_of(const std::string& text, int number) {
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i < number; ++i) std::getline(lines, line);
  return line;
}

/// Lets PETSc read the file into a separate database. (Files that are not YAML are read only by PETSc, which leaves a
/// file open after an error in it.)
bool read_by_petsc(const std::string& file) {
  const petsc::PrintCapture capture;
  PetscOptions options = nullptr;
  petsc::check(PetscOptionsCreate(&options));
  const bool good = PetscOptionsInsertFileYAML(PETSC_COMM_SELF, options, file.c_str(), PETSC_TRUE) == 0;
  petsc::check(PetscOptionsDestroy(&options));
  return good;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  // PETSc must not parse the flags.
  int one = 1;
  (void)argc;
  petsc::check(PetscInitialize(&one, argv, nullptr, nullptr));
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(input.find('\n'), size);
  const std::string key = input.substr(0, end), text = input.substr(std::min(end + 1, size));
  const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
  for (const bool yaml : {false, true}) {
    const int line = app::line_of_key(text, key, yaml);
    require(line >= 0 && line <= lines, "the line is within the file");
    if (line > 0 && !yaml && !key.empty() && key.find('\0') == std::string::npos)
      require(strcasestr(line_of(text, line).c_str(), ("-" + key).c_str()) != nullptr, "the key is on its line");
  }
  const std::string file = "fuzz_options." + std::to_string(getpid());
  std::ofstream(file, std::ios::binary) << text;
  const std::array<const char*, 3> words{"program", "-options_file_yaml", file.c_str()};
  const std::string refusal = petsc::option_file_error(static_cast<int>(words.size()), words.data());
  if (refusal.empty())
    require(read_by_petsc(file), "PETSc reads what passes");
  else
    require(refusal.starts_with("the option file '" + file + "'"), "a refusal names the file: " + refusal);
  unlink(file.c_str());
  return 0;
}
