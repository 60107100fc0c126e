// Differences between the present program and the one that wrote a checkpoint.

#include <gearshift/petsc/error.hpp>

#include "dynamics/checkpoint/file.hpp"
#include "dynamics/checkpoint/parts.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>

namespace gearshift {
namespace {

std::map<std::string, std::string> pairs_in(const std::string& lines) {
  std::map<std::string, std::string> pairs;
  std::istringstream text(lines);
  for (std::string line; std::getline(text, line);) {
    const std::size_t blank = line.find(' ');
    pairs[line.substr(0, blank)] = blank == std::string::npos ? "" : line.substr(blank + 1);
  }
  return pairs;
}

/// Returns true for options that a restart necessarily changes.
bool expected(const std::string& key) {
  static constexpr std::array of_restarts{"gear_restart",         "gear_checkpoint",   "gear_checkpoint_every",
                                          "gear_checkpoint_wall", "gear_max_wall",     "gear_checkpoint_failure",
                                          "options_file",         "options_file_yaml", "overwrite"};
  return std::any_of(of_restarts.begin(), of_restarts.end(), [&](const char* name) { return key.ends_with(name); });
}

}  // namespace

std::vector<std::string> changes_since(const CheckpointHeader& header) {
  std::vector<std::string> changes;
  const auto word = [&](const char* key) {
    const auto found = header.words.find(key);
    return found == header.words.end() ? std::string() : found->second;
  };
  const auto before = pairs_in(word("options")), now = pairs_in(checkpoint::given_options());
  std::set<std::string> keys;
  for (const auto& list : {before, now})
    for (const auto& [key, value] : list)
      if (!expected(key)) keys.insert(key);
  for (const std::string& key : keys) {
    const auto a = before.find(key), b = now.find(key);
    if (a != before.end() && b != now.end() && a->second == b->second) continue;
    const auto told = [](const auto& found, const auto& end) {
      return found == end ? std::string("not given") : found->second.empty() ? "given" : found->second;
    };
    changes.push_back(key + ": " + told(a, before.end()) + " in the checkpoint, " + told(b, now.end()) + " now");
  }
  if (word("instruction_set") != checkpoint::instruction_set())
    changes.push_back("instruction set: " + word("instruction_set") + " in the checkpoint, " +
                      checkpoint::instruction_set() + " now: later digits may differ");
  return changes;
}

}  // namespace gearshift
