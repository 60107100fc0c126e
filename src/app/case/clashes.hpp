#pragma once

/// @file
/// Detects unknown names, and names that keys do not distinguish. PETSc ignores the case of keys, while names in a mesh
/// may differ only in case, and one name may be another name followed by the ending of a key.

#include "app/case/case.hpp"

namespace gearshift::app {

/// Prefixes, without the dash, of keys that end in the name of a face.
inline constexpr std::array keys_of_faces{"traction_",   "force_",    "torque_",          "follower_force_", "mass_",
                                          "prescribe_",  "pressure_", "follower_torque_", "motor_torque_",   "gas_",
                                          "foundation_", "dashpot_",  "release_"};

/// Throws OptionError for a key that could refer to two faces of the mesh, and for two probes or tables whose names
/// give the same key. Collective.
void refuse_clashes(MPI_Comm comm, const Names& names);

/// Throws OptionError for a key -material_<region> or -material_<region>_<parameter> that could refer to two regions.
/// Not collective.
void refuse_clashing_regions(const std::vector<std::string>& regions, std::vector<std::string> parameters);

/// Throws OptionError for a force or a mass on a name that both a face and a probe have. Not collective.
void refuse_face_or_probe(const Names& names, const std::vector<std::pair<std::string, solid::Vec3>>& probes);

/// Throws OptionError for a name in the value of a key that is not among the known ones, with the most similar one.
/// Not collective.
void refuse_unknown_names(const std::string& key, const std::vector<std::string>& known,
                          const std::vector<std::string>& names, const char* what = "face");

}  // namespace gearshift::app
