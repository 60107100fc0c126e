#pragma once

#include "petsc/files/durable.hpp"

#include <filesystem>
#include <string>

namespace gearshift::io {

/// A file that only one process can hold at a time, with the name of that process. The lock disappears with the
/// process; the file is removed only at a normal end. Not collective.
class FileLock {
 public:
  /// Takes the lock, or finds out which process has it. Throws IoError if the file cannot be created.
  explicit FileLock(std::filesystem::path file);
  ~FileLock();
  FileLock& operator=(FileLock&&) = delete;

  /// Returns the process that has the lock ("process 71 on node3"); empty: this object has it.
  const std::string& holder() const { return holder_; }

 private:
  std::filesystem::path path_;
  petsc::File file_;
  std::string holder_;
};

}  // namespace gearshift::io
