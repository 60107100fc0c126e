#include "app/analyses/modes.hpp"

#include <gearshift/io/folder.hpp>
#include <gearshift/io/series.hpp>
#include <gearshift/io/table.hpp>
#include <gearshift/solid/modes.hpp>

#include "app/analyses/frequency_response.hpp"
#include "petsc/queries.hpp"
#include "solid/space/extent_of.hpp"

#include <array>
#include <cstdio>

namespace gearshift::app {

using petsc::check;

std::string find_modes(const Run& run) {
  const auto& [given, body, stepper, results, progress, resumed] = run;
  const MPI_Comm comm = body.space().comm();
  const std::filesystem::path& folder = results.folder();
  const io::FrameFormat format = given.results.frame_format;
  const bool excited = given.analysis.frequency_response.has_value();
  const Excitation excitation = excited ? find_excitation(given, body, stepper) : Excitation{};
  const double begin = MPI_Wtime();
  check(PetscPrintf(comm, "computing %" PetscInt_FMT " natural modes; this takes dozens of linear solves\n",
                    given.analysis.modes));
  (void)std::fflush(stdout);
  double last = begin;
  const solid::Modes found(
      body, stepper.state(), given.analysis.modes, given.analysis.modes_shift,
      [&](PetscInt solves, PetscInt iterations) {
        constexpr double pause = 5;  // seconds between lines
        const double now = MPI_Wtime();
        if (now - last < pause) return;
        last = now;
        check(PetscPrintf(comm, "%6" PetscInt_FMT " linear solves, %" PetscInt_FMT " Krylov iterations, %.0f s\n",
                          solves, iterations, now - begin));
        (void)std::fflush(stdout);
      });
  const double seconds = MPI_Wtime() - begin;
  io::prepare_folder(comm, folder / "modes");
  io::Table table(comm, folder / "modes.csv", "mode,frequency,mass_x,mass_y,mass_z");
  io::Series series(comm, folder / io::series_file(format, "modes"));
  const auto writer = io::FrameWriter::make(format, body.space(), solid::NodePlaces(body.space()));
  const solid::Extent box = solid::extent_of(body.space());
  const auto shown = petsc::duplicate(body.layout());
  check(PetscPrintf(comm, "%6s%16s%14s%14s%14s\n", "mode", "frequency", "mass_x", "mass_y", "mass_z"));
  const auto modes = found.modes();
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const auto& [frequency, mass] = modes[i];
    const auto number = static_cast<double>(i + 1);
    check(PetscPrintf(comm, "%6.0f%16.8g%14.4g%14.4g%14.4g\n", number, frequency, mass[0], mass[1], mass[2]));
    table.row(std::array{number, frequency, mass[0], mass[1], mass[2]});
    const PetscReal largest = petsc::norm(found.shape(i), NORM_INFINITY);
    check(VecCopy(found.shape(i), shown.get()));
    check(VecScale(shown.get(), 0.1 * box.edge(box.longest()) / largest));
    std::array<char, 24> name{};
    std::snprintf(name.data(), name.size(), "%06zu", i + 1);
    const std::array fields{io::FrameWriter::PointField{.name = "displacement", .values = shown.get()}};
    series.add(number, "modes/" + writer->write(folder / "modes", name.data(), fields));
  }
  table.close();
  check(PetscPrintf(comm, "%zu modes by %" PetscInt_FMT " linear solves, %" PetscInt_FMT " Krylov iterations, %.2f s\n",
                    modes.size(), found.solves(), found.iterations(), seconds));
  if (excited) write_frequency_response(given, body, stepper, found, excitation, folder);
  if (found.complete()) return {};
  return "further frequencies may lie between those listed, because the search for them did not end; usually the body "
         "is too slender, or its parts too unlike: the squares of its lowest frequencies are near their rounding "
         "errors; use fewer and longer cells, or less contrast";
}

void NaturalModes::begin() {
  run_.body.set_load_factor(0);  // the supports are in their positions without loads
  set_initial_state();
  run_.body.set_load_factor(1);
}

Outcome NaturalModes::carry_out() {
  Outcome outcome{.warning = find_modes(run_)};
  run_.results.close();
  return outcome;
}

}  // namespace gearshift::app
