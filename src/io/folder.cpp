#include <gearshift/io/folder.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace gearshift::io {
namespace fs = std::filesystem;

void throw_together(MPI_Comm comm, const std::string& failure) {
  int rank = 0, size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int first = failure.empty() ? size : rank;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm);
  if (first == size) return;
  std::string text = failure;
  int length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, first, comm);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, first, comm);
  throw IoError(text);
}

void prepare_folder(MPI_Comm comm, const fs::path& folder) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  std::string failure;
  if (rank == 0) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error || !fs::is_directory(folder)) {
      failure = "output folder " + folder.string() +
                " cannot be made: " + (error ? error.message() : "a file of that name is in the way") +
                "; give another one";
    } else {
      const fs::path trial = folder / ".gearshift-trial";
      std::ofstream(trial) << "x";
      if (!fs::exists(trial, error))
        failure = "output folder " + folder.string() + " is not writable; change its permissions or give another one";
      fs::remove(trial, error);
    }
  }
  throw_together(comm, failure);
}

void write_atomically(const fs::path& file, const std::string& text) {
  const fs::path partial = file.string() + ".part";
  {
    std::ofstream stream(partial, std::ios::binary);
    stream << text;
    stream.flush();
    if (!stream)
      throw IoError("file " + partial.string() + " cannot be written: " + std::strerror(errno) +
                    "; is the disk full, or the folder gone?");
  }
  std::error_code error;
  fs::rename(partial, file, error);
  if (error) throw IoError("file " + file.string() + " cannot be replaced: " + error.message());
}

}  // namespace gearshift::io
