#pragma once

/// @file
/// Groups of ranks, one of which writes for all.

#include <gearshift/petsc/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <numeric>
#include <span>
#include <vector>

namespace gearshift::petsc {

/// Groups of consecutive ranks. The first rank of each group writes the bytes of all, in few large pieces: a file
/// system that serves each write on its own would otherwise serve one from every rank. Creation and destruction are
/// collective on comm.
class RankGroups {
 public:
  /// @param size          ranks of a group
  /// @param largest_piece bytes
  explicit RankGroups(MPI_Comm comm, int size, std::size_t largest_piece = 8 * 1024 * 1024)
      : largest_piece_(largest_piece) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    check(MPI_Comm_split(comm, rank / size, rank, &comm_));
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &ranks_);
    lengths_.resize(static_cast<std::size_t>(ranks_));
  }
  ~RankGroups() { MPI_Comm_free(&comm_); }
  RankGroups(const RankGroups&) = delete;
  RankGroups& operator=(const RankGroups&) = delete;

  bool writes() const { return rank_ == 0; }

  /// Calls write(bytes) on the first rank of the group for the bytes of the ranks, in the order of the ranks; those of
  /// the other ranks are joined to pieces. write() must not throw. Returns false, on all ranks of the group, if the first
  /// one has no memory for a piece; nothing is written then. Collective on the group.
  template <class Write>
  bool collect(std::span<const std::byte> mine, Write&& write) {
    const auto length = static_cast<std::int64_t>(mine.size());
    check(MPI_Gather(&length, 1, MPI_INT64_T, lengths_.data(), 1, MPI_INT64_T, 0, comm_));
    std::vector<std::byte> piece;
    int ready = 1;
    if (writes()) ready = reserve(piece) ? 1 : 0;
    check(MPI_Bcast(&ready, 1, MPI_INT, 0, comm_));
    if (!ready) return false;
    if (!writes()) {
      for (; !mine.empty(); mine = mine.subspan(part(mine.size())))
        check(MPI_Send(mine.data(), static_cast<int>(part(mine.size())), MPI_BYTE, 0, 0, comm_));
      return true;
    }
    if (!mine.empty()) write(mine);
    const auto flush = [&] {
      if (!piece.empty()) write(std::span<const std::byte>(piece));
      piece.clear();
    };
    for (int rank = 1; rank < ranks_; ++rank)
      for (auto left = static_cast<std::size_t>(lengths_[static_cast<std::size_t>(rank)]); left > 0;) {
        const std::size_t count = part(left);
        if (piece.size() + count > largest_piece_) flush();
        piece.resize(piece.size() + count);
        check(MPI_Recv(piece.data() + piece.size() - count, static_cast<int>(count), MPI_BYTE, rank, 0, comm_,
                       MPI_STATUS_IGNORE));
        left -= count;
      }
    flush();
    return true;
  }

 private:
  /// Reserves the memory of the largest piece of other ranks; returns false without it.
  bool reserve(std::vector<std::byte>& piece) const try {
    const auto all = std::accumulate(lengths_.begin() + 1, lengths_.end(), std::size_t{0});
    piece.reserve(part(all));
    return true;
  } catch (const std::exception&) {
    return false;
  }
  std::size_t part(std::size_t left) const { return std::min(left, largest_piece_); }

  std::size_t largest_piece_;
  std::vector<std::int64_t> lengths_;  // of the ranks, on the first one
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, ranks_ = 1;
};

}  // namespace gearshift::petsc
