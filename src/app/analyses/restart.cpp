#include "app/analyses/restart.hpp"

#include <gearshift/io/folder.hpp>

#include "dynamics/checkpoint/file.hpp"
#include "petsc/text_of.hpp"

#include <array>
#include <filesystem>

namespace gearshift::app {

void prepare_folder_of_checkpoint(MPI_Comm comm, const Case& given) {
  namespace fs = std::filesystem;
  std::array<char, PETSC_MAX_PATH_LEN> file{};
  petsc::check(PetscOptionsGetString(nullptr, nullptr, "-gear_checkpoint", file.data(), file.size(), nullptr));
  const fs::path folder = fs::path(file.data()).parent_path();
  if (folder.empty()) return;
  const std::string relative = fs::absolute(folder)
                                   .lexically_normal()
                                   .lexically_relative(fs::absolute(given.results.folder).lexically_normal())
                                   .string();
  if (!relative.empty() && !relative.starts_with("..")) io::prepare_folder(comm, folder);
}

bool resumes(const Case& given, const solid::Body& body, const StepperOptions& options) {
  if (options.restart.empty()) return false;
  if (!given.analysis.has_time())
    throw OptionError(
        "option -gear_restart: a static solution has no steps to continue from; leave out one of -gear_restart and "
        "-static");
  const MPI_Comm comm = body.space().comm();
  if (find_checkpoint(comm, options.restart).empty()) return false;
  if (body.natural_numbering()) return true;
  int size = 1;
  MPI_Comm_size(comm, &size);
  const auto written = read_checkpoint_header(comm, options.restart).integers.at("ranks");
  if (written != size)
    throw IoError("the checkpoint '" + options.restart + "' was written on " + petsc::count_of(written, "rank") +
                  ", but this run has " + std::to_string(size) + ": continue on the same number of ranks");
  return true;
}

}  // namespace gearshift::app
