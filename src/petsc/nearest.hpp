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

/// Letters to insert, remove or replace on the way from one word to the other (Levenshtein).
inline std::size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
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

}  // namespace gearshift::petsc
