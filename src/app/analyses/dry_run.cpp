#include "app/analyses/dry_run.hpp"

#include <gearshift/dynamics/stepper_options.hpp>

#include "app/analyses/load_curve.hpp"
#include "app/results/fields.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <vector>

namespace gearshift::app {
namespace {

using petsc::check;

struct Part {
  const char* name;
  double bytes;
};

void print(MPI_Comm comm, const char* name, double bytes) {
  const double most = petsc::reduced(comm, MPI_MAX, bytes), sum = petsc::reduced(comm, MPI_SUM, bytes);
  constexpr double MiB = 1024 * 1024;
  check(PetscPrintf(comm, "%-44s %12.1f %12.1f\n", name, most / MiB, sum / MiB));
}

}  // namespace

double MemoryAtStart::peak_since(MPI_Comm comm) const {
  double bytes = petsc::process_memory().peak - resident_;
  return petsc::reduced(comm, MPI_MAX, bytes);
}

void dry_run(const Case& given, const solid::Body& body, const MemoryAtStart& start) {
  const MPI_Comm comm = body.mesh().comm();
  StepperOptions stepper;
  petsc::read_options(comm, "", "Stepper", [&](petsc::Options& options) { stepper.read(options); });
  stepper.validate();
  const petsc::Memory now = petsc::process_memory();
  const solid::MemoryEstimate body_needs = body.memory_estimate();
  // Probes and the energy balance read local copies of q and v; frames between steps need a separate acceleration
  // vector. Load steps keep earlier equilibria for the initial guess.
  const bool load_steps = (!given.analysis.has_time() || given.analysis.static_first) && given.analysis.load_steps > 1;
  const double vectors =
      static_cast<double>(stepper.vectors() + (given.results.frame_times.empty() ? 0 : 1) +
                          std::ssize(given.results.envelope) + (load_steps ? LoadCurve::vectors : 0)) *
          body_needs.vector +
      48 * static_cast<double>(given.results.probes.empty() ? 0 : body.space().local_nodes());
  // The internal variables of the stepper's states, and the body's current ones.
  const double internal = static_cast<double>(stepper.internal_vectors() + 1) * body_needs.internal;
  // Code of libraries that is loaded only during the run, and buffers of MPI and PETSc: measured as 5.7 to 7 MiB on
  // boxes of 2e4 to 1e5 unknowns.
  constexpr double first_touched = 6.3 * 1048576;
  const std::vector<Part> parts{
      {"mesh and nodes", now.resident - start.resident()},
      {"operator: node numbers, geometry, loads", body_needs.operators},
      {"tangent: data at quadrature points", body_needs.points},
      {"vectors: history, Newton, Krylov", vectors + body_needs.solver_vectors},
      {"internal variables: history, stages", internal},
      {"stresses at nodes, for frames and probes",
       Fields::memory_estimate(body, given.results.fields_to_recover()) +
           (given.results.probes.empty() ? 0 : Fields::memory_estimate(body, given.results.probe_fields))},
      {"coarse multigrid levels, prolongations", body_needs.multigrid},
      {"assembled tangent", body_needs.matrix},
      {"coarse matrix", body_needs.coarse},
      {"algebraic multigrid, during its set-up", body_needs.hierarchy},
      {"code and buffers first used during a run", first_touched},
  };
  const int ranks = petsc::ranks_of(comm);
  const PetscInt dofs = petsc::size_of(body.layout());
  check(PetscPrintf(comm,
                    "dry run: %" PetscInt_FMT " cells of degree %d, %" PetscInt_FMT " DoFs on %d ranks; memory [MiB]:\n"
                    "%-44s %12s %12s\n",
                    body.mesh().global_cells(), body.space().degree(), dofs, ranks, "", "fullest rank", "all ranks"));
  print(comm, "program and its libraries", start.resident());
  double sum = 0;
  for (const Part& part : parts) {
    print(comm, part.name, part.bytes);
    sum += part.bytes;
  }
  // The first rank reads a mesh file as a whole before it is distributed.
  const double needed = std::max(sum, now.peak - start.resident());
  print(comm, "peak of the run, without the program", needed);
  print(comm, "peak of the run", needed + start.resident());
}

}  // namespace gearshift::app
