#pragma once

/// @file
/// The exceptions of gearshift, and the conversion of PETSc error codes into exceptions.

#include <gearshift/export.hpp>

#include <petscsys.h>

#include <stdexcept>
#include <string>

#if defined(PETSC_USE_COMPLEX)
#error "gearshift needs a PETSc with real scalars: configure PETSc without --with-scalar-type=complex"
#endif
#if !defined(PETSC_USE_REAL_DOUBLE)
#error "gearshift needs a PETSc in double precision: configure PETSc with --with-precision=double"
#endif
// A program that links to gearshift learns from CMake or pkg-config which PETSc it was built with.
#if defined(GEARSHIFT_INDEX_BITS) && defined(PETSC_USE_64BIT_INDICES) != (GEARSHIFT_INDEX_BITS == 64)
#error \
    "gearshift was built with a PETSc of 32-bit indices and this one has 64, or the other way round: set PETSC_DIR or PKG_CONFIG_PATH to that PETSc"
#endif

namespace gearshift {

/// Base of all exceptions. The text says what went wrong, where, and what to try.
class GEARSHIFT_EXPORT Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown for an option or argument whose value makes no sense.
class GEARSHIFT_EXPORT OptionError : public Error {
 public:
  using Error::Error;
};

/// Thrown if a mesh cannot be read or used.
class GEARSHIFT_EXPORT MeshError : public Error {
 public:
  using Error::Error;
};

/// Thrown if a file cannot be read or written.
class GEARSHIFT_EXPORT IoError : public Error {
 public:
  using Error::Error;
};

/// Thrown if the time step falls below `dt_min` or fails ten times in a row. The state is the last accepted one.
class GEARSHIFT_EXPORT StepFailed : public Error {
 public:
  StepFailed(const std::string& what, PetscReal time, PetscReal step) : Error(what), t(time), dt(step) {}
  PetscReal t;   ///< time of the last accepted state
  PetscReal dt;  ///< size of the step that failed last
};

/// A PETSc call failed; `code` is its error code.
class GEARSHIFT_EXPORT PetscFailure : public Error {
 public:
  PetscFailure(const std::string& what, PetscErrorCode petsc_code) : Error(what), code(petsc_code) {}
  PetscErrorCode code;
};

/// Thrown by a user's callback if it cannot be evaluated at this state ("element 7 inverted"). It is not an error of
/// the program: the line search backs up, or the step is repeated with a smaller dt. It may be thrown on any subset of
/// the ranks, after the callback's last collective call.
class GEARSHIFT_EXPORT InvalidState : public Error {
 public:
  using Error::Error;
};

namespace petsc {

/// The code that a PETSc function returns on success. PETSc's name for it, PETSC_SUCCESS, does not exist in 3.18.
inline constexpr PetscErrorCode success = static_cast<PetscErrorCode>(0);

/// The file and line of a call. std::source_location is missing in clang before 16 with GCC's standard library.
struct CallSite {
  const char* file;
  int line;
  static constexpr CallSite here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

/// Throws PetscFailure for a nonzero code, with PETSc's message and the position of the call. Not collective.
GEARSHIFT_EXPORT void throw_failure(PetscErrorCode code, const CallSite& where);

/// Converts an error code of PETSc or MPI into an exception: `check(VecNorm(x, NORM_2, &norm))`.
template <class Code>
inline void check(Code code, const CallSite& where = CallSite::here()) {
  if (code != 0) [[unlikely]]
    throw_failure(static_cast<PetscErrorCode>(code), where);
}

/// During its lifetime, PETSc's errors are not printed but kept for the text of the exception. Does nothing before
/// PetscInitialize and after PetscFinalize.
class GEARSHIFT_EXPORT ErrorCapture {
 public:
  ErrorCapture();
  ~ErrorCapture();
  ErrorCapture(const ErrorCapture&) = delete;
  ErrorCapture& operator=(const ErrorCapture&) = delete;

 private:
  bool active_ = false;
};

}  // namespace petsc
}  // namespace gearshift
