#pragma once

/// @file
/// Temporary values of options.

#include <gearshift/petsc/error.hpp>

#include <petscsys.h>

#include <array>
#include <optional>
#include <string>

namespace gearshift::petsc {

/// Gives a PETSc option a value during its lifetime, then restores the user's own value.
class OptionOverride {
 public:
  OptionOverride(std::string key, const char* value) : key_(std::move(key)) {
    std::array<char, 4096> text{};
    PetscBool set = PETSC_FALSE;
    check(PetscOptionsGetString(nullptr, nullptr, key_.c_str(), text.data(), text.size(), &set));
    if (set) old_ = text.data();
    check(PetscOptionsSetValue(nullptr, key_.c_str(), value));
  }
  ~OptionOverride() {
    if (old_)
      (void)!PetscOptionsSetValue(nullptr, key_.c_str(), old_->c_str());
    else
      (void)!PetscOptionsClearValue(nullptr, key_.c_str());
    PetscBool read = PETSC_FALSE;
    if (old_) (void)!PetscOptionsHasName(nullptr, nullptr, key_.c_str(), &read);
  }
  OptionOverride& operator=(OptionOverride&&) = delete;

 private:
  std::string key_;
  std::optional<std::string> old_;
};

}  // namespace gearshift::petsc
