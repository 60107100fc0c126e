#pragma once

/// @file
/// What becomes of a run whose results cannot be written.

#include <gearshift/petsc/error.hpp>

#include "app/results/settings.hpp"

#include <utility>

namespace gearshift::app {

/// The user's choice, -on_write_error.
class WriteErrors {
 public:
  WriteErrors(MPI_Comm comm, OnWriteError choice) : comm_(comm), choice_(choice) {}

  /// Whether `write` could; an IoError, the same on all ranks, ends the run or is told as a warning. Collective.
  template <class Write>
  bool attempt(const char* without, Write&& write) const {
    try {
      std::forward<Write>(write)();
      return true;
    } catch (const IoError& error) {
      if (choice_ == OnWriteError::stop) throw;
      petsc::check(
          PetscFPrintf(comm_, PETSC_STDERR, "warning: %s. The run goes on without %s\n", error.what(), without));
      return false;
    }
  }

 private:
  MPI_Comm comm_;
  OnWriteError choice_;
};

}  // namespace gearshift::app
