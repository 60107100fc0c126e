#pragma once

#include <exception>

namespace gearshift::petsc {

/// Runs several calls in a row, each of which may be collective. The first exception thrown on this rank is held back
/// until all calls have been made, so that no rank leaves the sequence early.
class Deferred {
 public:
  template <class Body>
  void run(Body&& body) noexcept {
    try {
      body();
    } catch (...) {
      if (!first_) first_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }
  /// Returns the first exception, or nullptr.
  std::exception_ptr first() const { return first_; }

 private:
  std::exception_ptr first_;
};

}  // namespace gearshift::petsc
