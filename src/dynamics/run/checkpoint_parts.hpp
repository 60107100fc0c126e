#pragma once

// What writer and reader of a checkpoint share.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace gearshift::checkpoint {

/// To be raised with every change of what is written, that of a part of a stepper's state too: another one is refused.
inline constexpr std::int64_t version = 8;
inline constexpr const char* format = "gearshift checkpoint";

inline constexpr std::string_view reals = "reals", integers = "integers", vec = "vec", internal = "internal",
                                  local = "local";

/// A line of /parts.
struct Part {
  std::string kind;
  std::int64_t count = 0;
  std::string name;
};

/// Names under which parts stand in the file: those of a list that a class visits under one name are "event", "event#2",
/// "event#3"; a part and a group of one name are told apart likewise.
class PartNames {
 public:
  /// The name in the file of the part that is visited next.
  std::string next(std::string_view name);

 private:
  enum class Kind { part, group };
  std::map<std::string, Kind> used_;
};

/// Best instruction set of this machine: libraries choose their kernels by it.
std::string instruction_set();

/// The options given to the program, "-key value" line by line.
std::string given_options();

}  // namespace gearshift::checkpoint
