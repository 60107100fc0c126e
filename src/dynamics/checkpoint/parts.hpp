#pragma once

// Definitions shared by the writer and the reader of a checkpoint.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace gearshift::checkpoint {

/// The version of the format, to be increased with every change of the contents, including changes of any part of a
/// stepper's state: files of other versions are refused.
inline constexpr std::int64_t version = 15;
inline constexpr const char* format = "gearshift checkpoint";

inline constexpr std::string_view reals = "reals", integers = "integers", vec = "vec", internal = "internal",
                                  local = "local";

/// A line of /parts.
struct Part {
  std::string kind;
  std::int64_t count = 0;
  std::string name;
};

/// Names of parts in the file. Parts of a list that a class visits under one name are called "event", "event#2",
/// "event#3"; a part and a group with the same name are distinguished in the same way.
class PartNames {
 public:
  /// Returns the name in the file of the part that is visited next.
  std::string next(std::string_view name);

 private:
  enum class Kind { part, group };
  std::map<std::string, Kind> used_;
};

/// Returns the best instruction set of this machine; libraries choose their kernels by it.
std::string instruction_set();

/// Returns the options given to the program, one "-key value" per line.
std::string given_options();

}  // namespace gearshift::checkpoint
