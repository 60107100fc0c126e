#pragma once

/// @file
/// HDF5 files that all ranks write to.

#include "petsc/files/hdf5_file.hpp"
#include "petsc/files/rank_groups.hpp"
#include "petsc/ranks/agree.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace gearshift::petsc {

/// An HDF5 file that all ranks write to: the first rank defines the layout, and the first rank of each of RankGroups
/// writes the parts of its group. A rank that fails still takes part in collective operations but writes nothing more;
/// all ranks learn of the failure in require_success(). The constructor, add() and require_success() are collective.
class SharedHdf5 {
 public:
  SharedHdf5(MPI_Comm comm, const std::string& name, int ranks_per_group = 1)
      : comm_(comm), groups_(comm, ranks_per_group), first_(rank_of(comm) == 0) {
    if (first_)
      attempt([&] {
        File(name, File::Mode::anew).close();
        layout_.emplace(Hdf5File::create(name));
      });
    MPI_Barrier(comm_);  // the file exists now
    if (groups_.writes()) attempt([&] { file_ = File(name, File::Mode::existing_update); });
  }

  /// Returns the file; false on ranks that do not write.
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
  /// the `before` numbers of the ranks before it. Returns the offset of these numbers; nothing if this rank has none or
  /// had failed before.
  template <class T, class Reserve>
  std::optional<std::int64_t> add(std::int64_t before, std::span<const T> mine, Reserve&& reserve) {
    std::int64_t offset = -1;
    define([&](Hdf5File& layout) { offset = reserve(layout); });
    broadcast(comm_, offset);
    if (offset < 0) return std::nullopt;
    offset += before * static_cast<std::int64_t>(sizeof(T));
    std::int64_t at = offset;
    const bool collected = groups_.collect(std::as_bytes(mine), [&](std::span<const std::byte> bytes) {
      attempt([&] { file_.write_at(at, bytes.data(), bytes.size()); });
      at += static_cast<std::int64_t>(bytes.size());
    });
    if (!collected) attempt([] { throw IoError("not enough memory to collect the data of several ranks for a file"); });
    if (mine.empty() || !failure_.empty()) return std::nullopt;
    return offset;
  }
  /// Throws IoError on all ranks if any rank has failed.
  void require_success() const { throw_together(comm_, failure_); }

 private:
  MPI_Comm comm_;
  RankGroups groups_;
  bool first_;
  std::optional<Hdf5File> layout_;  // on the first rank
  File file_;
  std::string failure_;
};

}  // namespace gearshift::petsc
