#include <gearshift/io/folder.hpp>

#include "io/lock.hpp"
#include "petsc/files/durable.hpp"
#include "petsc/ranks/agree.hpp"

#include <unistd.h>

#include <fstream>
#include <system_error>
#include <vector>

namespace gearshift::io {
namespace fs = std::filesystem;
namespace {

constexpr const char* lock_name = ".gearshift-lock";

/// Returns FOLDER.previous, also for "results/" and ".".
fs::path previous_of(const fs::path& folder) {
  fs::path whole = fs::absolute(folder).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  return whole.string() + ".previous";
}

std::vector<std::string> results_in(const fs::path& folder, const std::function<bool(const std::string&)>& is_result) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (const std::string name = entry.path().filename().string(); is_result(name)) names.push_back(name);
  return names;
}

}  // namespace

void throw_together(MPI_Comm comm, const std::string& failure) { petsc::throw_together(comm, failure); }

void prepare_folder(MPI_Comm comm, const fs::path& folder) {
  const int rank = petsc::rank_of(comm);
  std::string failure;
  if (rank == 0) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error || !fs::is_directory(folder)) {
      failure = "output folder " + folder.string() +
                " cannot be created: " + (error ? error.message() : "a file of that name exists") +
                "; use another folder";
    } else {
      const fs::path trial = folder / ".gearshift-trial";
      std::ofstream(trial) << "x";
      if (!fs::exists(trial, error))
        failure = "output folder " + folder.string() + " is not writable; change its permissions or use another folder";
      fs::remove(trial, error);
    }
  }
  throw_together(comm, failure);
}

class OutputFolder::Lock : public FileLock {
 public:
  using FileLock::FileLock;
};

OutputFolder::OutputFolder(MPI_Comm comm, fs::path folder, Earlier earlier,
                           const std::function<bool(const std::string&)>& is_result)
    : path_(std::move(folder)) {
  prepare_folder(comm, path_);
  std::string moved;
  petsc::on_first_rank(comm, [&] {
    lock_ = std::make_unique<Lock>(path_ / lock_name);
    if (!lock_->holder().empty())
      throw IoError("another run writes into the folder " + path_.string() + " (" + lock_->holder() +
                    "); wait until it ends, or use another folder");
    if (earlier == Earlier::keep) return;
    const auto names = results_in(path_, is_result);
    if (names.empty()) return;
    const fs::path target = previous_of(path_);
    if (earlier == Earlier::move) {
      fs::create_directories(target);
      for (const std::string& name : results_in(target, is_result)) fs::remove_all(target / name);
      moved = target.string();
    }
    for (const std::string& name : names)
      earlier == Earlier::move ? fs::rename(path_ / name, target / name) : (void)fs::remove_all(path_ / name);
  });
  petsc::broadcast(comm, moved);
  moved_to_ = moved;
}

OutputFolder::~OutputFolder() = default;
OutputFolder::OutputFolder(OutputFolder&&) noexcept = default;
OutputFolder& OutputFolder::operator=(OutputFolder&&) noexcept = default;

void write_atomically(const fs::path& file, const std::string& text) {
  const std::string partial = file.string() + ".part";
  const auto attempt = [&] {
    petsc::File part(partial, petsc::File::Mode::anew);
    part.write_at(0, text.data(), text.size());
    part.close();
    std::error_code error;
    fs::rename(partial, file, error);
    if (error) throw IoError("file " + file.string() + " cannot be replaced: " + error.message());
  };
  if (petsc::failure_of(attempt).empty()) return;
  try {
    attempt();
  } catch (...) {
    (void)::unlink(partial.c_str());
    throw;
  }
}

}  // namespace gearshift::io
