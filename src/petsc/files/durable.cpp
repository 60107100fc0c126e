#include "petsc/files/durable.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

namespace gearshift::petsc {
namespace {

std::string advice(int error) {
  switch (error) {
    case ENOSPC:
      return ": the disk is full; make room, or write to another one";
    case EDQUOT:
      return ": your quota is used up; make room, or write to another disk";
    case EFBIG:
      return ": the file would exceed the size limit of the process; see ulimit -f";
    default:
      return std::string(": ") + std::strerror(error);
  }
}

int flags(File::Mode mode) {
  switch (mode) {
    case File::Mode::read:
      return O_RDONLY;
    case File::Mode::anew:
      return O_RDWR | O_CREAT | O_TRUNC;
    case File::Mode::update:
      return O_RDWR | O_CREAT;
    default:
      return O_RDWR;
  }
}

void require(bool good, const std::string& what) {
  if (!good) throw IoError(what + advice(errno));
}

}  // namespace

File::File(std::string name, Mode mode) : name_(std::move(name)) {
  do descriptor_ = ::open(name_.c_str(), flags(mode) | O_CLOEXEC, 0666);
  while (descriptor_ < 0 && errno == EINTR);
  if (descriptor_ < 0) fail(mode == Mode::read ? "read" : "written");
}

File File::adopt(std::string name, int descriptor) {
  File file;
  file.name_ = std::move(name);
  file.descriptor_ = descriptor;
  if (descriptor < 0) file.fail("created");
  return file;
}

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

File::File(File&& other) noexcept : name_(std::move(other.name_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

File& File::operator=(File&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

void File::fail(const char* action) const { throw IoError("file " + name_ + " cannot be " + action + advice(errno)); }

std::int64_t File::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail("read");
  return status.st_size;
}

void File::write_at(std::int64_t offset, const void* bytes, std::size_t count) const {
  const auto* from = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t done = ::pwrite(descriptor_, from, count, offset);
    if (done < 0 && errno == EINTR) continue;
    if (done == 0) errno = ENOSPC;
    if (done <= 0) fail("written");
    from += done;
    offset += done;
    count -= static_cast<std::size_t>(done);
  }
}

void File::read_at(std::int64_t offset, void* bytes, std::size_t count) const {
  auto* to = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t done = ::pread(descriptor_, to, count, offset);
    if (done < 0 && errno == EINTR) continue;
    if (done == 0) throw IoError("file " + name_ + " ends too early");
    if (done < 0) fail("read");
    to += done;
    offset += done;
    count -= static_cast<std::size_t>(done);
  }
}

void File::truncate(std::int64_t size) const {
  if (::ftruncate(descriptor_, size) != 0) fail("truncated");
}

void File::sync() const {
  // Pipes and devices cannot be flushed to a disk.
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) fail("flushed to the disk");
}

void File::close() {
  if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) fail("closed");
}

void sync_folder_of(const std::string& file) {
  const std::string parent = std::filesystem::path(file).parent_path().string();
  const int folder = ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;  // a writable folder need not be readable
  const bool good = ::fsync(folder) == 0 || errno == EINVAL || errno == ENOTSUP;
  const int error = errno;
  ::close(folder);
  errno = error;
  require(good, "the folder of " + file + " cannot be flushed to the disk");
}

void replace_keeping_previous(const std::string& part, const std::string& file) {
  const std::string previous = file + ".previous", link = previous + ".part";
  if (::access(file.c_str(), F_OK) == 0) {
    (void)::unlink(link.c_str());  // left by a program that died between the two calls
    if (::link(file.c_str(), link.c_str()) == 0)
      require(std::rename(link.c_str(), previous.c_str()) == 0, "file " + previous + " cannot be replaced");
    else
      require(std::rename(file.c_str(), previous.c_str()) == 0, "file " + previous + " cannot be replaced");
    // rename() leaves both names in place if they are links to one file, as after a crash before the next line.
    (void)::unlink(link.c_str());
  }
  require(std::rename(part.c_str(), file.c_str()) == 0, "file " + file + " cannot be replaced");
  sync_folder_of(file);
}

}  // namespace gearshift::petsc
