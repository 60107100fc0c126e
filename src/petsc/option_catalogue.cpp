#include "petsc/option_catalogue.hpp"

#include "petsc/nearest.hpp"

#include <algorithm>
#include <utility>

namespace gearshift::petsc {
namespace {

OptionCatalogue*& living() {
  static OptionCatalogue* catalogue = nullptr;
  return catalogue;
}

}  // namespace

OptionCatalogue::OptionCatalogue() { living() = this; }
OptionCatalogue::~OptionCatalogue() { living() = nullptr; }

bool OptionCatalogue::knows(const std::string& key) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.key == key; });
}

std::string OptionCatalogue::nearest(const std::string& key) const {
  std::vector<const char*> keys;
  for (const Entry& entry : entries_) keys.push_back(entry.key.c_str());
  if (keys.empty()) return {};
  for (const char* known : keys)  // without its beginning: -restart for -gear_restart
    if (key.size() > 2 && std::string(known).ends_with("_" + key.substr(1))) return known;
  std::string found = petsc::nearest(key, keys);
  const std::size_t alike = key.size() <= 4 ? 1 : std::max<std::size_t>(2, key.size() / 3);
  return letters_apart(key, found) <= alike ? found : std::string();
}

bool OptionCatalogue::a_letter_from(const std::string& key) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const Entry& entry) { return letters_apart(entry.key, key) == 1; });
}

void OptionCatalogue::note(Entry entry) {
  if (living() && !living()->knows(entry.key)) living()->entries_.push_back(std::move(entry));
}

}  // namespace gearshift::petsc
