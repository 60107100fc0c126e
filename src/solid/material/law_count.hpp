#pragma once

/// @file
/// Where the library's own laws end in the numbers of Law, and registered ones begin.

namespace gearshift::solid {

/// Laws that the library brings itself.
constexpr int own_law_count = 4;

}  // namespace gearshift::solid
