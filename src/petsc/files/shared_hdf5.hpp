#pragma once

/// @file
/// HDF5 files that all ranks write to.

#include "petsc/files/hdf5_file.hpp"
#include "petsc/ranks/agree.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace gearshift::petsc {

/// An HDF5 file that all ranks write to: the first rank defines the layout, and each rank writes its part of the
/// arrays. A rank that fails still takes part in collective operations but writes nothing more; all ranks learn of the
/// failure in require_success(). The constructor, add() and require_success() are collective.
class SharedHdf5 {
 public:
  SharedHdf5(MPI_Comm comm, const std::string& name) : comm_(comm), first_(rank_of(comm) == 0) {
    if (first_)
      attempt([&] {
        File(name, File::Mode::anew).close();
        layout_.emplace(Hdf5File::create(name));
      });
    MPI_Barrier(comm_);  // the file exists now
    attempt([&] { file_ = File(name, File::Mode::existing_update); });
  }

  File& file() { return file_; }
  /// Runs action() unless this rank has failed.
  template <class Action>
  void attempt(Action&& action) {
    if (failure_.empty()) failure_ = failure_of(action);
  }
  /// Runs action(layout) on the first rank.
  template <class Action>
  void define(Action&& action) {
    if (first_) attempt([&] { action(*layout_); });
  }
  /// Allocates an array by reserve(layout), which returns its offset, and writes this rank's numbers, which follow
  /// `before` numbers of other ranks. Returns the offset of these numbers; nothing if this rank has none or
  /// had failed before.
  template <class T, class Reserve>
  std::optional<std::int64_t> add(std::int64_t before, std::span<const T> mine, Reserve&& reserve) {
    std::int64_t offset = -1;
    define([&](Hdf5File& layout) { offset = reserve(layout); });
    broadcast(comm_, offset);
    if (offset < 0 || mine.empty() || !failure_.empty()) return std::nullopt;
    offset += before * static_cast<std::int64_t>(sizeof(T));
    attempt([&] { file_.write_at(offset, mine.data(), mine.size_bytes()); });
    return offset;
  }
  /// Throws IoError on all ranks if any rank has failed.
  void require_success() const { throw_together(comm_, failure_); }

 private:
  MPI_Comm comm_;
  bool first_;
  std::optional<Hdf5File> layout_;  // on the first rank
  File file_;
  std::string failure_;
};

}  // namespace gearshift::petsc
