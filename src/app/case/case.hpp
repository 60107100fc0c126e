#pragma once

/// @file
/// A case, as described by the user's options.

#include <gearshift/solid/body.hpp>
#include <gearshift/solid/expression.hpp>

#include "app/coupling/keys.hpp"
#include "app/results/settings.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gearshift::app {

/// A prescribed motion of a face, or of some components of its displacement.
struct PrescribedMotion {
  std::string name;
  solid::VectorExpression value;
  std::array<bool, 3> components{true, true, true};
};

/// Where displacements are prescribed: names of faces, curves and points.
struct SupportSettings {
  std::vector<std::pair<const solid::SupportKind*, std::string>> at_rest;
  std::vector<PrescribedMotion> motions;
  std::vector<std::pair<std::string, PetscReal>> releases;  ///< with the times at which supports are removed
};

/// Kinds of loads, and of what else acts on a body, in the order in which the body gets them.
enum class LoadKind {
  inertial,  ///< gravity and the forces of a rotating frame
  base_acceleration,
  dead,
  follower,
  pressure,
  gas,
  foundation,
  dashpots,
  absorbing,
  contact
};

struct MaterialSettings {
  solid::Material body{};
  std::vector<std::pair<std::string, solid::Material>> regions;
  std::vector<std::string> unused;  ///< remarks on parameters that no law uses: key and law
};

/// The kind of analysis: time steps, load steps at t = 0 (followed by modes about the last equilibrium if any are
/// requested), or modes of the undeformed body.
enum class Wanted { motion, equilibrium, modes };

/// Equally spaced frequencies [cycles/time], including both ends.
struct FrequencyRange {
  PetscReal first = 0, last = 0;
  PetscInt count = 0;
  PetscReal damping = 0;  ///< ratio of all modes, in addition to the damping of the body
};

/// What a run computes.
struct AnalysisSettings {
  Wanted wanted = Wanted::motion;
  bool static_first = false, dry_run = false;
  PetscInt dry_run_ranks = 0;  ///< 0: the ranks of this run
  bool step_given = false;     ///< `-gear_dt` or `-gear_adapt` is given
  PetscInt load_steps = 1, load_cutbacks = 5;
  PetscReal load_until = 0;  ///< 0: load steps are at t = 0, and the load factor multiplies the loads
  PetscInt modes = 0;
  PetscReal modes_shift = 0;
  std::optional<FrequencyRange> frequency_response;

  bool has_time() const { return wanted == Wanted::motion; }
  bool has_default_steps() const { return has_time() && !step_given; }
};

/// All options other than those of the mesh (-dm_plex_*) and of the stepper (-gear_*).
struct Case {
  PetscInt degree = 2;
  solid::Solver solver = solid::Solver::automatic;
  solid::Formulation formulation = solid::Formulation::displacement;
  MaterialSettings materials;
  solid::Tables tables;  // tables that formulas may call
  SupportSettings supports;
  std::multimap<LoadKind, std::function<void(solid::Body&)>> loads;
  std::vector<std::pair<std::string, bool>> pressures;  ///< faces, and whether the pressure follows the deformed face
  std::optional<solid::VectorExpression> initial_displacement, initial_velocity;
  AnalysisSettings analysis;
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
