#include <gearshift/petsc/error.hpp>

#include <sstream>
#include <utility>

namespace gearshift::petsc {
namespace {

/// The first message of the error that is being raised; only ErrorCapture's handler writes it.
std::string& captured_message() {
  static std::string message;
  return message;
}

PetscErrorCode capture(MPI_Comm, int, const char* function, const char*, PetscErrorCode code, PetscErrorType type,
                       const char* text, void*) {
  if (type == PETSC_ERROR_INITIAL) {
    captured_message() = text ? text : "";
    if (function && *function) captured_message().append(" (in ").append(function).append(")");
  }
  return code;
}

}  // namespace

void throw_failure(PetscErrorCode code, const std::source_location& where) {
  std::ostringstream text;
  std::string message = std::exchange(captured_message(), {});
  if (message.empty()) {
    const char* generic = nullptr;
    (void)!PetscErrorMessage(code, &generic, nullptr);
    message = generic ? generic : "unknown error";
  }
  const std::string file = where.file_name();
  text << "PETSc error " << static_cast<int>(code) << ": " << message << " [" << file.substr(file.rfind('/') + 1) << ':'
       << where.line() << ']';
  throw PetscFailure(text.str(), code);
}

ErrorCapture::ErrorCapture() {
  captured_message().clear();
  (void)!PetscPushErrorHandler(capture, nullptr);
}

ErrorCapture::~ErrorCapture() { (void)!PetscPopErrorHandler(); }

}  // namespace gearshift::petsc
