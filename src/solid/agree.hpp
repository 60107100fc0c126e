#pragma once

/// @file
/// Failures of one rank become errors of all ranks.

#include <petscsys.h>

#include <string>
#include <vector>

namespace gearshift::solid {

/// Returns the text of the lowest rank whose `failure` is not empty, or an empty text; the same on all ranks.
/// Collective.
inline std::string agree_on_failure(MPI_Comm comm, const std::string& failure) {
  int rank = 0, size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int speaker = failure.empty() ? size : rank;
  MPI_Allreduce(MPI_IN_PLACE, &speaker, 1, MPI_INT, MPI_MIN, comm);
  if (speaker == size) return {};
  int length = static_cast<int>(failure.size());
  MPI_Bcast(&length, 1, MPI_INT, speaker, comm);
  std::string text = rank == speaker ? failure : std::string(static_cast<std::size_t>(length), ' ');
  MPI_Bcast(text.data(), length, MPI_CHAR, speaker, comm);
  return text;
}

/// Throws Failure with the agreed text on all ranks if any rank has one. Collective.
template <class Failure>
void throw_if_any(MPI_Comm comm, const std::string& failure) {
  const std::string text = agree_on_failure(comm, failure);
  if (!text.empty()) throw Failure(text);
}

}  // namespace gearshift::solid
