#pragma once

#include <gearshift/petsc/error.hpp>

#include <cstddef>
#include <cstdint>

namespace gearshift::petsc {

/// CRC-64 (ECMA-182, reflected) as a linear map of the bytes: no initial value, no final inversion, so that the checksum
/// of a file is the exclusive or of those of its pieces, each shifted by the number of bytes behind it:
///
///     sum(A B) = shifted(sum(A), |B|) ^ sum(B)
///
/// Ranks compute the sums of the pieces that they hold. Leading zeros do not count: keep the length as well.
GEARSHIFT_EXPORT std::uint64_t checksum(const void* bytes, std::size_t count, std::uint64_t before = 0);

/// The sum of bytes that are followed by `count` zeros.
GEARSHIFT_EXPORT std::uint64_t shifted(std::uint64_t sum, std::uint64_t count);

}  // namespace gearshift::petsc
