#pragma once

#include "petsc/durable.hpp"

#include <filesystem>
#include <string>

namespace gearshift::io {

/// A file that one process at a time holds, and that tells who. The lock goes with the process; the file is removed at a
/// good end only. Not collective.
class FileLock {
 public:
  /// Takes the lock, or finds out who has it. Throws IoError where the file cannot be made.
  explicit FileLock(std::filesystem::path file);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  /// Who has the lock ("process 71 on node3"); empty: this object.
  const std::string& holder() const { return holder_; }

 private:
  std::filesystem::path path_;
  petsc::File file_;
  std::string holder_;
};

}  // namespace gearshift::io
