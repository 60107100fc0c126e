#pragma once

/// @file
/// The keys that a program knows.

#include <gearshift/petsc/error.hpp>

#include <string>
#include <vector>

namespace gearshift::petsc {

/// Records the keys that read_options() asks for during its lifetime, each once and in the order of the calls: for the
/// help text, and for suggestions when a key is misspelled. Only one catalogue may exist at a time; not collective.
class GEARSHIFT_EXPORT OptionCatalogue {
 public:
  struct Entry {
    std::string heading, key;  ///< the key with its dash, and with <name> for a name that the user chooses
    std::string kind, value;   ///< the kind of value to give, and the default
    std::string text;
  };

  OptionCatalogue();
  ~OptionCatalogue();
  OptionCatalogue& operator=(OptionCatalogue&&) = delete;

  const std::vector<Entry>& entries() const { return entries_; }
  bool knows(const std::string& key) const;
  /// Returns the key most similar to this one, or nothing if no key is similar.
  std::string nearest(const std::string& key) const;
  /// Returns true if one of the keys differs from this one by a single letter, or by two exchanged letters.
  bool a_letter_from(const std::string& key) const;

  /// Adds a key to the existing catalogue, if there is one.
  static void note(Entry entry);

 private:
  std::vector<Entry> entries_;
};

}  // namespace gearshift::petsc
