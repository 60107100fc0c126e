#pragma once

/// @file
/// The point about which the volume behind a face is measured, and the rim of the face.

#include "solid/constraints/supports.hpp"
#include "solid/terms/surface.hpp"

#include <optional>

namespace gearshift::solid {

/// Returns a point c for which V = -1/3 int (x - c) . n da is the volume of the cavity. The cone with apex c over the
/// rim of
/// the face then lies in the planes that close the cavity:
/// - a closed face: its centroid
/// - otherwise `given`, which all closing planes must contain
/// - if it is not: the centroid of a rim in one plane; otherwise the origin
/// Throws OptionError on all ranks if they do not, since V would then depend on where the origin is. Collective.
Vec3 cavity_centre(const Surface& surface, const std::optional<Vec3>& given);

/// Returns the number of nodes of the rim that supports do not hold in the planes that close the cavity, for all times:
/// where
/// one leaves its plane, V is not the volume, and its derivative by the motion of the rim does work that no force does.
/// Throws as cavity_centre() does. Collective.
PetscInt nodes_that_leave(const Surface& surface, const std::optional<Vec3>& given, const Supports& supports);

}  // namespace gearshift::solid
