#pragma once

#include <gearshift/petsc/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace gearshift::petsc {

/// A file, held by its descriptor; writing is checked to the last byte. Not collective. Throws IoError with the name,
/// the system's reason and a suggestion.
class GEARSHIFT_EXPORT File {
 public:
  enum class Mode {
    read,
    anew,    ///< created, or truncated to nothing
    update,  ///< created if it is missing; its content stays
    existing_update,
  };
  File() = default;
  File(std::string name, Mode mode);
  /// Takes ownership of an open descriptor; throws for a negative one, with the reason from errno.
  static File adopt(std::string name, int descriptor);
  ~File();
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  explicit operator bool() const { return descriptor_ >= 0; }
  const std::string& name() const { return name_; }
  int descriptor() const { return descriptor_; }
  std::int64_t size() const;

  void write_at(std::int64_t offset, const void* bytes, std::size_t count) const;
  void read_at(std::int64_t offset, void* bytes, std::size_t count) const;
  void truncate(std::int64_t size) const;
  /// Returns when the content is on the disk.
  void sync() const;
  /// Closes the file. Some file systems report only now that an earlier write was lost.
  void close();

 private:
  [[noreturn]] void fail(const char* action) const;
  std::string name_;
  int descriptor_ = -1;
};

/// Makes the names in this file's folder, created by rename or link, survive a crash of the machine.
GEARSHIFT_EXPORT void sync_folder_of(const std::string& file);

/// Renames `part`, a complete file, to `file`; an existing one becomes `<file>.previous`. At every moment there is a
/// complete file named `file` or, on file systems without links, `<file>.previous`.
GEARSHIFT_EXPORT void replace_keeping_previous(const std::string& part, const std::string& file);

}  // namespace gearshift::petsc
