#pragma once

/// @file
/// What every header of gearshift begins with: the language it needs, and visibility.

#if __cplusplus < 202002L
#error \
    "gearshift needs C++20: compile with -std=c++20 or newer (CMake: target_link_libraries to gearshift::gearshift does)"
// Compilers read on after #error; what is not there ends them before the errors that would follow.
#include <gearshift_needs_c++20>
#endif

/// Marks what a user may call when everything else in the shared libraries is hidden.
#define GEARSHIFT_EXPORT __attribute__((visibility("default")))
