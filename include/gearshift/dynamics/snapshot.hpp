#pragma once

/// @file
/// The whole state of an integration in memory.

#include <gearshift/petsc/error.hpp>

#include <memory>
#include <string>

namespace gearshift {

/// What Stepper::snapshot() returns and Stepper::restore() takes: history, times, order, controller, convergence rates,
/// ledger, events, timeline, the point at which the preconditioner was built, and the System's own state. Copies share
/// the data, which never changes. As large as the history: about twice the order plus six vectors.
class GEARSHIFT_EXPORT Snapshot {
 public:
  struct Data;
  Snapshot() = default;
  explicit Snapshot(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  explicit operator bool() const { return data_ != nullptr; }
  const Data& data() const { return *data_; }
  /// Whether both hold the same bits, on this rank. Not collective.
  bool operator==(const Snapshot& other) const;
  /// The name of the first part that differs, or nothing.
  std::string difference(const Snapshot& other) const;

 private:
  std::shared_ptr<const Data> data_;
};

}  // namespace gearshift
