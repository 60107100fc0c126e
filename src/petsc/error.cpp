#include <gearshift/petsc/error.hpp>

#include <sstream>
#include <string_view>
#include <utility>

namespace gearshift::petsc {
namespace {

/// The first message of the error being raised; written only by ErrorCapture's handler.
std::string& captured_message() {
  static std::string message;
  return message;
}

PetscErrorCode capture(MPI_Comm, int, const char* function, const char*, PetscErrorCode code, PetscErrorType type,
                       const char* text, void*) {
  if (type == PETSC_ERROR_INITIAL) {
    const std::string_view raised_in = function ? function : "", given = text ? text : "";
    // If memory is short, PETSc 3.18 passes a line number as code and the name of a function as text.
    const bool memory = raised_in == "PetscMallocAlign" || raised_in == "PetscReallocAlign";
    if (memory) code = PETSC_ERR_MEM;
    captured_message() = memory ? "not enough memory" : given;
    if (memory && given.starts_with("Memory requested")) captured_message().append(": ").append(given);
    if (!raised_in.empty()) captured_message().append(" (in ").append(raised_in).append(")");
  }
  return code;
}

/// Returns true if PETSc is initialized. The stack of handlers is in PETSc's own memory, whose allocator is chosen by
/// PetscInitialize.
bool petsc_runs() {
  PetscBool initialized = PETSC_FALSE;
  return PetscInitialized(&initialized) == 0 && initialized;
}

}  // namespace

void throw_failure(PetscErrorCode code, const CallSite& where) {
  std::ostringstream text;
  std::string message = std::exchange(captured_message(), {});
  if (message.empty()) {
    const char* generic = nullptr;
    (void)!PetscErrorMessage(code, &generic, nullptr);
    message = generic ? generic : "unknown error";
  }
  const std::string file = where.file;
  text << "PETSc error " << static_cast<int>(code) << ": " << message << " [" << file.substr(file.rfind('/') + 1) << ':'
       << where.line << ']';
  if (code == PETSC_ERR_ARG_UNKNOWN_TYPE) text << "; check the options that end with _type";
  throw PetscFailure(text.str(), code);
}

ErrorCapture::ErrorCapture() {
  captured_message().clear();
  active_ = petsc_runs() && PetscPushErrorHandler(capture, nullptr) == 0;
}

ErrorCapture::~ErrorCapture() {
  if (active_ && petsc_runs()) (void)!PetscPopErrorHandler();
}

}  // namespace gearshift::petsc
