#pragma once

/// @file
/// PETSc's option database, with -help text, as C++ values.

#include <gearshift/petsc/error.hpp>
#include <gearshift/petsc/handle.hpp>

#include <petscsys.h>
#include <petscviewer.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::petsc {

/// A viewer chosen by the user, with its format; nullptr if none was requested.
class GEARSHIFT_EXPORT ViewerChoice {
 public:
  ViewerChoice() = default;
  ViewerChoice(PetscViewer viewer, PetscViewerFormat format);
  PetscViewer get() const { return viewer_.get(); }
  explicit operator bool() const { return static_cast<bool>(viewer_); }
  /// Calls `print` with the format pushed, then flushes.
  void with(const std::function<void(PetscViewer)>& print) const;

 private:
  Handle<PetscViewer> viewer_;
  PetscViewerFormat format_ = PETSC_VIEWER_DEFAULT;
};

/// One block of options, valid inside read_options(). Every call reads one key, leaves `value` unchanged if the key is
/// absent, and adds a line (key, present value, text) to -help. An empty or malformed value throws OptionError.
///
/// Keys are given with their dash: `options.real("-gear_dt", "time step [time]", dt)`.
class GEARSHIFT_EXPORT Options {
 public:
  Options(void* items, std::string prefix, std::string heading)
      : items_(items), prefix_(std::move(prefix)), heading_(std::move(heading)) {}

  /// Sets the heading of the following keys in a help text; before the first heading, it is the title of the block.
  void heading(std::string text) { heading_ = std::move(text); }
  /// Lists a key that PETSc or another block reads. @param kind the kind of value, such as "<n>"
  void mention(const char* key, const char* kind, const char* text);

  bool integer(const char* key, const char* text, PetscInt& value);
  bool real(const char* key, const char* text, PetscReal& value);
  bool flag(const char* key, const char* text, bool& value);
  bool string(const char* key, const char* text, std::string& value);
  /// Reads comma-separated words; commas inside brackets and parentheses do not separate.
  bool strings(const char* key, const char* text, std::vector<std::string>& value);
  bool reals(const char* key, const char* text, std::vector<PetscReal>& value);
  /// Reads a PETSc viewer, as in `-key`, `-key :file.txt`, `-key ascii:file.txt::append`.
  bool viewer(const char* key, const char* text, ViewerChoice& value);
  /// Reads one of `names`; value is its index.
  bool choice(const char* key, const char* text, std::span<const char* const> names, int& value);
  /// Reads an enumeration whose values count from 0 in the order of `names`.
  template <class Enum>
  bool choice(const char* key, const char* text, std::span<const char* const> names, Enum& value) {
    int index = static_cast<int>(value);
    const bool found = choice(key, text, names, index);
    value = static_cast<Enum>(index);
    return found;
  }

  /// Returns the keys read so far, without the prefix.
  const std::vector<std::string>& keys() const { return keys_; }

 private:
  void require_value(const char* key) const;
  void note(const char* key, std::string kind, std::string value, const char* text);
  void* items_;
  std::string prefix_, heading_;
  std::vector<std::string> keys_;
};

/// Reads a block of options: `read_options(comm, prefix, "Stepper options", [&](Options& o) { o.real(...); })`.
/// The body may run twice (once more for -help) and must only read. Collective on comm. Throws OptionError.
GEARSHIFT_EXPORT void read_options(MPI_Comm comm, std::string_view prefix, const char* title,
                                   const std::function<void(Options&)>& body);

/// Returns true if the user gave `-<prefix><key without dash>`. Not collective.
GEARSHIFT_EXPORT bool has_option(std::string_view prefix, const char* key);

/// Splits at commas outside parentheses: "sin(t),max(0,t)" gives two parts.
GEARSHIFT_EXPORT std::vector<std::string> split_top_level(std::string_view text);

}  // namespace gearshift::petsc
