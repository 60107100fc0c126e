#pragma once

/// @file
/// Names that keys do not distinguish. PETSc ignores the case of the letters of a key; names in a mesh do not, and one name
/// may be another with an ending that keys have.

#include "app/case/case.hpp"

namespace gearshift::app {

/// What keys that end in the name of a face begin with, without their dash.
inline constexpr std::array keys_of_faces{"traction_",   "force_",    "torque_",          "follower_force_", "mass_",
                                          "prescribe_",  "pressure_", "follower_torque_", "motor_torque_",   "gas_",
                                          "foundation_", "dashpot_",  "release_"};

/// Throws OptionError for a key that belongs to two faces of the mesh, and for probes or tables given under two names that
/// are one key. Collective.
void refuse_clashes(MPI_Comm comm, const Names& names);

/// Throws OptionError for a key -material_<region> or -material_<region>_<parameter> that belongs to two regions. Not
/// collective.
void refuse_clashing_regions(const std::vector<std::string>& regions, std::vector<std::string> parameters);

/// Throws OptionError for a force or a mass on what is both a face and a probe. Not collective.
void refuse_face_or_probe(const Names& names, const std::vector<std::pair<std::string, solid::Vec3>>& probes);

}  // namespace gearshift::app
