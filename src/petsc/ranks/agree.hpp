#pragma once

#include "petsc/queries.hpp"

#include <cstdint>
#include <exception>
#include <string>

namespace gearshift::petsc {

/// The text of the lowest rank that has one, and that rank; an empty text and -1 if no rank has one.
/// first_text() finds it; collective on comm.
struct FirstText {
  int rank = -1;
  std::string text;
};
GEARSHIFT_EXPORT FirstText first_text(MPI_Comm comm, bool mine, const std::string& text);

/// Throws Failure with the text of the lowest rank that has one; returns if all texts are empty. Collective on comm.
template <class Failure>
void throw_if_any(MPI_Comm comm, const std::string& failure) {
  const FirstText first = first_text(comm, !failure.empty(), failure);
  if (first.rank >= 0) throw Failure(first.text);
}

/// Throws IoError with the text of the lowest rank that has one. Collective on comm.
GEARSHIFT_EXPORT void throw_together(MPI_Comm comm, const std::string& failure);

/// Returns the text of the exception that body() throws, or nothing: for file operations on some ranks only.
template <class Body>
std::string failure_of(Body&& body) {
  try {
    body();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

/// Runs body() on each rank; if it throws on some, all throw Failure with the text of the lowest one. Collective on comm.
template <class Failure, class Body>
void on_each_rank(MPI_Comm comm, Body&& body) {
  throw_if_any<Failure>(comm, failure_of(body));
}

/// Returns value(). If that throws, `failure` receives the text of the exception unless it has one already, and the
/// result is a default value: for functions of users, which may throw on some ranks only.
template <class Value>
auto value_or_failure(Value&& value, std::string& failure) -> decltype(value()) {
  decltype(value()) result{};
  const std::string thrown = failure_of([&] { result = value(); });
  if (failure.empty()) failure = thrown;
  return result;
}

/// Runs body() on the first rank; an exception thrown there becomes an IoError on all ranks. Collective on comm.
template <class Body>
void on_first_rank(MPI_Comm comm, Body&& body) {
  throw_together(comm, rank_of(comm) == 0 ? failure_of(body) : std::string());
}

/// Copies the first rank's value to every rank. Collective on comm.
GEARSHIFT_EXPORT void broadcast(MPI_Comm comm, std::string& text);
GEARSHIFT_EXPORT void broadcast(MPI_Comm comm, std::int64_t& number);

/// Returns the bytes of a file, read on the first rank. Throws IoError "the file '<file>' cannot be read; <advice>" on
/// all ranks. Collective on comm.
GEARSHIFT_EXPORT std::string read_file(MPI_Comm comm, const std::string& file, const std::string& advice);

}  // namespace gearshift::petsc
