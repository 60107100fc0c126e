#include "petsc/ranks/agree.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace gearshift::petsc {
namespace {

void broadcast_from(MPI_Comm comm, int root, std::string& text) {
  auto length = static_cast<std::int64_t>(text.size());
  MPI_Bcast(&length, 1, MPI_INT64_T, root, comm);
  text.resize(static_cast<std::size_t>(length));
  constexpr std::int64_t piece = 1 << 30;  // MPI counts are of type int
  for (std::int64_t at = 0; at < length; at += piece)
    MPI_Bcast(text.data() + at, static_cast<int>(std::min(piece, length - at)), MPI_CHAR, root, comm);
}

}  // namespace

FirstText first_text(MPI_Comm comm, bool mine, const std::string& text) {
  const int rank = rank_of(comm);
  const int size = ranks_of(comm);
  const int first = reduced(comm, MPI_MIN, mine ? rank : size);
  if (first == size) return {};
  FirstText found{first, text};
  broadcast_from(comm, first, found.text);
  return found;
}

void throw_together(MPI_Comm comm, const std::string& failure) {
  const FirstText found = first_text(comm, !failure.empty(), failure);
  if (found.rank >= 0) throw IoError(found.text);
}

void broadcast(MPI_Comm comm, std::string& text) { broadcast_from(comm, 0, text); }

void broadcast(MPI_Comm comm, std::int64_t& number) { MPI_Bcast(&number, 1, MPI_INT64_T, 0, comm); }

std::string read_file(MPI_Comm comm, const std::string& file, const std::string& advice) {
  std::string bytes;
  on_first_rank(comm, [&] {
    std::ifstream stream(file, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(stream), {});
    if (!stream.is_open() || stream.bad()) throw IoError("the file '" + file + "' cannot be read; " + advice);
  });
  broadcast(comm, bytes);
  return bytes;
}

}  // namespace gearshift::petsc
