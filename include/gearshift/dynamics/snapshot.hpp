#pragma once

/// @file
/// The complete state of an integration in memory.

#include <gearshift/petsc/error.hpp>

#include <memory>
#include <string>

namespace gearshift {

/// The state that Stepper::snapshot() returns and Stepper::restore() restores: history, times, order, controller,
/// convergence rates, energy balance, events, timeline, the point at which the preconditioner was built, and the
/// System's own state. Copies share the data; it never changes. Its size is that of the history: about twice the
/// order plus six vectors.
class GEARSHIFT_EXPORT Snapshot {
 public:
  struct Data;
  Snapshot() = default;
  explicit Snapshot(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  explicit operator bool() const { return data_ != nullptr; }
  const Data& data() const { return *data_; }
  /// Returns true if both hold equal bits on this rank. Not collective.
  bool operator==(const Snapshot& other) const;
  /// Returns the name of the first part that differs, or an empty string.
  std::string difference(const Snapshot& other) const;

 private:
  std::shared_ptr<const Data> data_;
};

}  // namespace gearshift
