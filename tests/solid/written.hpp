#pragma once

/// @file
/// Mesh files written by the tests.

#include "solid/helpers.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace gearshift::solid::test {

/// A file with these bytes, written by the first rank, that exists during the lifetime of the object.
class Written {
 public:
  explicit Written(const std::string& bytes) {
    int pid = static_cast<int>(getpid());
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank_);
    MPI_Bcast(&pid, 1, MPI_INT, 0, PETSC_COMM_WORLD);
    path_ = (std::filesystem::temp_directory_path() / ("meshes_" + std::to_string(pid) + ".msh")).string();
    if (rank_ == 0) std::ofstream(path_, std::ios::binary) << bytes;
    MPI_Barrier(PETSC_COMM_WORLD);
  }
  ~Written() {
    MPI_Barrier(PETSC_COMM_WORLD);
    if (rank_ == 0) std::filesystem::remove(path_);
  }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;
  const std::string& path() const { return path_; }

 private:
  int rank_ = 0;
  std::string path_;
};

inline Mesh read(const Written& file) {
  const Options options(std::vector<std::pair<std::string, std::string>>{{"-dm_plex_filename", file.path()}});
  return Mesh::from_options(PETSC_COMM_WORLD);
}

}  // namespace gearshift::solid::test
