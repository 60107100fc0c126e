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

/// Finds out where a key (without its dash) came from: the command line, an option file named there, or what holds for
/// every PETSc program. Reads the files again; for one rank alone.
OptionOrigin origin_of(const std::string& key);

/// The line, from 1, in which a key stands in an option file's text; 0: it is not found. In YAML the names of nested maps
/// are joined by '_'.
int line_of_key(const std::string& text, const std::string& key, bool yaml);

}  // namespace gearshift::app
