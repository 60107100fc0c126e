#pragma once

#include "petsc/files/durable.hpp"

#include <mpi.h>

#include <cstdint>
#include <span>
#include <string>

namespace gearshift {

/// A piece of a file held by one rank, with its checksum.
struct SealedPiece {
  std::int64_t offset = 0, length = 0;
  std::uint64_t sum = 0;
};

/// Returns the checksum of a file of this length, as far as it comes from this rank's pieces. Not collective.
std::uint64_t sum_of(std::span<const SealedPiece> pieces, std::int64_t length);

/// Writes the 32 bytes after the first `length` bytes and flushes the file to disk. Not collective. Throws IoError.
void append_seal(const petsc::File& file, std::int64_t length, std::uint64_t sum);

/// Returns how the file differs from the sealed content, or an empty text. Each rank reads a part of it. Collective;
/// the text is the same on all ranks.
std::string seal_damage(MPI_Comm comm, const std::string& file);

}  // namespace gearshift
