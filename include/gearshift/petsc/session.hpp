#pragma once

/// @file
/// Start and end of a program: PETSc, MPI, and one clear message with exit code 1 after an exception.

#include <gearshift/petsc/error.hpp>

#include <petscsys.h>

#include <functional>
#include <type_traits>
#include <utility>

namespace gearshift {

/// Initialises PETSc (and MPI) if they are not yet initialised, and finalises only those that it has initialised.
///
/// ```cpp
/// int main(int argc, char** argv) {
///   gearshift::Session session(argc, argv, "What this program does.\n");
///   return session.run([&](MPI_Comm comm) { ... });
/// }
/// ```
class GEARSHIFT_EXPORT Session {
 public:
  /// @param help text that `-help` prints first. Collective on MPI_COMM_WORLD. An option file that cannot be read or
  /// understood ends the program on all ranks with one message and exit code 1.
  Session(int& argc, char**& argv, const char* help = nullptr);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Runs `body` on PETSC_COMM_WORLD and returns the program's exit code: 0, or 1 after an exception. Its text is
  /// printed once if every rank threw; otherwise by the rank that threw, which then ends all ranks (the program never
  /// hangs).
  int run(const std::function<void(MPI_Comm)>& body);

  /// Runs a body that returns an exit code. The code must be equal on all ranks.
  template <class Body>
  requires std::is_same_v < std::invoke_result_t<Body&, MPI_Comm>,
  int > int run(Body&& body) { return run_to_code(std::forward<Body>(body)); }

 private:
  int run_to_code(const std::function<int(MPI_Comm)>& body);
  bool owns_mpi_ = false;
  bool owns_petsc_ = false;
  bool failed_ = false;
};

}  // namespace gearshift
