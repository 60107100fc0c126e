#include "petsc/options/option_catalogue.hpp"

#include "petsc/options/nearest.hpp"

#include <algorithm>
#include <utility>

namespace gearshift::petsc {
namespace {

OptionCatalogue*& living() {
  static OptionCatalogue* catalogue = nullptr;
  return catalogue;
}

/// Returns a known key. If the key ends in a user-defined name, like -table_<name>, and the word begins similarly, the
/// key is returned with the name from the word: table_quake for tabel_quake.
std::string with_name(const std::string& known, const std::string& word) {
  const std::size_t name = known.find('<');
  if (name == std::string::npos || known.back() != '>') return known;
  const std::string beginning = known.substr(0, name);
  std::size_t end = 0;
  for (auto parts = std::count(beginning.begin(), beginning.end(), '_'); parts > 0 && end != std::string::npos; --parts)
    end = word.find('_', end > 0 ? end + 1 : 0);
  const bool alike = end != std::string::npos && !nearest(word.substr(0, end + 1), std::vector{beginning}).empty();
  return alike ? beginning + word.substr(end + 1) : known;
}

}  // namespace

OptionCatalogue::OptionCatalogue() { living() = this; }
OptionCatalogue::~OptionCatalogue() { living() = nullptr; }

bool OptionCatalogue::knows(const std::string& key) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.key == key; });
}

std::string OptionCatalogue::nearest(const std::string& key) const {
  const std::string word = key.substr(1);
  std::vector<std::string> words;
  for (const Entry& entry : entries_) {
    const std::string known = entry.key.substr(1);
    if (word.size() > 1 && known.ends_with("_" + word)) return entry.key;  // -restart suggests -gear_restart
    words.push_back(with_name(known, word));
  }
  const std::string found = petsc::nearest(word, words);
  return found.empty() ? found : "-" + found;
}

bool OptionCatalogue::a_letter_from(const std::string& key) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const Entry& entry) { return letters_apart(entry.key, key) == 1; });
}

void OptionCatalogue::note(Entry entry) {
  if (living() && !living()->knows(entry.key)) living()->entries_.push_back(std::move(entry));
}

}  // namespace gearshift::petsc
