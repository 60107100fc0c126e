#pragma once

#include <petscsys.h>

#include <cstdarg>
#include <cstdio>
#include <string>
#include <vector>

namespace gearshift::petsc {

/// Captures PETSc's error output during its lifetime. (PETSc's stack of error handlers must not be used before
/// PetscInitialize, because the allocator may change there.)
class PrintCapture {
 public:
  PrintCapture() : former_(PetscErrorPrintf) {
    lines().clear();
    PetscErrorPrintf = keep;
  }
  ~PrintCapture() {
    if (PetscErrorPrintf == keep) PetscErrorPrintf = former_;  // unless -error_output_stdout or _none selected another
  }
  PrintCapture& operator=(PrintCapture&&) = delete;

  /// Returns the error's own message: PETSc prints a rule, the kind of error, the message, then advice and the trace.
  static std::string message() { return lines().size() > 2 ? lines()[2] : "the reason is unknown"; }

 private:
  static std::vector<std::string>& lines() {
    static std::vector<std::string> kept;
    return kept;
  }
  static PetscErrorCode keep(const char* format, ...) {
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    std::string line = text;
    while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
    lines().push_back(line);
    return petsc::success;
  }
  PetscErrorCode (*former_)(const char*, ...);
};

}  // namespace gearshift::petsc
