#pragma once

/// @file
/// Where an option was given.

#include <string>
#include <vector>

namespace gearshift::app {

struct OptionOrigin {
  enum class Kind { command_line, file, surroundings };
  Kind kind = Kind::command_line;
  /// "case.yaml, line 12", or the name of what is set around the program: PETSC_OPTIONS, ~/.petscrc.
  std::string place;
};

/// A key without its dash, as it is spelled where it was given.
struct GivenKey {
  std::string name;
  OptionOrigin origin;
};

/// All keys on the command line, in option files named there, and in what holds for every PETSc program, in this order:
/// the first of several spellings of a key is the one in force. Reads the files again; for one rank only.
std::vector<GivenKey> given_keys();

/// Whether a word of a command line is a key and not a value: -2 is none.
bool is_key(const std::string& word);

/// The first of them with this name, in small or capital letters.
OptionOrigin origin_of(const std::string& key);

/// The line, from 1, in which a key stands in an option file's text; 0: it is not found. In YAML the names of nested maps
/// are joined by '_'.
int line_of_key(const std::string& text, const std::string& key, bool yaml);

}  // namespace gearshift::app
