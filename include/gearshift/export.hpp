#pragma once

/// @file
/// Included by every header of gearshift: the required language version, and symbol visibility.

#if __cplusplus < 202002L
#error \
    "gearshift needs C++20: compile with -std=c++20 or newer (CMake: target_link_libraries to gearshift::gearshift does)"
// Compilers continue after #error; this missing file stops them before the errors that would follow.
#include <gearshift_needs_c++20>
#endif

/// Marks the symbols that users may call; all others in the shared libraries are hidden.
#define GEARSHIFT_EXPORT __attribute__((visibility("default")))
