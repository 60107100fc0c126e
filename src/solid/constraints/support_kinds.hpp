#pragma once

/// @file
/// The kinds of supports at rest. Their keys in gearshift-solid, help texts and Body::hold() are derived from this
/// list: a new kind needs a file with its directions, and a line in support_kinds.cpp.

#include <gearshift/solid/space.hpp>

#include <array>
#include <span>
#include <string_view>

namespace gearshift::solid {

/// The sum of w n n' over unit directions n with weights w, in the order 00 01 02 11 12 22.
using DirectionSum = std::array<double, 6>;

/// Adds to the sum of each local node the directions along which cells of this rank hold the nodes of a face; the sums
/// of all ranks are then added.
using AddDirections = void (*)(const Space&, std::string_view face, std::span<DirectionSum> sums);

struct SupportKind {
  const char* name;  ///< the key without its dash
  const char* help;
  unsigned components = 0;             ///< components of the displacement that are 0: bits 0, 1, 2
  AddDirections directions = nullptr;  ///< directions along which it is 0, on faces only; nullptr: no others
};

/// Return all kinds, and the kind with this name, which must be one of them.
GEARSHIFT_EXPORT std::span<const SupportKind> support_kinds();
GEARSHIFT_EXPORT const SupportKind& support_kind(std::string_view name);

}  // namespace gearshift::solid
