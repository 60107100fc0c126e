#include "app/case/read_results.hpp"

#include "app/results/envelope.hpp"
#include "app/results/fields.hpp"
#include "app/results/frames.hpp"
#include "petsc/options/nearest.hpp"
#include "petsc/options/unread_options.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace gearshift::app {
namespace {

using petsc::Options;
using petsc::unread_options;
using solid::Vec3;

constexpr std::array on_write_errors{"stop", "continue"};

void read_frames(Options& options, Case& given) {
  PetscReal dt = 0;
  std::vector<PetscReal> times;
  const bool equal = options.real(
      "-output_dt", "time between frames: frames at 0, dt, 2 dt, .. and the end, independent of the time steps [time]",
      dt);
  const bool single = options.reals("-output_times",
                                    "additional times t1,t2,.. of frames, independent of the time steps [time]", times);
  if (equal && (!(dt > 0) || !std::isfinite(dt))) throw OptionError("option -output_dt: give a time above 0");
  for (const PetscReal t : times)
    if (!(t >= 0) || !std::isfinite(t)) throw OptionError("option -output_times: give times of 0 or more");
  if (single && times.empty()) throw OptionError("option -output_times: give one time or more");
  given.results.frame_times = FrameTimes(dt, times);
  given.results.frames_every = given.results.frame_times.empty() ? 10 : 0;
  const bool old = options.integer("-vtk_every", "former name of -output_every", given.results.frames_every);
  const bool every = options.integer("-output_every",
                                     "number of steps between frames (files of fields); 0: no frames; default 10, or 0 "
                                     "with -output_dt or -output_times",
                                     given.results.frames_every);
  if (old && every)
    throw OptionError("options -vtk_every and -output_every: they mean the same; give only one of them");
  if (given.results.frames_every < 0)
    throw OptionError(std::string("option ") + (old ? "-vtk_every" : "-output_every") + ": give 0 (no files) or more");
  const bool chosen = options.choice("-output_format",
                                     "file format of the frames: vtu, one file per rank; or vtkhdf, one file for all "
                                     "ranks (needs VTK 9.1, ParaView 5.10 or newer; open solution.vtkhdf.series)",
                                     frame_formats, given.results.frame_format);
  if (chosen && given.results.frame_format == io::FrameFormat::vtkhdf && !io::has_format(given.results.frame_format))
    throw OptionError(
        "option -output_format: vtkhdf needs HDF5, and gearshift was built without it; use vtu, or build with a PETSc "
        "that has HDF5 and its headers");
  if (given.analysis.wanted == Wanted::modes)
    given.results.frame_times = {};  // an option file written for a motion can be used for modes, too
  if (!given.analysis.has_time() && !given.results.frame_times.empty())
    throw OptionError(
        std::string("option ") + (equal ? "-output_dt" : "-output_times") +
        ": a static solution has load steps and no time; -output_every 1 writes a frame for each load step");
}

/// The user chooses the names of probes: their keys are found among those that have not been read.
void read_probes(Options& options, const Names& names, Case& given) {
  std::string documented;
  options.string(
      "-probe_<name>",
      "record the motion of the point x,y,z [length], or of a named point of a Gmsh file; writes probe_<name>.csv",
      documented);
  for (const std::string& key : unread_options()) {
    if (!key.starts_with("probe_") || key.size() == 6) continue;
    std::array<char, 256> text{};
    PetscBool found = PETSC_FALSE;
    petsc::check(PetscOptionsGetString(nullptr, nullptr, ("-" + key).c_str(), text.data(), text.size(), &found));
    if (const auto point = names.points.find(text.data()); point != names.points.end()) {
      given.results.probes.emplace_back(key.substr(6), point->second);
      continue;
    }
    if (std::find(names.curves.begin(), names.curves.end(), text.data()) != names.curves.end())
      throw OptionError("option -" + key + ": '" + text.data() +
                        "' is not a single node; give the name of a group of one point, or three numbers x,y,z");
    if (std::isalpha(static_cast<unsigned char>(text[0]))) {
      std::vector<std::string> points;
      for (const auto& [name, X] : names.points) points.push_back(name);
      throw OptionError("option -" + key + ": the mesh has no point '" + text.data() + "'; " +
                        petsc::meant(text.data(), points) +
                        "give three numbers x,y,z, or the name of a physical point");
    }
    std::vector<PetscReal> X;
    options.reals(("-" + key).c_str(), "x,y,z of the point [length]", X);
    if (X.size() != 3)
      throw OptionError("option -" + key + ": give three numbers x,y,z, or the name of a point of the mesh");
    given.results.probes.emplace_back(key.substr(6), Vec3{X[0], X[1], X[2]});
  }
  std::sort(given.results.probes.begin(), given.results.probes.end());
}

/// Reads the names in the order of -fields; displacement and velocity are left out, because every file of a probe has
/// them.
bool read_probe_fields(Options& options, Case& given) {
  std::vector<std::string> chosen;
  if (given.loads.contains(LoadKind::base_acceleration)) chosen.emplace_back("acceleration");
  const std::string text = "additional fields of probes, any of " + list_of_fields(FieldUse::probes) +
                           "; stresses are recovered for each row (-csv_every)";
  const bool found = options.strings("-probe_fields", text.c_str(), chosen);
  if (found) check_field_names("-probe_fields", FieldUse::probes, chosen);
  std::erase_if(chosen, [](const std::string& name) { return name == "displacement" || name == "velocity"; });
  given.results.probe_fields = chosen;
  return found;
}

}  // namespace

void read_results(Options& options, const Names& names, Case& given) {
  options.string("-output", "folder of the results; it is created if it does not exist", given.results.folder);
  options.flag("-overwrite",
               "true: replace the results of an earlier run in that folder; false: move them to FOLDER.previous",
               given.results.overwrite);
  options.choice("-on_write_error",
                 "if results cannot be written: stop the run, or continue without that file or frame", on_write_errors,
                 given.results.on_write_error);
  read_frames(options, given);
  if (options.strings("-fields", ("fields in the frames, any of " + list_of_fields(FieldUse::frames)).c_str(),
                      given.results.fields))
    check_field_names("-fields", FieldUse::frames, given.results.fields);
  if (options.strings(
          "-envelope",
          ("fields whose maximum over all steps, and its time, are recorded at each node and written to envelope.vtu "
           "at the end of the run; any of " +
           list_of_fields(FieldUse::envelope) +
           " (magnitudes of vectors, the largest principal stress). Only the ends of steps are evaluated; stresses and "
           "fields derived from them are then recovered in every step, which takes about a fifth of the run time")
              .c_str(),
          given.results.envelope)) {
    check_field_names("-envelope", FieldUse::envelope, given.results.envelope);
    if (given.analysis.wanted == Wanted::modes)
      throw OptionError(
          "option -envelope: a run that computes only natural frequencies has no steps; leave the option out");
  }
  std::vector<std::string> units;
  if (options.strings("-units",
                      "units of length, mass and time of this case, such as m,kg,s or mm,t,s, for the legends of "
                      "pictures; no number is converted",
                      units))
    given.results.units = Units(units);
  options.integer("-csv_every", "number of steps between rows of the CSV files; 0: no rows", given.results.csv_every);
  if (given.results.csv_every < 0) throw OptionError("option -csv_every: give 0 (no rows) or more");
  if (given.analysis.wanted == Wanted::modes)
    given.results.csv_every = given.results.frames_every = 0;  // modes have no steps
  options.flag("-energy_regions",
               "write the kinetic and stored energy of each region of the mesh to energy_regions.csv",
               given.results.energy_regions);
  const bool chosen =
      read_probe_fields(options, given);  // before read_probes(), because the key looks like the key of a probe
  read_probes(options, names, given);
  if (chosen && given.results.probes.empty())
    throw OptionError("option -probe_fields: no probe is given; add -probe_<name> x,y,z");
}

}  // namespace gearshift::app
