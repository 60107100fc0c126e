#include "app/analyses/frequency_response.hpp"

#include <gearshift/io/table.hpp>
#include <gearshift/solid/frequency_response.hpp>
#include <gearshift/solid/material_point.hpp>

#include "petsc/queries.hpp"

#include <complex>
#include <numbers>

namespace gearshift::app {

using petsc::check;

namespace {

/// The probes of a case.
class Samples {
 public:
  Samples(const solid::Space& space, const Case& given) : space_(space) {
    for (const auto& [name, X] : given.results.probes) points_.emplace_back(space, "probe " + name, X);
  }
  std::size_t width() const { return 3 * points_.size(); }

  /// Returns the displacements of the probes in this field, three numbers for each probe. Collective.
  std::vector<PetscReal> of(Vec field) const {
    std::vector<PetscReal> local(3 * static_cast<std::size_t>(space_.local_nodes())), row(width());
    space_.node_exchange().global_to_local_begin(field, local.data());
    space_.node_exchange().global_to_local_end(field, local.data());
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const solid::MaterialPoint& point = points_[i];
      if (!point.mine()) continue;
      const auto nodes = space_.cell_nodes(point.cell());
      for (std::size_t n = 0; n < nodes.size(); ++n)
        for (std::size_t c = 0; c < 3; ++c)
          row[3 * i + c] += point.shape()[n] * local[3 * static_cast<std::size_t>(nodes[n]) + c];
    }
    check(MPI_Allreduce(MPI_IN_PLACE, row.data(), static_cast<int>(row.size()), MPIU_REAL, MPI_SUM, space_.comm()));
    return row;
  }

 private:
  const solid::Space& space_;
  std::vector<solid::MaterialPoint> points_;
};

std::string columns(const Case& given) {
  std::string text = "frequency";
  for (const auto& [name, X] : given.results.probes)
    for (const char* axis : {"_ux", "_uy", "_uz"}) text += "," + name + axis + "," + name + axis + "_phase";
  return text;
}

}  // namespace

Excitation find_excitation(const Case& given, solid::Body& body, const Stepper& stepper) {
  const State at = stepper.state();
  Excitation found{petsc::duplicate(body.layout()), petsc::duplicate(body.layout())};
  body.external_forces(at, found.forces.get());
  // After an equilibrium the supports stay in their positions there, and only the loads excite the prestressed body.
  if (given.analysis.wanted == Wanted::modes) {
    const auto unused = petsc::duplicate(body.layout());
    body.prescribe(at.t, found.motion.get(), unused.get(), unused.get());
  }
  if (petsc::norm(found.forces.get(), NORM_INFINITY) == 0 && petsc::norm(found.motion.get(), NORM_INFINITY) == 0)
    throw OptionError(
        "option -frequency_response: no load acts at t = 0, and its size would be the amplitude; give a force, a "
        "traction or a base acceleration, such as -force_<face> 1,0,0, or without -static a prescribed motion, such as "
        "-prescribe_<face> 1,0,0");
  return found;
}

void write_frequency_response(const Case& given, solid::Body& body, const Stepper& stepper, const solid::Modes& modes,
                              const Excitation& excitation, const std::filesystem::path& folder) {
  const MPI_Comm comm = body.space().comm();
  const FrequencyRange& range = *given.analysis.frequency_response;
  if (const PetscReal highest = modes.modes().back().frequency; highest < 1.2 * range.last)
    check(PetscFPrintf(
        comm, PETSC_STDERR,
        "warning: -frequency_response extends to the frequency %.6g, but the modes only to %.6g: resonances "
        "above are missing; request more -modes, up to 1.2 f2 or higher\n",
        range.last, highest));
  const StepperOptions& options = stepper.options();
  const solid::FrequencyResponse response(
      body, stepper.state(), modes, excitation.forces.get(),
      {.ratio = range.damping, .mass = options.rayleigh_mass, .stiffness = options.rayleigh_stiffness},
      excitation.motion.get());
  const Samples samples(body.space(), given);
  std::vector<std::vector<PetscReal>> shapes;
  for (std::size_t k = 0; k < response.size(); ++k) shapes.push_back(samples.of(response.shape(k)));
  io::Table table(comm, folder / "frequency_response.csv", columns(given));
  std::vector<double> row(1 + 2 * samples.width());
  for (PetscInt i = 0; i < range.count; ++i) {
    const PetscReal part = static_cast<PetscReal>(i) / static_cast<PetscReal>(range.count - 1);
    row[0] = range.first + part * (range.last - range.first);
    const auto y = response.amplitudes(row[0]);
    for (std::size_t c = 0; c < samples.width(); ++c) {
      std::complex<PetscReal> u = 0;
      for (std::size_t k = 0; k < y.size(); ++k) u += y[k] * shapes[k][c];
      row[1 + 2 * c] = std::abs(u);
      row[2 + 2 * c] = std::arg(u) * 180 / std::numbers::pi;
    }
    table.row(row);
  }
  table.close();
}

}  // namespace gearshift::app
