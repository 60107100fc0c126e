#pragma once

/// @file
/// The contents of a checkpoint other than the numbers of its Vecs.

#include "dynamics/checkpoint/file.hpp"
#include "dynamics/checkpoint/parts.hpp"

namespace gearshift::checkpoint {

/// The small contents of the file, on every rank.
struct Contents {
  CheckpointHeader header;
  std::vector<Part> parts;
  std::vector<std::int64_t> partition;
  std::vector<double> reals;  ///< values of the parts of real numbers, in their order
  /// for each part in order: the values of an integer part; the offset of a Vec or local part; after the offset of a
  /// local part, the count of each rank
  std::vector<std::int64_t> integers;
};

/// Reads only the header, or everything if `whole`. Collective; throws IoError on all ranks.
Contents read_contents(MPI_Comm comm, const std::string& path, bool whole);

}  // namespace gearshift::checkpoint
