#include "app/analyses/dry_run.hpp"

#include <gearshift/dynamics/stepper_options.hpp>

#include "app/analyses/load_curve.hpp"
#include "app/results/fields.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gearshift::app {
namespace {

using petsc::check;

struct Part {
  const char* name;
  double bytes;
  enum class Of { cells, points, first_rank, rank } of = Of::cells;  ///< what has this memory: rank: each one as much
};

/// Prints the memory of the parts of a run on the ranks of this one, or on another number.
class Table {
 public:
  Table(const solid::Body& body, int ranks)
      : comm_(body.mesh().comm()), here_(petsc::ranks_of(comm_)), ranks_(ranks > 0 ? ranks : here_) {
    vertices_ = petsc::size_of(body.layout()) / 3.0 / std::pow(body.space().degree(), 3);
  }
  int ranks() const { return ranks_; }

  /// Prints a part and adds it to the sums.
  void add(const Part& part) {
    Bytes bytes = over_ranks(part.bytes);
    if (ranks_ != here_) {
      if (part.of == Part::Of::rank) bytes.all = bytes.most * ranks_;
      if (part.of == Part::Of::points) bytes.all = points(bytes.all);
      if (part.of != Part::Of::first_rank) bytes.most = bytes.all / ranks_;
    }
    print(part.name, bytes);
    own_ += part.bytes;
    sum_ = {sum_.most + bytes.most, sum_.all + bytes.all};
  }
  /// Prints the sum, or the `peak` of this rank where it is larger, in addition to `before`.
  void total(const char* name, double peak, double before) const {
    if (ranks_ == here_) return print(name, over_ranks(std::max(own_, peak) + before));
    const double most_before = over_ranks(before).most;
    print(name, {std::max(sum_.most, over_ranks(peak).most) + most_before, sum_.all + most_before * ranks_});
  }

 private:
  struct Bytes {
    double most = 0, all = 0;
  };
  Bytes over_ranks(double bytes) const {
    return {petsc::reduced(comm_, MPI_MAX, bytes), petsc::reduced(comm_, MPI_SUM, bytes)};
  }
  void print(const char* name, Bytes bytes) const {
    constexpr double MiB = 1024 * 1024;
    check(PetscPrintf(comm_, "%-44s %12.1f %12.1f\n", name, bytes.most / MiB, bytes.all / MiB));
  }
  /// Returns the memory of mesh points: those between ranks are counted for each, and each rank needs `of_rank`
  /// (buffers of MPI, measured in tests/bench/solve/scaling.md).
  double points(double all) const {
    constexpr double of_rank = 3.7 * 1048576;
    return of_rank * ranks_ + std::max(0.0, all - of_rank * here_) * shared(ranks_) / shared(here_);
  }
  /// Returns the points of all ranks relative to those of one rank. A cube of r ranks is cut r^(1/3) - 1 times along
  /// each axis; half of the points that a layer of cells has lie on a cut.
  double shared(int ranks) const { return std::pow(1 + (std::cbrt(ranks) - 1) / 2 / std::cbrt(vertices_), 3); }

  MPI_Comm comm_;
  int here_, ranks_;
  double vertices_, own_ = 0;
  Bytes sum_;
};

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
  const auto other_ranks = static_cast<int>(given.analysis.dry_run_ranks);
  const solid::MemoryEstimate body_needs = body.memory_estimate(other_ranks);
  Table table(body, other_ranks);
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
  const PetscInt dofs = petsc::size_of(body.layout());
  check(PetscPrintf(comm,
                    "dry run: %" PetscInt_FMT " cells of degree %d, %" PetscInt_FMT " DoFs on %d ranks; memory [MiB]:\n"
                    "%-44s %12s %12s\n",
                    body.mesh().global_cells(), body.space().degree(), dofs, table.ranks(), "", "fullest rank",
                    "all ranks"));
  using Of = Part::Of;
  const std::vector<Part> parts{
      {"mesh and nodes", now.resident - start.resident(), Of::points},
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
      {"direct coarse solver, on the first rank", body_needs.direct, Of::first_rank},
      {"code and buffers first used during a run", first_touched, Of::rank},
  };
  Table(body, other_ranks).add({"program and its libraries", start.resident(), Of::rank});
  for (const Part& part : parts) table.add(part);
  // On other ranks only the reading of a mesh file on the first rank takes as much as here: each rank then makes its
  // own part of a Gmsh file's mesh.
  double peak = now.peak;
  if (table.ranks() != petsc::ranks_of(comm))
    peak = body.mesh().peak_after_reading().value_or(petsc::has_option("", "-dm_plex_filename") ? now.peak : 0);
  peak = std::max(0.0, peak - start.resident());
  table.total("peak of the run, without the program", peak, 0);
  table.total("peak of the run", peak, start.resident());
}

}  // namespace gearshift::app
