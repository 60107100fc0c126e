#pragma once

/// @file
/// Handles results that cannot be written.

#include <gearshift/petsc/error.hpp>

#include "app/results/settings.hpp"

#include <string>
#include <utility>

namespace gearshift::app {

/// Applies the user's choice, -on_write_error.
class WriteErrors {
 public:
  WriteErrors(MPI_Comm comm, OnWriteError choice) : comm_(comm), choice_(choice) {}

  /// Calls `write` and returns true if it succeeded. An IoError, the same on all ranks, ends the run or is printed as a
  /// warning. Collective.
  template <class Write>
  bool attempt(const std::string& without, Write&& write) const {
    try {
      std::forward<Write>(write)();
      return true;
    } catch (const IoError& error) {
      if (choice_ == OnWriteError::stop) throw;
      petsc::check(PetscFPrintf(comm_, PETSC_STDERR, "warning: %s. The run continues without %s\n", error.what(),
                                without.c_str()));
      return false;
    }
  }

 private:
  MPI_Comm comm_;
  OnWriteError choice_;
};

}  // namespace gearshift::app
