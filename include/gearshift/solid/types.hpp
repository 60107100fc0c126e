#pragma once

/// @file
/// Plain types for loads, motions and positions.

#include <gearshift/export.hpp>

#include <petscsys.h>

#include <array>
#include <functional>

namespace gearshift::solid {

using Vec3 = std::array<PetscReal, 3>;

/// A vector field: its value at time t and reference point X [length]. Evaluated at quadrature points or nodes on every
/// rank, in no particular order; it must call neither MPI nor collective PETSc functions. NaN and exceptions are reported
/// as errors on all ranks.
using Field = std::function<Vec3(PetscReal t, const Vec3& X)>;

/// A scalar field, such as a pressure; the rules of Field apply.
using ScalarField = std::function<PetscReal(PetscReal t, const Vec3& X)>;

/// A prescribed displacement g [length] with its exact time derivatives g' and g''.
struct MotionValue {
  Vec3 g{}, g_t{}, g_tt{};
};

/// The kind of a follower load: a force or a torque that rotates with its face, or the torque of a motor, which turns
/// the face about an axis fixed in space.
enum class Follower { force, torque, motor_torque };

/// A sum over nodes and its moment about the origin: of forces [force], [force length], or of momenta
/// [mass length/time], [mass length^2/time].
struct Resultant {
  Vec3 sum{}, moment{};
};

/// A prescribed motion of a face: g, g' and g'' at time t and reference point X.
using Motion = std::function<MotionValue(PetscReal t, const Vec3& X)>;

/// The angular velocity w of a frame [rad/time] with its exact time derivative [rad/time^2].
struct SpinValue {
  Vec3 w{}, w_t{};
};

/// The rotation of a frame: w and w' at time t. Continuous; equal on every rank.
using Spin = std::function<SpinValue(PetscReal t)>;

}  // namespace gearshift::solid
