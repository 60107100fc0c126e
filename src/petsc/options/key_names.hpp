#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace gearshift::petsc {

/// Returns the text in lower case: PETSc's keys are case-insensitive.
inline std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// Returns "-<prefix>key" for a key "-key".
inline std::string full_key(std::string_view prefix, const char* key) { return "-" + std::string(prefix) + (key + 1); }

/// Returns the text with `prefix` inserted into all keys in it that begin with `root`: "-gear_dt" becomes
/// "-<prefix>gear_dt".
inline std::string with_prefix(std::string text, std::string_view prefix, std::string_view root) {
  const std::string key = "-" + std::string(root);
  for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + prefix.size() + key.size()))
    text.insert(at + 1, prefix);
  return text;
}

/// Inserts the prefix into all keys of a solver.
inline std::string with_prefix(std::string text, std::string_view prefix) {
  for (const std::string_view root : {"gear_", "snes_", "ksp_", "pc_"})
    text = with_prefix(std::move(text), prefix, root);
  return text;
}

}  // namespace gearshift::petsc
