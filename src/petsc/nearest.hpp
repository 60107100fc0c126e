#pragma once

/// @file
/// Help with misspelled names.

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::petsc {

/// Letters to insert, remove, replace or exchange with their neighbours on the way from one word to the other (Damerau 1964;
/// as optimal string alignment, no letter twice).
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

/// The most similar one of some names; there is at least one.
inline std::string nearest(std::string_view word, std::span<const char* const> names) {
  return *std::min_element(names.begin(), names.end(), [&](const char* a, const char* b) {
    return letters_apart(word, a) < letters_apart(word, b);
  });
}

/// The nearest one of the names, as a question with a blank after it, where it is so near that the word may be
/// misspelled; else nothing.
inline std::string meant(std::string_view word, std::span<const std::string> names) {
  std::vector<const char*> all;
  for (const std::string& name : names) all.push_back(name.c_str());
  if (all.empty()) return {};
  const std::string found = nearest(word, all);
  return letters_apart(word, found) <= std::max<std::size_t>(1, word.size() / 3) ? "did you mean '" + found + "'? "
                                                                                 : "";
}

}  // namespace gearshift::petsc
