#pragma once

#include <exception>

namespace gearshift::petsc {

/// Several calls in a row, each of which may be collective: what the first of them throws on this rank waits until all
/// were made, so that no rank leaves the row early.
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
  /// What was thrown first, or nullptr.
  std::exception_ptr first() const { return first_; }

 private:
  std::exception_ptr first_;
};

}  // namespace gearshift::petsc
