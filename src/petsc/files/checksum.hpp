#pragma once

#include <gearshift/petsc/error.hpp>

#include <cstddef>
#include <cstdint>

namespace gearshift::petsc {

/// Computes the CRC-64 (ECMA-182, reflected) as a linear map of the bytes: no initial value and no final inversion. The
/// checksum of a file is therefore the exclusive or of the checksums of its pieces, each shifted by the number of bytes
/// after it:
///
///     sum(A B) = shifted(sum(A), |B|) ^ sum(B)
///
/// Ranks compute the sums of the pieces that they hold. Leading zeros do not count: store the length as well.
GEARSHIFT_EXPORT std::uint64_t checksum(const void* bytes, std::size_t count, std::uint64_t before = 0);

/// Returns the checksum of the bytes followed by `count` zeros.
GEARSHIFT_EXPORT std::uint64_t shifted(std::uint64_t sum, std::uint64_t count);

/// Returns a number that depends on every bit of both arguments, and is not linear in them: for hashes, and for sums
/// over the entries of a numbering whose order must not matter.
constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9E3779B97F4A7C15ULL ^ (b + 0xD1B54A32D192ED03ULL);
  for (int round = 0; round < 2; ++round) x = (x ^ (x >> 31)) * 0xBF58476D1CE4E5B9ULL;
  return x ^ (x >> 29);
}

}  // namespace gearshift::petsc
