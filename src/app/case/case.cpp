#include "app/case/case.hpp"

#include <gearshift/petsc/options.hpp>
#include <gearshift/solid/modes.hpp>

#include "app/case/clashes.hpp"
#include "app/case/old_keys.hpp"
#include "app/case/read_loads.hpp"
#include "app/case/read_material.hpp"
#include "app/case/read_results.hpp"
#include "app/case/read_tables.hpp"
#include "petsc/nearest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gearshift::app {
namespace {

using petsc::Options;

constexpr std::array solvers{"auto", "pmg", "amg", "jacobi"};
constexpr std::array formulations{"displacement", "mixed"};
constexpr std::array axes{"x", "y", "z"};

void check_faces(const std::string& key, const std::vector<std::string>& known, const std::vector<std::string>& names,
                 const char* what = "face") {
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      std::string list;
      for (const std::string& face : known) list += " " + face;
      throw OptionError("option " + key + ": the mesh has no " + what + " '" + name + "'; " +
                        petsc::meant(name, known) + "it has" + (list.empty() ? " none with a name" : list));
    }
}

void read_names(Options& options, const std::string& key, const char* text, const std::vector<std::string>& known,
                std::vector<std::string>& names, const char* what = "face") {
  options.strings(key.c_str(), text, names);
  check_faces(key, known, names, what);
}

void read_discretization(Options& options, Case& given) {
  options.heading("Mesh and elements");
  options.mention("-dm_plex_filename", "<file>",
                  "the mesh: Gmsh, or what else PETSc reads; physical groups name faces and regions");
  options.mention("-dm_plex_box_faces", "<nx,ny,nz>", "a box instead: cells along x, y, z");
  options.mention("-dm_plex_box_lower", "<x,y,z>", "its lower corner [length]; default 0,0,0");
  options.mention("-dm_plex_box_upper", "<x,y,z>", "its upper corner [length]; default 1,1,1");
  options.mention("-dm_plex_simplex", "<true|false>", "the box is made of tetrahedra");
  options.mention("-dm_refine", "<n>", "refines the mesh so many times, uniformly");
  options.integer("-degree", "polynomial degree of the elements, 1..6; with tetrahedra 1..3, with wedges 1 or 2",
                  given.degree);
  options.choice("-formulation",
                 "mixed: for nearly incompressible bodies, with pressures that each cell has for itself and eliminates",
                 formulations, given.formulation);
  options.choice("-solver", "preconditioner: p-multigrid, algebraic multigrid on the assembled tangent, diagonal",
                 solvers, given.solver);
}

void read_supports(Options& options, const Names& names, Case& given) {
  const std::vector<std::string> all = names.supports();
  const char* what = names.curves.empty() ? "face" : "face, curve or point";
  options.heading("Supports of faces, and of curves and points of a Gmsh file");
  read_names(options, "-clamp", "clamped faces, curves and points, separated by commas", all, given.clamped, what);
  for (std::size_t axis = 0; axis < 3; ++axis)
    read_names(options, std::string("-fix_") + axes[axis],
               (std::string("those whose ") + axes[axis] + " displacement is 0").c_str(), all, given.fixed[axis], what);
  read_names(
      options, "-fix_normal",
      "faces on rollers: planes of any direction or curved faces, whose displacement has no part along the normal "
      "of the undeformed face, and none across an edge where it turns by more than 35 degrees",
      names.faces, given.fixed_normal);
  given.motions.clear();
  for (const std::string& name : all) read_motion(options, name, given);
}

void refuse_two_supports(const Case& given) {
  for (const PrescribedMotion& motion : given.motions)
    if (std::find(given.clamped.begin(), given.clamped.end(), motion.name) != given.clamped.end())
      throw OptionError("options -clamp and -prescribe_" + motion.name + ": the face cannot be held and moved; leave " +
                        motion.name + " out of -clamp (-prescribe_" + motion.name +
                        " holds all components that are not 'free', 0 keeps one in place)");
}

void read_releases(Options& options, const std::vector<std::string>& faces, Case& given) {
  given.releases.clear();
  for (const std::string& face : faces) {
    const std::string key = "-release_" + face;
    PetscReal t = 0;
    if (!options.real(key.c_str(),
                      "time at which all supports of the face, curve or point end: it then moves freely [time]", t))
      continue;
    const auto has = [&](const std::vector<std::string>& list) {
      return std::find(list.begin(), list.end(), face) != list.end();
    };
    if (!has(given.clamped) && !has(given.fixed_normal) && std::none_of(given.fixed.begin(), given.fixed.end(), has) &&
        std::none_of(given.motions.begin(), given.motions.end(),
                     [&](const PrescribedMotion& motion) { return motion.name == face; }))
      throw OptionError("option " + key + ": nothing holds it; give a support that ends then, such as -clamp " + face);
    if (!(t > 0) || !std::isfinite(t))
      throw OptionError("option " + key + ": give a time above 0; a face that is free from the start needs no support");
    given.releases.emplace_back(face, t);
  }
}

void read_frequency_response(Options& options, Case& given) {
  std::vector<PetscReal> range;
  const bool asked = options.reals(
      "-frequency_response",
      "f1,f2,n: frequency_response.csv, the steady response of the probes to the loads and, without -static, to "
      "-prescribe_<face>, "
      "taken as amplitudes of a sine, at n frequencies from f1 to f2 [cycles/time], by superposition of the -modes and "
      "what is static beyond them",
      range);
  const bool damped = options.real(
      "-frequency_response_damping",
      "damping ratio of all modes in -frequency_response, besides Rayleigh's (-gear_rayleigh_..) and dashpots",
      given.frequency_response_damping);
  if (damped && !asked)
    throw OptionError("option -frequency_response_damping: give the frequencies, too: -frequency_response f1,f2,n");
  if (!(given.frequency_response_damping >= 0 && given.frequency_response_damping < 1))
    throw OptionError("option -frequency_response_damping: give a part of critical damping, 0 or more and below 1");
  if (!asked) return;
  if (range.size() != 3 || !(range[0] > 0) || !(range[1] > range[0]) || !std::isfinite(range[1]) ||
      range[2] != std::floor(range[2]) || !(range[2] >= 2 && range[2] <= 1e6))
    throw OptionError(
        "option -frequency_response: give f1,f2,n: two frequencies above 0, the smaller one first, and how many, 2 or "
        "more");
  if (given.modes == 0)
    throw OptionError("option -frequency_response: give -modes n, enough of them for frequencies somewhat above f2");
  if (given.modes_shift > 0)
    throw OptionError("-frequency_response and -modes_shift: a response needs the lowest modes; leave out one");
  given.frequency_response = {range[0], range[1], static_cast<PetscInt>(range[2])};
}

void read_run(Options& options, Case& given) {
  options.heading("What is done");
  bool only_static = false;
  options.flag("-static", "only find the equilibrium under the loads at t = 0", only_static);
  options.flag("-static_first", "start from the equilibrium under the loads at t = 0", given.static_first);
  options.flag("-dry_run", "only report the size of the problem and the memory that each rank will need",
               given.dry_run);
  options.flag("-strict", "an unknown key is an error; false: a warning", given.strict);
  options.integer("-load_steps",
                  "number of equal load steps of a static solution; its files give the load factor as time",
                  given.load_steps);
  options.integer("-load_cutbacks",
                  "how often a load step is halved at which Newton fails, or whose equilibrium is unstable, on another "
                  "branch or beyond its law; its parts are load steps in the files; 0: it ends the run",
                  given.load_cutbacks);
  if (given.load_cutbacks < 0 || given.load_cutbacks > 40) throw OptionError("option -load_cutbacks: give 0 to 40");
  if (given.load_steps < 1 || given.load_steps > 1000000)
    throw OptionError("option -load_steps: give 1 to 1000000; -load_cutbacks makes smaller ones where they are needed");
  options.integer(
      "-modes",
      "number of natural frequencies and shapes: of the undeformed body, with -static about the equilibrium; "
      "modes.csv, and frames of the shapes in modes.pvd",
      given.modes);
  if (given.modes < 0) throw OptionError("option -modes: give 1 or more");
  const bool shifted = options.real(
      "-modes_shift", "the modes whose frequencies are nearest to this one instead of the lowest [cycles/time]",
      given.modes_shift);
  if (!(given.modes_shift >= 0) || !std::isfinite(given.modes_shift))
    throw OptionError("option -modes_shift: give a frequency above 0, or 0 for the lowest modes");
  if (shifted && given.modes == 0)
    throw OptionError("option -modes_shift: give the number of modes near it, too: -modes 10");
  read_frequency_response(options, given);
  if (given.modes > 0 && given.static_first)
    throw OptionError("-modes and -static_first: give -static for modes about the equilibrium");
  if (given.modes > 0 && !solid::Modes::available())
    throw OptionError(
        "option -modes: this program was built without SLEPc; install it (Debian: slepc-dev) and build again");
  if (only_static || given.modes > 0) given.wanted = only_static ? Wanted::equilibrium : Wanted::modes;
  if (!given.has_time() && !given.releases.empty())
    throw OptionError("option -release_" + given.releases.front().first +
                      ": a static solution and modes have no time; leave the option out, or the support");
  if (only_static && given.static_first) throw OptionError("-static and -static_first: choose one of them");
}

/// What a run whose windows may be taken again cannot do.
void check_coupled(const Case& given, const std::vector<std::string>& faces) {
  check_faces("-precice_faces", faces, given.coupling.faces);
  if (!given.has_time()) throw OptionError("option -precice: a static solution has no windows of time; leave out one");
  if (!given.results.frame_times.empty())
    throw OptionError(
        "option -precice: frames lie at the ends of windows; give -output_every, which counts windows, instead of "
        "-output_dt and -output_times");
}

}  // namespace

Names Names::of(const solid::Mesh& mesh) {
  Names names{mesh.face_names(), mesh.region_names(), mesh.curve_names(), {}};
  for (const std::string& name : names.curves)
    if (const std::optional<solid::Vec3> X = mesh.point(name)) names.points.emplace(name, *X);
  return names;
}

std::vector<std::string> Names::supports() const {
  std::vector<std::string> all = faces;
  all.insert(all.end(), curves.begin(), curves.end());
  return all;
}

Case read_case(MPI_Comm comm, const Names& names) {
  Case given;
  rename_old_keys(comm);
  refuse_clashes(comm, names);
  petsc::read_options(comm, "", "gearshift-solid: model", [&](Options& options) {
    read_discretization(options, given);
    read_material(comm, options, names.regions, given);
    options.heading("Tables, usable in every formula");
    read_tables(comm, options, given.tables);
    read_supports(options, names, given);
    read_loads(options, names.faces, given);
    refuse_two_supports(given);
    read_releases(options, names.supports(), given);
    read_surfaces(options, names.faces, given);
  });
  petsc::read_options(comm, "", "gearshift-solid: run and results", [&](Options& options) {
    read_run(options, given);
    options.heading("Results");
    read_results(options, names, given);
    refuse_face_or_probe(names, given.results.probes);
    read_point_loads(options, names.faces, given);
    if (given.frequency_response && given.results.probes.empty())
      throw OptionError(
          "option -frequency_response: it is written for probes, and there is none; give -probe_<name> x,y,z");
    options.heading("Coupling with other solvers");
    given.coupling.read(options);
    if (given.coupling.given()) check_coupled(given, names.faces);
    if (given.results.energy_regions && names.regions.empty())
      throw OptionError("option -energy_regions: the mesh has no regions; name some as physical groups of cells");
  });
  return given;
}

void apply(const Case& given, solid::Body& body) {
  body.set_solver(given.solver);
  body.set_formulation(given.formulation);
  // If every region has its own material, what they share (say, the density) need not be a complete material.
  const auto& own = given.material.parameters;
  const bool parameters =
      !own.empty() && std::none_of(own.begin(), own.end(), [](PetscReal p) { return std::isnan(p); });
  const bool complete = (given.material.E != 0 || given.material.mu1 != 0 || given.material.c1 != 0 || parameters) &&
                        given.material.rho != 0;
  if (complete || given.region_materials.size() < std::max<std::size_t>(1, body.mesh().region_names().size()))
    body.set_material(given.material);
  for (const auto& [region, material] : given.region_materials) body.set_material(region, material);
  if (given.gravity) body.set_gravity(*given.gravity);
  if (given.base_acceleration) body.set_base_acceleration(*given.base_acceleration);
  if (given.frame_spin) body.set_rotating_frame(*given.frame_spin, given.frame_centre);
  for (const Load& load : given.tractions) body.add_traction(load.name, load.value);
  for (const Load& load : given.forces) body.add_force(load.name, load.value);
  for (const Load& load : given.torques) body.add_torque(load.name, load.value);
  for (const FollowerLoad& load : given.followers) body.add_follower(load.face, load.kind, load.value);
  const auto place = [&](const std::string& probe) {
    return std::find_if(given.results.probes.begin(), given.results.probes.end(),
                        [&](const auto& p) { return p.first == probe; })
        ->second;
  };
  for (const Load& load : given.point_forces) body.add_point_force(load.name, place(load.name), load.value);
  for (const auto& [face, mass] : given.masses) body.add_mass(face, mass);
  for (const auto& [probe, mass] : given.point_masses) body.add_point_mass(probe, place(probe), mass);
  for (const auto& [face, pressure, follows] : given.pressures)
    follows ? body.add_pressure(face, pressure) : body.add_dead_pressure(face, pressure);
  for (const Gas& gas : given.gases) body.add_gas(gas.face, gas.p0, gas.gamma, gas.closing);
  for (const auto& [face, k] : given.foundations) body.add_foundation(face, k[0], k[1]);
  for (const auto& [face, c] : given.dashpots) body.add_dashpots(face, c[0], c[1]);
  for (const std::string& face : given.absorbing) body.absorb_waves(face);
  // Clamps are given last: where faces meet, the clamp is obeyed.
  for (const PrescribedMotion& motion : given.motions) body.move(motion.name, motion.value, motion.components);
  for (const std::string& face : given.fixed_normal) body.fix_normal(face);
  for (int axis = 0; axis < 3; ++axis)
    for (const std::string& face : given.fixed[static_cast<std::size_t>(axis)]) body.fix(face, axis);
  for (const std::string& face : given.clamped) body.clamp(face);
  for (const auto& [face, t] : given.releases) body.release(face, t);
}

}  // namespace gearshift::app
