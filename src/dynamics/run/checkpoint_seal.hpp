#pragma once

#include "petsc/durable.hpp"

#include <mpi.h>

#include <cstdint>
#include <span>
#include <string>

namespace gearshift {

/// A piece of a file that one rank has in hands, with its checksum.
struct SealedPiece {
  std::int64_t offset = 0, length = 0;
  std::uint64_t sum = 0;
};

/// The sum of a file of this length from the pieces that this rank knows. Not collective.
std::uint64_t sum_of(std::span<const SealedPiece> pieces, std::int64_t length);

/// Writes the 32 bytes behind the first `length` ones and brings the file to the disk. Not collective. Throws IoError.
void append_seal(const petsc::File& file, std::int64_t length, std::uint64_t sum);

/// Why the file is not as it was sealed, or nothing. Each rank reads a part of it. Collective; the text is the same on
/// all ranks.
std::string seal_damage(MPI_Comm comm, const std::string& file);

}  // namespace gearshift
