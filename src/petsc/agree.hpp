#pragma once

#include <gearshift/petsc/error.hpp>

#include <cstdint>
#include <exception>
#include <string>

namespace gearshift::petsc {

/// The text of the lowest rank that has one, and that rank; an empty text and -1 where none has. Collective on comm.
struct FirstText {
  int rank = -1;
  std::string text;
};
GEARSHIFT_EXPORT FirstText first_text(MPI_Comm comm, bool mine, const std::string& text);

/// Throws Failure with the text of the lowest rank that has one; returns where all are empty. Collective on comm.
template <class Failure>
void throw_if_any(MPI_Comm comm, const std::string& failure) {
  const FirstText first = first_text(comm, !failure.empty(), failure);
  if (first.rank >= 0) throw Failure(first.text);
}

/// The same with IoError.
GEARSHIFT_EXPORT void throw_together(MPI_Comm comm, const std::string& failure);

/// The text of what body() throws, or nothing: for work on files that some ranks do alone.
template <class Body>
std::string failure_of(Body&& body) {
  try {
    body();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

/// Runs body() on the first rank; what it throws there is an IoError on all. Collective on comm.
template <class Body>
void on_first_rank(MPI_Comm comm, Body&& body) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  throw_together(comm, rank == 0 ? failure_of(body) : std::string());
}

/// The first rank's value on every rank. Collective on comm.
GEARSHIFT_EXPORT void broadcast(MPI_Comm comm, std::string& text);
GEARSHIFT_EXPORT void broadcast(MPI_Comm comm, std::int64_t& number);

/// The bytes of a file, which the first rank reads. Throws IoError "the file '<file>' cannot be read; <advice>" on all.
/// Collective on comm.
GEARSHIFT_EXPORT std::string read_file(MPI_Comm comm, const std::string& file, const std::string& advice);

}  // namespace gearshift::petsc
