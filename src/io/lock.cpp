#include "io/lock.hpp"

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace gearshift::io {
namespace {

std::string this_process() {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) host[0] = '?';
  return "process " + std::to_string(getpid()) + " on " + host.data();
}

/// Returns true if the path still leads to this open file: the lock holder may have removed it in the meantime.
bool still_there(const petsc::File& file, const std::filesystem::path& path) {
  struct stat open {
  }, named{};
  return fstat(file.descriptor(), &open) == 0 && stat(path.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
         open.st_dev == named.st_dev;
}

}  // namespace

FileLock::FileLock(std::filesystem::path path) : path_(std::move(path)) {
  for (;;) {
    file_ = petsc::File(path_.string(), petsc::File::Mode::update);
    int taken = 0;
    do taken = flock(file_.descriptor(), LOCK_EX | LOCK_NB);
    while (taken != 0 && errno == EINTR);
    if (taken != 0 && errno == EWOULDBLOCK) {
      holder_.resize(static_cast<std::size_t>(file_.size()));
      file_.read_at(0, holder_.data(), holder_.size());
      if (holder_.empty()) holder_ = "a process that has just started";
      return;
    }
    // If the file system has no locks, the run continues without one.
    if (taken != 0 || still_there(file_, path_)) break;
  }
  const std::string name = this_process();
  file_.truncate(0);
  file_.write_at(0, name.data(), name.size());
}

FileLock::~FileLock() {
  if (holder_.empty()) (void)::unlink(path_.c_str());
}

}  // namespace gearshift::io
