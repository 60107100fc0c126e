#include "app/case/read_results.hpp"

#include "app/results/envelope.hpp"
#include "app/results/fields.hpp"
#include "app/results/frames.hpp"
#include "petsc/unread_options.hpp"

#include <algorithm>
#include <array>
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
      "-output_dt", "time between frames: at 0, dt, 2 dt, .. and the end, whatever the steps are [time]", dt);
  const bool single =
      options.reals("-output_times", "further times t1,t2,.. of frames, whatever the steps are [time]", times);
  if (equal && (!(dt > 0) || !std::isfinite(dt))) throw OptionError("option -output_dt: give a time above 0");
  for (const PetscReal t : times)
    if (!(t >= 0) || !std::isfinite(t)) throw OptionError("option -output_times: give times of 0 or more");
  if (single && times.empty()) throw OptionError("option -output_times: give one time or more");
  given.results.frame_times = FrameTimes(dt, times);
  given.results.frames_every = given.results.frame_times.empty() ? 10 : 0;
  const bool old = options.integer("-vtk_every", "the same as -output_every", given.results.frames_every);
  const bool every = options.integer(
      "-output_every",
      "steps between frames (files of fields); 0: none; 10, if -output_dt and -output_times are not given",
      given.results.frames_every);
  if (old && every) throw OptionError("-vtk_every and -output_every: they are the same; choose one of them");
  if (given.results.frames_every < 0)
    throw OptionError(std::string("option ") + (old ? "-vtk_every" : "-output_every") + ": give 0 (no files) or more");
  const bool chosen = options.choice("-output_format",
                                     "frames as VTU files, one for each rank, or VTKHDF, one for all ranks (VTK 9.1, "
                                     "ParaView 5.10 or newer; opened by "
                                     "solution.vtkhdf.series)",
                                     frame_formats, given.results.frame_format);
  if (chosen && given.results.frame_format == io::FrameFormat::vtkhdf && !io::has_format(given.results.frame_format))
    throw OptionError(
        "option -output_format: vtkhdf needs HDF5, and gearshift was built without it (take a PETSc with HDF5, and its "
        "headers); choose vtu");
  if (given.wanted == Wanted::modes) given.results.frame_times = {};  // a motion's case file serves for its modes
  if (!given.has_time() && !given.results.frame_times.empty())
    throw OptionError(std::string("option ") + (equal ? "-output_dt" : "-output_times") +
                      ": a static solution has load steps and no time; -output_every 1 writes a file for each of them");
}

/// Probes have names of the user's choice: their keys are found among those that have not been read.
void read_probes(Options& options, const Names& names, Case& given) {
  std::string documented;
  options.string("-probe_<name>",
                 "follow the point x,y,z [length], or a named point of a Gmsh file; writes probe_<name>.csv",
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
    std::vector<PetscReal> X;
    options.reals(("-" + key).c_str(), "x,y,z of the point [length]", X);
    if (X.size() != 3)
      throw OptionError("option -" + key + ": give three numbers x,y,z, or the name of a point of the mesh");
    given.results.probes.emplace_back(key.substr(6), Vec3{X[0], X[1], X[2]});
  }
  std::sort(given.results.probes.begin(), given.results.probes.end());
}

/// The order is that of -fields; what every file of a probe has is left out.
bool read_probe_fields(Options& options, Case& given) {
  std::vector<std::string> chosen;
  if (given.base_acceleration) chosen.emplace_back("acceleration");
  const std::string text = "further fields of probes, out of " + list_of_fields(FieldUse::probes) +
                           "; a recovery of stresses for each row [-csv_every]";
  const bool found = options.strings("-probe_fields", text.c_str(), chosen);
  if (found) check_field_names("-probe_fields", FieldUse::probes, chosen);
  std::erase_if(chosen, [](const std::string& name) { return name == "displacement" || name == "velocity"; });
  given.results.probe_fields = chosen;
  return found;
}

}  // namespace

void read_results(Options& options, const Names& names, Case& given) {
  options.string("-output", "folder for the results; created if missing", given.results.folder);
  options.flag("-overwrite", "replace results of an earlier run in that folder; else they go to FOLDER.previous",
               given.results.overwrite);
  options.choice("-on_write_error", "when results cannot be written: stop, or continue without that file or frame",
                 on_write_errors, given.results.on_write_error);
  read_frames(options, given);
  if (options.strings("-fields", ("fields of the frames, out of " + list_of_fields(FieldUse::frames)).c_str(),
                      given.results.fields))
    check_field_names("-fields", FieldUse::frames, given.results.fields);
  if (options.strings(
          "-envelope",
          ("fields whose greatest value over all steps, and its time, each node keeps for envelope.vtu, written "
           "at the end; out of " +
           list_of_fields(FieldUse::envelope) +
           " (magnitudes of vectors, the greatest principal stress). Times between steps are not looked at; "
           "stresses and what derives from them are recovered in every step, about a fifth of a run's time")
              .c_str(),
          given.results.envelope)) {
    check_field_names("-envelope", FieldUse::envelope, given.results.envelope);
    if (given.wanted == Wanted::modes)
      throw OptionError("option -envelope: natural frequencies alone have no steps; leave it out");
  }
  options.integer("-csv_every", "steps between rows of the CSV files; 0: none", given.results.csv_every);
  if (given.results.csv_every < 0) throw OptionError("option -csv_every: give 0 (no rows) or more");
  if (given.wanted == Wanted::modes) given.results.csv_every = given.results.frames_every = 0;  // there is no step
  options.flag("-energy_regions", "write energy_regions.csv: the kinetic and stored energy of each region of the mesh",
               given.results.energy_regions);
  const bool chosen = read_probe_fields(options, given);  // first: its key looks like one of a probe
  read_probes(options, names, given);
  if (chosen && given.results.probes.empty())
    throw OptionError("option -probe_fields: there is no probe; give -probe_<name> x,y,z");
}

}  // namespace gearshift::app
