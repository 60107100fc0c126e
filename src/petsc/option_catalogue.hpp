#pragma once

/// @file
/// The keys that a program knows.

#include <gearshift/petsc/error.hpp>

#include <string>
#include <vector>

namespace gearshift::petsc {

/// Keeps the keys that read_options() asks for while it lives, each once and in the order in which they came: what a help
/// text lists, and where a misspelled key finds the one that was meant. There may be one at a time; not collective.
class GEARSHIFT_EXPORT OptionCatalogue {
 public:
  struct Entry {
    std::string heading, key;  ///< the key with its dash, and with <name> where a name belongs into it
    std::string kind, value;   ///< what to give, and what stands without it
    std::string text;
  };

  OptionCatalogue();
  ~OptionCatalogue();
  OptionCatalogue(const OptionCatalogue&) = delete;
  OptionCatalogue& operator=(const OptionCatalogue&) = delete;

  const std::vector<Entry>& entries() const { return entries_; }
  bool knows(const std::string& key) const;
  /// The key most like this one, or nothing where none is like it.
  std::string nearest(const std::string& key) const;
  /// Whether one of the keys is a single letter, or two exchanged ones, away from this one.
  bool a_letter_from(const std::string& key) const;

  /// Puts a key into the catalogue that lives, if there is one.
  static void note(Entry entry);

 private:
  std::vector<Entry> entries_;
};

}  // namespace gearshift::petsc
