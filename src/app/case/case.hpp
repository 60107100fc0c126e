#pragma once

/// @file
/// A case, as described by the user's options.

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
  std::string name;  ///< of the face or the probe, if the load belongs to one
  solid::VectorExpression value;
};

/// A prescribed motion of a face, or of some components of its displacement.
struct PrescribedMotion {
  std::string name;
  solid::VectorExpression value;
  std::array<bool, 3> components{true, true, true};
};

/// A load that rotates with its face.
struct FollowerLoad {
  std::string face;
  solid::Follower kind;
  solid::VectorExpression value;
};

struct Pressure {
  std::string face;
  solid::Expression value;
  bool follows = true;  ///< acts on the deformed face; false: a dead load
};

struct Gas {
  std::string face;
  PetscReal p0, gamma;
  std::optional<solid::Vec3> closing;  ///< a point common to all planes that close the cavity
};

/// The kind of analysis: time steps, load steps at t = 0 (followed by modes about the last equilibrium if any are
/// requested), or modes of the undeformed body.
enum class Wanted { motion, equilibrium, modes };

/// Equally spaced frequencies [cycles/time], including both ends.
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
  std::vector<std::string> unused_moduli;  // remarks on parameters that no law uses: key and law
  solid::Tables tables;                    // tables that formulas may call
  std::optional<solid::VectorExpression> base_acceleration, gravity, frame_spin, initial_displacement, initial_velocity;
  solid::Vec3 frame_centre{};
  std::vector<std::pair<const solid::SupportKind*, std::string>> supports;  // at rest
  std::vector<std::pair<std::string, PetscReal>> releases;                  // face, time
  std::vector<Load> tractions, forces, point_forces, torques;
  std::vector<PrescribedMotion> motions;
  std::vector<FollowerLoad> followers;
  std::vector<std::pair<std::string, PetscReal>> masses, point_masses;  // on faces, at probes
  std::vector<Pressure> pressures;
  std::vector<Gas> gases;
  std::vector<std::pair<std::string, std::array<PetscReal, 2>>> foundations, dashpots;
  std::vector<std::string> absorbing;  // faces with absorbing boundaries
  Wanted wanted = Wanted::motion;
  bool has_time() const { return wanted == Wanted::motion; }
  bool step_given = false;  ///< `-gear_dt` or `-gear_adapt` is given
  bool has_default_steps() const { return has_time() && !step_given; }
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

/// Names from which keys are formed: those of a mesh, or placeholders for them in a help text.
struct Names {
  std::vector<std::string> faces = {}, regions = {}, curves = {};  ///< points are among the curves
  std::map<std::string, solid::Vec3> points = {};

  static Names of(const solid::Mesh& mesh);
  /// Returns the names of faces, curves and points; supports can be applied to all of them.
  std::vector<std::string> supports() const;
};

/// Reads the case for a mesh with these names and documents each key. Collective. Throws OptionError.
Case read_case(MPI_Comm comm, const Names& names);

/// Sets the materials, loads and supports of the body. Collective.
void apply(const Case& given, solid::Body& body);

}  // namespace gearshift::app
