#include "app/case/case.hpp"

#include <gearshift/petsc/options.hpp>
#include <gearshift/solid/modes.hpp>

#include "app/case/clashes.hpp"
#include "app/case/old_keys.hpp"
#include "app/case/read_contact.hpp"
#include "app/case/read_loads.hpp"
#include "app/case/read_material.hpp"
#include "app/case/read_results.hpp"
#include "app/case/read_tables.hpp"
#include "solid/constraints/support_kinds.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace gearshift::app {
namespace {

using petsc::Options;

constexpr std::array solvers{"auto", "pmg", "amg", "jacobi"};
constexpr std::array formulations{"displacement", "mixed"};

void read_names(Options& options, const std::string& key, const char* text, const std::vector<std::string>& known,
                std::vector<std::string>& names, const char* what = "face") {
  options.strings(key.c_str(), text, names);
  refuse_unknown_names(key, known, names, what);
}

void read_discretization(Options& options, Case& given) {
  options.heading("Mesh and elements");
  options.mention("-dm_plex_filename", "<file>",
                  "mesh file: Gmsh, or another format that PETSc reads; its physical groups name faces and regions");
  options.mention("-dm_plex_box_faces", "<nx,ny,nz>", "mesh of a box instead: number of cells along x, y, z");
  options.mention("-dm_plex_box_lower", "<x,y,z>", "lower corner of the box [length]; default 0,0,0");
  options.mention("-dm_plex_box_upper", "<x,y,z>", "upper corner of the box [length]; default 1,1,1");
  options.mention("-dm_plex_simplex", "<true|false>", "true: the cells of the box are tetrahedra");
  options.mention("-dm_refine", "<n>", "number of uniform refinements of the mesh; default 0");
  options.integer("-degree", "polynomial degree of the elements: 1 to 6; for tetrahedra 1 to 3, for wedges 1 or 2",
                  given.degree);
  options.choice("-formulation",
                 "displacement; or mixed, with an additional pressure, for nearly incompressible materials: the "
                 "pressure is discontinuous and statically condensed cell by cell",
                 formulations, given.formulation);
  options.choice("-solver",
                 "preconditioner: pmg: p-multigrid; amg: algebraic multigrid on the assembled tangent; jacobi: "
                 "diagonal; auto: pmg, or amg if a -pc_type needs the entries of a matrix",
                 solvers, given.solver);
}

void read_supports(Options& options, const Names& names, Case& given) {
  const std::vector<std::string> all = names.supports();
  const char* what = names.curves.empty() ? "face" : "face, curve or point";
  options.heading("Supports of faces, and of curves and points of a Gmsh file");
  for (const solid::SupportKind& kind : solid::support_kinds()) {
    std::vector<std::string> held;
    read_names(options, std::string("-") + kind.name, kind.help, kind.directions ? names.faces : all, held,
               kind.directions ? "face" : what);
    for (const std::string& name : held) given.supports.at_rest.emplace_back(&kind, name);
  }
  for (const std::string& name : all) read_motion(options, name, given);
}

void refuse_two_supports(const SupportSettings& given) {
  for (const PrescribedMotion& motion : given.motions)
    if (std::ranges::count(given.at_rest, std::pair(&solid::support_kind("clamp"), motion.name)))
      throw OptionError("options -clamp and -prescribe_" + motion.name +
                        ": the face cannot be both clamped and moved; leave " + motion.name +
                        " out of -clamp (-prescribe_" + motion.name +
                        " prescribes all components that are not 'free'; 0 keeps a component in place)");
}

void read_releases(Options& options, const std::vector<std::string>& faces, SupportSettings& given) {
  for (const std::string& face : faces) {
    const std::string key = "-release_" + face;
    PetscReal t = 0;
    if (!options.real(key.c_str(), "time at which all supports of the face, curve or point are removed [time]", t))
      continue;
    if (!std::ranges::count(given.at_rest, face, [](const auto& support) { return support.second; }) &&
        !std::ranges::count(given.motions, face, &PrescribedMotion::name))
      throw OptionError("option " + key + ": it has no support that could be removed; give one, such as -clamp " +
                        face);
    if (!(t > 0) || !std::isfinite(t))
      throw OptionError("option " + key + ": give a time above 0; a face that is free from the start needs no support");
    given.releases.emplace_back(face, t);
  }
}

void read_frequency_response(Options& options, AnalysisSettings& given) {
  std::vector<PetscReal> range;
  PetscReal damping = 0;
  const bool asked =
      options.reals("-frequency_response",
                    "f1,f2,n: steady-state response of the probes at n frequencies from f1 to f2 [cycles/time], by "
                    "modal superposition (-modes) with static correction; the loads and, without -static, the motions "
                    "of -prescribe_<face> are amplitudes of a sine; writes frequency_response.csv",
                    range);
  const bool damped = options.real("-frequency_response_damping",
                                   "damping ratio of all modes in -frequency_response, in addition to Rayleigh damping "
                                   "(-gear_rayleigh_..) and dashpots [-]",
                                   damping);
  if (damped && !asked)
    throw OptionError("option -frequency_response_damping: give the frequencies, too: -frequency_response f1,f2,n");
  if (!(damping >= 0 && damping < 1))
    throw OptionError("option -frequency_response_damping: give a fraction of critical damping, 0 or more and below 1");
  if (!asked) return;
  if (range.size() != 3 || !(range[0] > 0) || !(range[1] > range[0]) || !std::isfinite(range[1]) ||
      range[2] != std::floor(range[2]) || !(range[2] >= 2 && range[2] <= 1e6))
    throw OptionError(
        "option -frequency_response: give f1,f2,n: two frequencies above 0, the smaller one first, and the number of "
        "frequencies, 2 or more");
  if (given.modes == 0)
    throw OptionError("option -frequency_response: give -modes n, with n large enough for modes up to 1.2 f2");
  if (given.modes_shift > 0)
    throw OptionError(
        "options -frequency_response and -modes_shift: the frequency response needs the lowest modes; leave out one of "
        "the two");
  given.frequency_response = {range[0], range[1], static_cast<PetscInt>(range[2]), damping};
}

void read_run(Options& options, Case& given) {
  constexpr PetscInt most_ranks = 10'000'000;
  AnalysisSettings& run = given.analysis;
  options.heading("Analysis");
  bool only_static = false;
  options.flag("-static", "compute only the equilibrium under the loads at t = 0, or up to -load_until", only_static);
  options.flag("-static_first", "start the motion from the equilibrium under the loads at t = 0", run.static_first);
  options.flag("-dry_run", "only report the size of the problem and an estimate of the memory per rank", run.dry_run);
  options.integer("-dry_run_ranks",
                  "number of ranks for which the memory is estimated, as by -dry_run; default: those of this run",
                  run.dry_run_ranks);
  const bool counts = petsc::has_option("", "-dry_run_ranks");
  if (counts && (run.dry_run_ranks < 1 || run.dry_run_ranks > most_ranks))
    throw OptionError("option -dry_run_ranks: give 1 to " + std::to_string(most_ranks) + " ranks");
  if (run.dry_run_ranks > 0) run.dry_run = true;
  options.flag("-strict", "an unknown option is an error; false: a warning", given.strict);
  options.integer(
      "-load_steps",
      "number of equal load steps of a static solution; result files then have the load factor in place of time",
      run.load_steps);
  options.integer(
      "-load_cutbacks",
      "how many times a load step may be halved if Newton fails, or if its equilibrium is unstable, on another branch, "
      "or where the material law softens; each part is written as a separate load step; 0: the run ends instead",
      run.load_cutbacks);
  if (run.load_cutbacks < 0 || run.load_cutbacks > 40) throw OptionError("option -load_cutbacks: give 0 to 40");
  if (run.load_steps < 1 || run.load_steps > 1000000)
    throw OptionError(
        "option -load_steps: give 1 to 1000000; -load_cutbacks halves load steps where smaller ones are needed");
  const bool follows_time = options.real(
      "-load_until",
      "T: the load steps of -static go from t = 0 to T, where formulas of t in loads, supports and obstacles give the "
      "path of the loads, and no load factor multiplies them; loads without t act in full from the first load step on; "
      "the load factor of result files is then t/T; default: load steps are at t = 0 [time]",
      run.load_until);
  if (follows_time && !(run.load_until > 0 && std::isfinite(run.load_until)))
    throw OptionError("option -load_until: give a time above 0");
  options.integer("-modes",
                  "number of natural frequencies and mode shapes of the undeformed body or, with -static, about the "
                  "equilibrium; writes modes.csv, and the shapes as frames in modes.pvd",
                  run.modes);
  if (run.modes < 0) throw OptionError("option -modes: give 1 or more");
  const bool shifted = options.real(
      "-modes_shift",
      "compute the modes with the frequencies nearest to this one; default 0: the lowest modes [cycles/time]",
      run.modes_shift);
  if (!(run.modes_shift >= 0) || !std::isfinite(run.modes_shift))
    throw OptionError("option -modes_shift: give a frequency above 0, or 0 for the lowest modes");
  if (shifted && run.modes == 0)
    throw OptionError("option -modes_shift: give the number of modes near it, too, such as -modes 10");
  read_frequency_response(options, run);
  if (run.modes > 0 && run.static_first)
    throw OptionError(
        "options -modes and -static_first: for modes about the equilibrium give -static instead of -static_first");
  if (run.modes > 0 && !solid::Modes::available())
    throw OptionError(
        "option -modes: this program was built without SLEPc; install it (Debian: slepc-dev) and build again");
  if (only_static || run.modes > 0) run.wanted = only_static ? Wanted::equilibrium : Wanted::modes;
  if (follows_time && !only_static)
    throw OptionError(
        "option -load_until: it is the end of the path of loads in -static; a motion ends at -gear_t_end");
  if (!run.has_time() && !given.supports.releases.empty())
    throw OptionError("option -release_" + given.supports.releases.front().first +
                      ": a static solution and modes have no time; leave the option out, or the support");
  if (only_static && run.static_first) throw OptionError("options -static and -static_first: give only one of them");
}

/// Throws OptionError for options that a coupled run, whose time windows may be repeated, does not support.
void check_coupled(const Case& given, const std::vector<std::string>& faces) {
  refuse_unknown_names("-precice_faces", faces, given.coupling.faces);
  if (!given.analysis.has_time())
    throw OptionError(
        "option -precice: static solutions and modes have no time windows; leave out -precice, or -static and -modes");
  if (!given.results.frame_times.empty())
    throw OptionError(
        "option -precice: frames are written at the ends of time windows; give -output_every (it counts windows) "
        "instead of -output_dt and -output_times");
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
  given.analysis.step_given = petsc::has_option("", "-gear_dt") || petsc::has_option("", "-gear_adapt");
  refuse_clashes(comm, names);
  petsc::read_options(comm, "", "gearshift-solid: model", [&](Options& options) {
    read_discretization(options, given);
    read_material(comm, options, names.regions, given);
    options.heading("Tables, usable in every formula");
    read_tables(comm, options, given.tables);
    read_supports(options, names, given);
    read_loads(options, names.faces, given);
    refuse_two_supports(given.supports);
    read_releases(options, names.supports(), given.supports);
    read_surfaces(options, names.faces, given);
  });
  petsc::read_options(comm, "", "gearshift-solid: run and results", [&](Options& options) {
    read_run(options, given);
    read_contacts(comm, options, names.faces, given);
    options.heading("Results");
    read_results(options, names, given);
    refuse_fields_without_contact(given.results);
    refuse_face_or_probe(names, given.results.probes);
    read_point_loads(options, names.faces, given);
    if (given.analysis.frequency_response && given.results.probes.empty())
      throw OptionError(
          "option -frequency_response: the response is written for probes, but there is none; give -probe_<name> "
          "x,y,z");
    options.heading("Coupling with other solvers");
    given.coupling.read(options);
    if (given.coupling.given()) check_coupled(given, names.faces);
    if (given.results.energy_regions && names.regions.empty())
      throw OptionError("option -energy_regions: the mesh has no regions; define them as physical groups of cells");
  });
  return given;
}

void apply(const Case& given, solid::Body& body) {
  body.set_solver(given.solver);
  body.set_formulation(given.formulation);
  // If every region has its own material, the parameters given for the whole body (for example the density) need not
  // form a complete material.
  const std::string heavy = density_needed_by(given);
  const solid::Material& whole = given.materials.body;
  const auto& own = whole.parameters;
  const bool parameters =
      !own.empty() && std::none_of(own.begin(), own.end(), [](PetscReal p) { return std::isnan(p); });
  const bool complete = (whole.E != 0 || whole.mu1 != 0 || whole.c1 != 0 || parameters) && whole.rho != 0;
  if (complete || given.materials.regions.size() < std::max<std::size_t>(1, body.mesh().region_names().size()))
    body.set_material(with_density(whole, heavy, {}));
  for (const auto& [region, material] : given.materials.regions)
    body.set_material(region, with_density(material, heavy, region));
  for (const auto& [kind, add] : given.loads) add(body);
  const SupportSettings& supports = given.supports;
  for (const PrescribedMotion& motion : supports.motions) body.move(motion.name, motion.value, motion.components);
  // Where faces meet, the support that holds more components takes precedence, because it is set later.
  auto at_rest = supports.at_rest;
  std::ranges::stable_sort(at_rest, {}, [](const auto& support) { return std::popcount(support.first->components); });
  for (const auto& [kind, face] : at_rest) body.hold(face, *kind);
  for (const auto& [face, t] : supports.releases) body.release(face, t);
}

}  // namespace gearshift::app
