#pragma once

/// @file
/// The contents of a checkpoint other than the numbers of its Vecs.

#include "dynamics/run/checkpoint_file.hpp"
#include "dynamics/run/checkpoint_parts.hpp"

namespace gearshift::checkpoint {

/// The small contents of the file, on every rank.
struct Contents {
  CheckpointHeader header;
  std::vector<Part> parts;
  std::vector<std::int64_t> partition;
  std::vector<double> reals;           ///< of all parts in turn
  std::vector<std::int64_t> integers;  ///< of all parts; a Vec's or local part's offset; local: then each rank's count
};

/// Reads only the header, or everything if `whole`. Collective; throws IoError on all ranks.
Contents read_contents(MPI_Comm comm, const std::string& path, bool whole);

}  // namespace gearshift::checkpoint
