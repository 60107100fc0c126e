#include "dynamics/checkpoint/checkpoints.hpp"

#include <gearshift/petsc/stop_signals.hpp>

#include "petsc/files/hdf5_file.hpp"
#include "petsc/log.hpp"
#include "petsc/ranks/agree.hpp"

#include <petscsys.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <utility>

namespace gearshift {

using petsc::check;

namespace {

constexpr std::array pauses{0.1, 0.4};  // seconds before another attempt: a network disk may become available again

MPI_Comm comm_of(const Checkpoints::Contents& contents) {
  return PetscObjectComm(reinterpret_cast<PetscObject>(contents.layouts.motion));
}

}  // namespace

void Checkpoints::begin() {
  if (std::exchange(began_, true)) return;
  run_began_ = last_ = MPI_Wtime();
}

void Checkpoints::require_folder(MPI_Comm comm) const {
  if (options_.checkpoint.empty() || options_.checkpoint_failure != CheckpointFailure::stop) return;
  if (!petsc::Hdf5File::available())
    throw IoError("checkpoints cannot be written to " + options_.checkpoint +
                  ": this needs HDF5, and gearshift was built without it; build with a PETSc that has HDF5 and its "
                  "headers, or leave out -" +
                  root_ + "checkpoint");
  petsc::on_first_rank(comm, [&] {
    const std::string given = std::filesystem::path(options_.checkpoint).parent_path().string();
    const std::string folder = given.empty() ? "." : given;
    if (std::filesystem::is_directory(options_.checkpoint))
      throw IoError("checkpoints cannot be written to " + options_.checkpoint +
                    ", which is a folder; give a file to -" + root_ + "checkpoint");
    if (access(folder.c_str(), W_OK | X_OK) == 0) return;
    const std::string why = std::strerror(errno);
    throw IoError("checkpoints cannot be written to " + options_.checkpoint + ": folder " + folder + ": " + why +
                  "; make it writable, or give another file to -" + root_ + "checkpoint");
  });
}

bool Checkpoints::wanted() const {
  return StopSignals::watching() || std::isfinite(options_.max_wall) || !options_.checkpoint.empty();
}

int Checkpoints::requests(PetscInt steps) const {
  const double now = MPI_Wtime();
  int wanted = 0;
  if (StopSignals::received()) wanted |= stop_by_signal;
  if (now - run_began_ >= options_.max_wall) wanted |= stop_by_wall;
  if (options_.checkpoint.empty()) return wanted;
  const bool by_steps = options_.checkpoint_every > 0 && steps % options_.checkpoint_every == 0;
  const bool by_time = options_.checkpoint_wall > 0 && now - last_ >= options_.checkpoint_wall;
  if (by_steps || by_time) wanted |= write_now;
  return wanted;
}

void Checkpoints::serve(int agreed, Moment now, const Contents& contents) {
  if (!(agreed & any) || options_.checkpoint.empty()) return;
  failure_.clear();
  for (std::size_t attempt = 0;; ++attempt) {
    try {
      write(options_.checkpoint, now, contents);
      written_ = true;
      break;
    } catch (const IoError& error) {
      if (attempt < pauses.size()) {
        check(PetscSleep(pauses[attempt]));
        continue;
      }
      if (options_.checkpoint_failure == CheckpointFailure::stop)
        throw IoError(std::string(error.what()) + ". To continue anyway: -" + root_ + "checkpoint_failure continue");
      failure_ = error.what();
      check(PetscFPrintf(comm_of(contents), PETSC_STDERR, "warning: at t = %.10g %s. The run %s without it\n",
                         static_cast<double>(now.t), error.what(), agreed & stops ? "ends" : "continues"));
      break;
    }
  }
  last_ = MPI_Wtime();
}

std::string Checkpoints::file_to_resume(MPI_Comm comm) {
  if (options_.restart.empty() || std::exchange(resume_tried_, true)) return {};
  std::string file = find_checkpoint(comm, options_.restart);
  if (file.empty())
    check(PetscPrintf(comm, "note: no checkpoint %s found; the run starts from the beginning\n",
                      options_.restart.c_str()));
  return file;
}

void Checkpoints::report_resumed(MPI_Comm comm, const std::string& file, Moment now) {
  check(PetscPrintf(comm, "continues from the checkpoint %s: t = %.10g, step %" PetscInt_FMT "\n", file.c_str(),
                    static_cast<double>(now.t), now.step));
}

void Checkpoints::write(const std::string& file, Moment now, const Contents& contents) {
  const petsc::ScopedEvent event(petsc::Event::checkpoint);
  CheckpointHeader header;
  header.reals["t"] = now.t;
  header.integers["step"] = now.step;
  write_checkpoint(contents.layouts, file, contents.visit, header);
}

void Checkpoints::load(const std::string& file, const Contents& contents) {
  const CheckpointHeader header = read_checkpoint(contents.layouts, file, contents.visit);
  for (const std::string& change : changes_since(header))
    check(PetscPrintf(comm_of(contents), "note: %s\n", change.c_str()));
}

}  // namespace gearshift
