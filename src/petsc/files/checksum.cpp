#include "petsc/files/checksum.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace gearshift::petsc {
namespace {

constexpr std::uint64_t polynomial = 0xC96C5795D7870F42ULL;  // ECMA-182; the highest bit is x^0

/// tables[k][b]: the checksum of byte b followed by k zeros. With these, eight bytes are processed at once.
constexpr auto tables = [] {
  std::array<std::array<std::uint64_t, 256>, 8> t{};
  for (std::size_t b = 0; b < 256; ++b) {
    std::uint64_t sum = b;
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) ? polynomial : 0);
    t[0][b] = sum;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t b = 0; b < 256; ++b) t[k][b] = (t[k - 1][b] >> 8) ^ t[0][t[k - 1][b] & 0xff];
  return t;
}();

/// Returns a b modulo the polynomial.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  for (std::uint64_t bit = 1ULL << 63; bit != 0; bit >>= 1) {
    if (a & bit) result ^= b;
    b = (b >> 1) ^ ((b & 1) ? polynomial : 0);
  }
  return result;
}

}  // namespace

std::uint64_t checksum(const void* bytes, std::size_t count, std::uint64_t before) {
  const auto* at = static_cast<const unsigned char*>(bytes);
  std::uint64_t sum = before;
  if constexpr (std::endian::native == std::endian::little)
    for (; count >= 8; count -= 8, at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, 8);
      word ^= sum;
      sum = 0;
      for (std::size_t k = 0; k < 8; ++k) sum ^= tables[7 - k][(word >> (8 * k)) & 0xff];
    }
  for (; count > 0; --count, ++at) sum = (sum >> 8) ^ tables[0][(sum ^ *at) & 0xff];
  return sum;
}

std::uint64_t shifted(std::uint64_t sum, std::uint64_t count) {
  std::uint64_t power = 1ULL << 55;  // x^8, one byte
  for (; count != 0; count >>= 1) {
    if (count & 1) sum = product(power, sum);
    power = product(power, power);
  }
  return sum;
}

}  // namespace gearshift::petsc
