#include "dynamics/checkpoint/seal.hpp"

#include "dynamics/checkpoint/file.hpp"
#include "petsc/files/checksum.hpp"
#include "petsc/queries.hpp"
#include "petsc/ranks/agree.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <vector>

namespace gearshift {
namespace {

using petsc::checksum;
using petsc::File;
using petsc::shifted;

constexpr std::int64_t seal_length = 32;
constexpr const char* mark = "gearseal";

/// Returns the checksum of the bytes from `begin` up to but not including `end`.
std::uint64_t sum_of_range(const File& file, std::int64_t begin, std::int64_t end) {
  std::vector<char> block(static_cast<std::size_t>(std::clamp<std::int64_t>(end - begin, 0, 1 << 20)));
  std::uint64_t sum = 0;
  for (std::int64_t at = begin; at < end;) {
    const auto count = static_cast<std::size_t>(std::min<std::int64_t>(end - at, 1 << 20));
    file.read_at(at, block.data(), count);
    sum = checksum(block.data(), count, sum);
    at += static_cast<std::int64_t>(count);
  }
  return sum;
}

struct Seal {
  std::array<char, 8> name{};
  std::int64_t length = 0;
  std::uint64_t sum = 0, own_sum = 0;
};
static_assert(sizeof(Seal) == seal_length);

std::uint64_t own_sum(const Seal& seal) { return checksum(&seal, 24); }

/// Reads the seal; returns a text that describes its fault, or an empty text.
std::string read_seal(const std::string& name, Seal& seal) {
  const File file(name, File::Mode::read);
  const std::int64_t size = file.size();
  if (size < seal_length) return "it is too short for a checkpoint";
  file.read_at(size - seal_length, &seal, seal_length);
  if (std::memcmp(seal.name.data(), mark, seal.name.size()) != 0)
    return "the mark at its end is missing: it was cut off, or it is not a checkpoint of this version";
  if (own_sum(seal) != seal.own_sum) return "the checksum at its end is damaged";
  if (seal.length != size - seal_length) return "its length differs from the length written";
  return {};
}

}  // namespace

std::uint64_t sum_of(std::span<const SealedPiece> pieces, std::int64_t length) {
  std::uint64_t sum = 0;
  for (const SealedPiece& piece : pieces)
    sum ^= shifted(piece.sum, static_cast<std::uint64_t>(length - piece.offset - piece.length));
  return sum;
}

void append_seal(const File& file, std::int64_t length, std::uint64_t sum) {
  Seal seal{.length = length, .sum = sum};
  std::memcpy(seal.name.data(), mark, seal.name.size());
  seal.own_sum = own_sum(seal);
  file.write_at(length, &seal, seal_length);
  file.sync();
}

std::string seal_damage(MPI_Comm comm, const std::string& name) {
  const int rank = petsc::rank_of(comm);
  const int size = petsc::ranks_of(comm);
  Seal seal;
  std::string failure;
  if (rank == 0) {
    const std::string thrown = petsc::failure_of([&] { failure = read_seal(name, seal); });
    if (!thrown.empty()) failure = thrown;
  }
  petsc::broadcast(comm, failure);
  if (!failure.empty()) return failure;
  petsc::broadcast(comm, seal.length);
  const std::int64_t share = seal.length / size;
  const std::int64_t begin = rank * share, end = rank == size - 1 ? seal.length : begin + share;
  std::uint64_t sum = 0;
  failure = petsc::failure_of([&] {
    const File file(name, File::Mode::read);
    const SealedPiece mine{.offset = begin, .length = end - begin, .sum = sum_of_range(file, begin, end)};
    sum = sum_of({&mine, 1}, seal.length);
  });
  try {
    petsc::throw_together(comm, failure);
  } catch (const IoError& error) {
    return error.what();
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_BXOR, comm);
  auto whole = static_cast<std::int64_t>(sum == seal.sum);
  petsc::broadcast(comm, whole);
  return whole ? std::string() : "its checksum differs from the one written";
}

std::string find_checkpoint(MPI_Comm comm, const std::string& path) {
  const int rank = petsc::rank_of(comm);
  std::string found;
  std::error_code ignored;
  if (rank == 0) {
    if (std::filesystem::exists(path, ignored))
      found = path;
    else if (std::filesystem::exists(path + ".previous", ignored))
      found = path + ".previous";
  }
  petsc::broadcast(comm, found);
  return found;
}

std::string checkpoint_damage(MPI_Comm comm, const std::string& path) { return seal_damage(comm, path); }

}  // namespace gearshift
