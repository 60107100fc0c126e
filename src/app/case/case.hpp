#pragma once

/// @file
/// A case as the user's options describe it.

#include <gearshift/solid/body.hpp>
#include <gearshift/solid/expression.hpp>

#include "app/coupling/keys.hpp"
#include "app/results/settings.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gearshift::app {

/// A load, motion or value that may vary with t, x, y and z.
struct Load {
  std::string name;  ///< of the face or the probe, if it belongs to one
  solid::VectorExpression value;
};

/// A motion of a face, or of some components of its displacement.
struct PrescribedMotion {
  std::string name;
  solid::VectorExpression value;
  std::array<bool, 3> components{true, true, true};
};

/// A load that its face carries with it.
struct FollowerLoad {
  std::string face;
  solid::Follower kind;
  solid::VectorExpression value;
};

struct Pressure {
  std::string face;
  solid::Expression value;
  bool follows = true;  ///< the deformed face
};

struct Gas {
  std::string face;
  PetscReal p0, gamma;
  std::optional<solid::Vec3> closing;  ///< a point of all planes that close the cavity
};

/// What is done with the body: steps in time, load steps at t = 0 (and modes about the last equilibrium, if there are to be
/// any), or modes of the undeformed body.
enum class Wanted { motion, equilibrium, modes };

/// Frequencies [cycles/time] at equal distances, both ends included.
struct FrequencyRange {
  PetscReal first = 0, last = 0;
  PetscInt count = 0;
};

/// All options other than those of the mesh (-dm_plex_*) and of the stepper (-gear_*).
struct Case {
  PetscInt degree = 2;
  solid::Solver solver = solid::Solver::automatic;
  solid::Formulation formulation = solid::Formulation::displacement;
  solid::Material material{};
  std::vector<std::pair<std::string, solid::Material>> region_materials;
  std::vector<std::string> unused_moduli;  // keys of parameters that no law uses, with a word about the law
  solid::Tables tables;                    // that formulas may call
  std::optional<solid::VectorExpression> base_acceleration, gravity, frame_spin, initial_displacement, initial_velocity;
  solid::Vec3 frame_centre{};
  std::vector<std::string> clamped, fixed_normal;
  std::array<std::vector<std::string>, 3> fixed;
  std::vector<std::pair<std::string, PetscReal>> releases;  // of faces, at times
  std::vector<Load> tractions, forces, point_forces, torques;
  std::vector<PrescribedMotion> motions;
  std::vector<FollowerLoad> followers;
  std::vector<std::pair<std::string, PetscReal>> masses, point_masses;  // on faces, at probes
  std::vector<Pressure> pressures;
  std::vector<Gas> gases;
  std::vector<std::pair<std::string, std::array<PetscReal, 2>>> foundations, dashpots;
  std::vector<std::string> absorbing;  // faces that waves leave through
  Wanted wanted = Wanted::motion;
  bool has_time() const { return wanted == Wanted::motion; }
  bool static_first = false, dry_run = false;
  PetscInt modes = 0;
  PetscReal modes_shift = 0;
  std::optional<FrequencyRange> frequency_response;
  PetscReal frequency_response_damping = 0;
  PetscInt load_steps = 1, load_cutbacks = 5;
  CouplingKeys coupling;
  ResultSettings results;
  bool strict = true;
};

/// What keys may be made of: the names of a mesh, or place-holders for them in a help text.
struct Names {
  std::vector<std::string> faces = {}, regions = {}, curves = {};  ///< points are among the curves
  std::map<std::string, solid::Vec3> points = {};

  static Names of(const solid::Mesh& mesh);
  /// Of faces, curves and points.
  std::vector<std::string> supports() const;
};

/// Reads the case for a mesh with these names and documents each key. Collective. Throws OptionError.
Case read_case(MPI_Comm comm, const Names& names);

/// Gives materials, loads and supports to the body. Collective.
void apply(const Case& given, solid::Body& body);

}  // namespace gearshift::app
