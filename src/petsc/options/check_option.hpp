#pragma once

/// @file
/// Option values that PETSc cannot read.

#include <gearshift/petsc/error.hpp>

#include <petscsys.h>

#include <array>
#include <cstddef>
#include <string>

namespace gearshift::petsc {

/// Throws the OptionError that quotes the value of the key and names the `expected` kind of value, given with its
/// article.
[[noreturn]] inline void refuse_value(const std::string& key, const char* expected) {
  std::array<char, 64> value{};
  check(PetscOptionsGetString(nullptr, nullptr, key.c_str(), value.data(), value.size(), nullptr));
  throw OptionError("option " + key + ": '" + value.data() + "' is not " + expected + "; correct it, or see -help");
}

/// Converts PETSc's error for a malformed value ("abc" for a number) to such an OptionError.
inline void check_option(PetscErrorCode code, const std::string& key, const char* expected) {
  if (code != 0) refuse_value(key, expected);
}

/// Runs action() with the value of an option; the texts of its errors then begin with the key.
template <class Action>
auto for_option(const std::string& key, Action&& action) {
  try {
    return action();
  } catch (const OptionError& error) {
    throw OptionError("option " + key + ": " + error.what());
  } catch (const IoError& error) {
    throw IoError("option " + key + ": " + error.what());
  }
}

/// Throws OptionError for a value that fills the buffer it was read into: PETSc truncates longer values silently.
inline void check_length(const std::string& key, const std::string& value, std::size_t buffer) {
  if (value.size() + 1 >= buffer)
    throw OptionError("option " + key + ": the value has " + std::to_string(buffer - 1) +
                      " characters or more, but PETSc truncates it there; shorten it");
}

}  // namespace gearshift::petsc
