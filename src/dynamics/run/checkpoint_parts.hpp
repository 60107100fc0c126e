#pragma once

// What writer and reader of a checkpoint share.

#include <cstdint>
#include <string>
#include <string_view>

namespace gearshift::checkpoint {

inline constexpr std::int64_t version = 1;
inline constexpr const char* format = "gearshift checkpoint";

inline constexpr std::string_view reals = "reals", integers = "integers", vec = "vec", local = "local";

/// A line of /parts.
struct Part {
  std::string kind;
  std::int64_t count = 0;
  std::string name;
};

/// Best instruction set of this machine: libraries choose their kernels by it.
std::string instruction_set();

/// The options given to the program, "-key value" line by line.
std::string given_options();

}  // namespace gearshift::checkpoint
