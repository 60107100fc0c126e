#pragma once

/// @file
/// The keys of a YAML file with their lines. PETSc's reader does not report the lines.

#include <gearshift/export.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace gearshift::petsc {

/// A key, with those of nested maps joined by '_' as in PETSc, and its line, from 1.
struct YamlKey {
  std::string name;
  int line;
};

/// Returns the keys of a text of block and flow maps, in their order. Accepts any text: text that is not YAML gives
/// some keys or none.
GEARSHIFT_EXPORT std::vector<YamlKey> yaml_keys(const std::string& text);

/// Returns the positions of the lines at which a text of block maps can be cut: those outside of flow maps, lists,
/// quotations and block scalars that span several lines.
GEARSHIFT_EXPORT std::vector<std::size_t> yaml_lines(const std::string& text);

/// Describes the first repeated key, ignoring case, as a sentence without a subject: "sets 'E' twice, in lines 3 and 8;
/// remove one of them". Returns nothing if no key is repeated.
GEARSHIFT_EXPORT std::string repeated_yaml_key(const std::string& text);

}  // namespace gearshift::petsc
