#pragma once

/// @file
/// Start and end of a program: PETSc, MPI, and one clear message with exit code 1 when something throws.

#include <gearshift/petsc/error.hpp>

#include <petscsys.h>

#include <functional>
#include <type_traits>
#include <utility>

namespace gearshift {

/// Initialises PETSc (and MPI) only if nobody has, and finalises only what it initialised.
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

  /// Runs `body` on PETSC_COMM_WORLD and returns the program's exit code: 0, or 1 after an exception, whose text is
  /// printed once when every rank threw, else by the rank that threw, which then ends all ranks (never a hang).
  int run(const std::function<void(MPI_Comm)>& body);

  /// The same for a body that returns an exit code, which must be the same on all ranks.
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
