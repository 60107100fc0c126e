#pragma once

/// @file
/// The place where an option was given.

#include <string>
#include <vector>

namespace gearshift::app {

struct OptionOrigin {
  enum class Kind { command_line, file, surroundings };
  Kind kind = Kind::command_line;
  /// "case.yaml, line 12", or the source that is set outside of the program: PETSC_OPTIONS, ~/.petscrc.
  std::string place;
};

/// A key without its dash, spelled as the user gave it.
struct GivenKey {
  std::string name;
  OptionOrigin origin;
};

/// Returns all keys on the command line, in option files named there, and in the sources for every PETSc program, in
/// this order: the first of several occurrences of a key takes effect. Reads the files again; for one rank only.
std::vector<GivenKey> given_keys();

/// Returns true if a word of a command line is a key and not a value; -2 is a value.
bool is_key(const std::string& word);

/// Returns the origin of the first given key with this name, ignoring case.
OptionOrigin origin_of(const std::string& key);

/// Returns the message with the place of the option that it begins with, "option -E (case.yaml, line 3): ..", or
/// unchanged for an option of the command line. For one rank only.
std::string with_origin(const std::string& message);

/// Returns the line, from 1, of a key in the text of an option file, or 0 if the key is not found. In YAML the names of
/// nested maps are joined by '_'.
int line_of_key(const std::string& text, const std::string& key, bool yaml);

}  // namespace gearshift::app
