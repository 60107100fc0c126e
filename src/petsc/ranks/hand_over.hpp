#pragma once

/// @file
/// Lists that one rank makes for each of the others.

#include "petsc/queries.hpp"
#include "petsc/ranks/agree.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace gearshift::petsc {

/// Sends lists of numbers from the first rank to one other.
template <class... Number>
class HandOver {
  static_assert((std::is_trivially_copyable_v<Number> && ...));

 public:
  using Lists = std::tuple<std::vector<Number>...>;

  /// @param largest_piece numbers in a message; MPI counts are of type int
  explicit HandOver(MPI_Comm comm, std::size_t largest_piece = std::size_t{1} << 30) : largest_piece_(largest_piece) {
    check(PetscCommDuplicate(comm, &comm_, &tag_));
  }
  ~HandOver() { (void)!PetscCommDestroy(&comm_); }
  HandOver& operator=(HandOver&&) = delete;

  /// Returns make(rank) of the first rank on each rank, made and sent for one rank after the other. Throws Failure on
  /// all ranks if make() fails, or if a rank lacks the memory. Collective.
  template <class Failure, class Make>
  Lists to_each(Make&& make) const {
    Lists own;
    std::string failure;
    if (rank_of(comm_) == 0) {
      for (int rank = ranks_of(comm_) - 1; rank > 0; --rank) {
        Lists lists;
        if (failure.empty()) failure = failure_of([&] { lists = make(rank); });
        send(rank, lists, failure.empty());
      }
      if (failure.empty()) failure = failure_of([&] { own = make(0); });
    } else {
      failure = receive(own);
    }
    throw_if_any<Failure>(comm_, failure);
    return own;
  }

 private:
  using Sizes = std::array<std::int64_t, sizeof...(Number)>;

  static Sizes sizes_of(const Lists& lists) {
    return std::apply([](const auto&... list) { return Sizes{static_cast<std::int64_t>(list.size())...}; }, lists);
  }

  void send(int rank, const Lists& lists, bool good) const {
    Sizes sizes = sizes_of(lists);
    if (!good) sizes.fill(0);
    int ready = 0;
    check(MPI_Send(sizes.data(), static_cast<int>(sizes.size()), MPI_INT64_T, rank, tag_, comm_));
    check(MPI_Recv(&ready, 1, MPI_INT, rank, tag_, comm_, MPI_STATUS_IGNORE));
    if (!ready || !good) return;
    for_each_piece(lists, [&](const auto* first, int count, MPI_Datatype type) {
      check(MPI_Send(first, count, type, rank, tag_, comm_));
    });
  }

  std::string receive(Lists& lists) const {
    Sizes sizes{};
    check(MPI_Recv(sizes.data(), static_cast<int>(sizes.size()), MPI_INT64_T, 0, tag_, comm_, MPI_STATUS_IGNORE));
    const std::string failure = failure_of([&] {
      std::apply(
          [&, i = std::size_t{0}](auto&... list) mutable { (list.resize(static_cast<std::size_t>(sizes[i++])), ...); },
          lists);
    });
    const int ready = failure.empty() ? 1 : 0;
    check(MPI_Send(&ready, 1, MPI_INT, 0, tag_, comm_));
    if (ready)
      for_each_piece(lists, [&](auto* first, int count, MPI_Datatype type) {
        check(MPI_Recv(first, count, type, 0, tag_, comm_, MPI_STATUS_IGNORE));
      });
    return failure;
  }

  /// Calls visit(first, count, type) for each piece of each list.
  template <class AllLists, class Visit>
  void for_each_piece(AllLists& lists, Visit&& visit) const {
    const auto each = [&](auto& list) {
      if (list.empty()) return;
      MPI_Datatype type = MPI_DATATYPE_NULL;
      check(MPI_Type_contiguous(static_cast<int>(sizeof(list[0])), MPI_BYTE, &type));
      check(MPI_Type_commit(&type));
      for (std::size_t at = 0; at < list.size(); at += largest_piece_)
        visit(list.data() + at, static_cast<int>(std::min(largest_piece_, list.size() - at)), type);
      check(MPI_Type_free(&type));
    };
    std::apply([&](auto&... list) { (each(list), ...); }, lists);
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  PetscMPIInt tag_ = 0;
  std::size_t largest_piece_;
};

}  // namespace gearshift::petsc
