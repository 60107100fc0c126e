#pragma once

/// @file
/// Help with misspelled names.

#include "petsc/options/key_names.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::petsc {

/// Returns the number of letters to insert, remove, replace or exchange with a neighbour to turn one word into the
/// other (Damerau 1964; as optimal string alignment, no letter twice).
inline std::size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

/// Returns the name that is probably meant by a misspelled word: the most similar of the names, ignoring case, if at
/// most one letter is wrong in a word of two to four letters, two in a word of five to eight, or a third of a longer
/// word; otherwise nothing. A word of one letter must be one of the names. All suggestions follow this rule.
inline std::string nearest(std::string_view word, std::span<const std::string> names) {
  const std::string given = lower(std::string(word));
  std::size_t fewest = word.size() <= 4 ? 1 : std::max<std::size_t>(2, word.size() / 3);
  if (word.size() <= fewest) fewest = 0;
  std::string found;
  for (const std::string& name : names) {
    const std::size_t wrong = letters_apart(given, lower(name));
    if (name.empty() || wrong > fewest || (wrong == fewest && !found.empty())) continue;
    fewest = wrong;
    found = name;
  }
  return found;
}

/// Returns a question that suggests the nearest() name, with a blank after it, or nothing.
inline std::string meant(std::string_view word, std::span<const std::string> names) {
  const std::string found = nearest(word, names);
  return found.empty() ? found : "did you mean '" + found + "'? ";
}

/// Overloads for lists of literals.
inline std::string nearest(std::string_view word, std::span<const char* const> names) {
  return nearest(word, std::vector<std::string>(names.begin(), names.end()));
}
inline std::string meant(std::string_view word, std::span<const char* const> names) {
  return meant(word, std::vector<std::string>(names.begin(), names.end()));
}

}  // namespace gearshift::petsc
