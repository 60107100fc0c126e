#pragma once

/// @file
/// The reference point for the volume of a pneumatic cavity behind a face, and the rim of the face.

#include "solid/constraints/supports.hpp"
#include "solid/terms/surface.hpp"

#include <optional>

namespace gearshift::solid {

/// Returns a point c for which V = -1/3 int (x - c) . n da is the volume of the cavity. The cone with apex c over the
/// rim of the face then lies in the planes that close the cavity:
/// - for a closed face: its centroid
/// - otherwise `given`, which all closing planes must contain
/// - if it is not given: the centroid of a rim in one plane; otherwise the origin
/// Throws OptionError on all ranks if the closing planes do not contain that point, since V would then depend on the
/// position of the origin. Collective.
Vec3 cavity_centre(const Surface& surface, const std::optional<Vec3>& given);

/// Returns the number of rim nodes that supports do not keep in the planes that close the cavity at all times. If a
/// node leaves its plane, V is not the volume, and its derivative with respect to the motion of the rim does work to
/// which no force corresponds. Throws like cavity_centre(). Collective.
PetscInt nodes_that_leave(const Surface& surface, const std::optional<Vec3>& given, const Supports& supports);

}  // namespace gearshift::solid
