#pragma once

/// @file
/// The point about which the volume behind a face is measured.

#include "solid/terms/surface.hpp"

#include <optional>

namespace gearshift::solid {

/// Returns a point c for which V = -1/3 int (x - c) . n da is the volume of the cavity. The cone with apex c over the rim of
/// the face then lies in the planes that close the cavity:
/// - a closed face: its centroid
/// - otherwise `given`, which all closing planes must contain
/// - if it is not: the centroid of a rim in one plane; otherwise the origin
/// Throws OptionError on all ranks if they do not, since V would then depend on where the origin is. Collective.
Vec3 cavity_centre(const Surface& surface, const std::optional<Vec3>& given);

}  // namespace gearshift::solid
