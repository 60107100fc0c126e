#pragma once

/// @file
/// The keys of a YAML file and where they stand, which PETSc's reader does not tell.

#include <gearshift/export.hpp>

#include <string>
#include <vector>

namespace gearshift::petsc {

/// A key, those of nested maps joined by '_' as PETSc joins them, and its line, from 1.
struct YamlKey {
  std::string name;
  int line;
};

/// The keys of a text of block and flow maps, in their order. It may be any text: what is no YAML gives some keys or none.
GEARSHIFT_EXPORT std::vector<YamlKey> yaml_keys(const std::string& text);

/// What two of them have the same name, in small or capital letters, as a sentence without a subject: "gives 'E' twice, in the
/// lines 3 and 8; leave one of them out". Nothing: none have.
GEARSHIFT_EXPORT std::string repeated_yaml_key(const std::string& text);

}  // namespace gearshift::petsc
