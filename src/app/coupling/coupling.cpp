#include "app/coupling/coupling.hpp"

#include "app/coupling/mesh.hpp"
#include "petsc/queries.hpp"

#include <precice/precice.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace gearshift::app {

using petsc::check;

namespace {

/// Adds the report of an accepted window to that of the run.
void add(Report& run, const Report& window) {
  Report all = window;
  all.steps += run.steps;
  all.rejected += run.rejected;
  all.newton_iterations += run.newton_iterations;
  all.krylov_iterations += run.krylov_iterations;
  all.guard_trips += run.guard_trips;
  all.guard_products += run.guard_products;
  all.bdf_steps += run.bdf_steps;
  all.preconditioner_builds += run.preconditioner_builds;
  all.energy_warnings += run.energy_warnings;
  all.seconds += run.seconds;
  run = std::move(all);
}

}  // namespace

class Coupling::Impl {
 public:
  Impl(const CouplingKeys& keys, solid::Body& body)
      : keys_(keys),
        comm_(body.space().comm()),
        participant_(keys.participant, keys.configuration, petsc::rank_of(comm_), petsc::ranks_of(comm_), &comm_) {
    const int dimensions = participant_.getMeshDimensions(keys_.mesh);
    const bool connected = participant_.requiresMeshConnectivityFor(keys_.mesh);
    mesh_ = CouplingMesh::make(body, keys_.faces, dimensions, connected);
    values_.resize(mesh_->places().size());
    loads_.resize(values_.size());
    ids_.resize(values_.size() / static_cast<std::size_t>(dimensions));
    participant_.setMeshVertices(keys_.mesh, mesh_->places(), ids_);
    if (connected) {
      std::vector<precice::VertexID> corners;
      for (const int vertex : mesh_->connectivity()) corners.push_back(ids_[static_cast<std::size_t>(vertex)]);
      if (dimensions == 2)
        participant_.setMeshEdges(keys_.mesh, corners);
      else
        participant_.setMeshTriangles(keys_.mesh, corners);
    }
    sample_ = petsc::duplicate(body.layout());
    if (!keys_.reads_tractions) return;
    tractions_ = petsc::duplicate(body.layout());
    integrate_ = body.traction_integral(keys_.faces);
  }

  /// Adds the partners' forces at time t, which are known from the beginning of the present step to the end of the
  /// window. After the last window it adds the forces that were read last.
  void add_forces(PetscReal t, Vec forces) {
    if (phase_ == Phase::before) return;
    if (phase_ == Phase::coupled) {
      const double time = std::clamp<double>(t - window_.now, 0, participant_.getMaxTimeStepSize());
      participant_.readData(keys_.mesh, keys_.reads, ids_, time, loads_);
    }
    if (!keys_.reads_tractions) return mesh_->add_forces(loads_, forces);
    mesh_->set_tractions(loads_, tractions_.get());
    integrate_(tractions_.get(), forces);
  }

  Report run(Stepper& stepper, const Observer& observer) {
    stepper.defer_checkpoints();  // to the ends of windows, where a run may also stop
    if (windows_ == 0) reached_ = stepper.state().t;
    if (participant_.requiresInitialData())
      tell(keys_.writes_velocity ? stepper.state().v : stepper.state().q);
    else if (stepper.resumed())
      check(PetscFPrintf(comm_, PETSC_STDERR,
                         "note: the run continues from a checkpoint, but preCICE does not request initial data: if the "
                         "partner needs %s, set initialize=\"true\" for this exchange in the configuration\n",
                         keys_.writes.c_str()));
    participant_.initialize();
    window_.now = stepper.state().t;
    phase_ = Phase::coupled;
    stepper.add_monitor([&](const Stepper& s, const StepReport& report) {
      observer.step(s);
      step_done(s, report);
    });
    std::optional<Snapshot> begin;
    const PetscInt most = stepper.options().max_steps;
    Report report;
    while (participant_.isCouplingOngoing()) {
      if (participant_.requiresWritingCheckpoint()) {
        begin = stepper.snapshot();
        observer.begin();
      }
      window_.length = participant_.getMaxTimeStepSize();
      window_.end = static_cast<double>(reached_ + window_.length);
      const Report window = advance(stepper, most - report.steps, observer);
      if (stepper.state().t < window_.end) {
        add(report, window);
        observer.done(steps_, true);
        return report;
      }
      if (participant_.requiresReadingCheckpoint()) {
        stepper.restore(*begin);
        observer.again();
        window_.now = stepper.state().t;
        steps_.clear();
        continue;
      }
      add(report, window);
      reached_ += window_.length;
      ++windows_;
      const bool ongoing = participant_.isCouplingOngoing(), stops = ongoing && report.steps >= most;
      observer.done(steps_, !ongoing || stops);
      steps_.clear();
      if (stepper.settle(windows_, report) && ongoing && !stops) {
        observer.done({}, true);
        return report;
      }
      if (!stops) continue;
      report.reason = StopReason::max_steps;
      return report;
    }
    participant_.finalize();
    phase_ = Phase::after;
    return report;
  }

  PetscInt windows() const { return windows_; }

  void archive(Archive& state) {
    const Archive::Group group(state, "coupling");
    state("windows", windows_);
    auto reached = static_cast<PetscReal>(reached_), rest = static_cast<PetscReal>(reached_ - reached);
    state("reached", reached);
    state("rest", rest);
    reached_ = static_cast<long double>(reached) + rest;
  }

 private:
  /// Advances the stepper to the end of the window. If the steps fail, the observer first receives those that were
  /// accepted.
  Report advance(Stepper& stepper, PetscInt max_steps, const Observer& observer) {
    try {
      return stepper.advance_to(window_.end, max_steps);
    } catch (const StepFailed&) {
      observer.done(steps_, true);
      throw;
    }
  }

  /// Sends the motion at the end of a step to the partners, and at times within it if the window has few steps: the
  /// partners see the motion only through preCICE's interpolation of the samples of a window.
  void step_done(const Stepper& stepper, const StepReport& report) {
    steps_.push_back(report);
    const double begin = window_.now;
    const int parts = std::max(
        1, static_cast<int>(std::ceil(static_cast<double>(keys_.samples) * report.dt / window_.length - 1e-9)));
    for (int i = 1; i < parts; ++i) {
      const PetscReal t = begin + report.dt * i / parts;
      stepper.interpolate(t, keys_.writes_velocity ? nullptr : sample_.get(),
                          keys_.writes_velocity ? sample_.get() : nullptr);
      tell(sample_.get());
      participant_.advance(t - window_.now);
      window_.now = t;
    }
    tell(keys_.writes_velocity ? stepper.state().v : stepper.state().q);
    // The steps of a window add up to the window except for round-off, but preCICE does not tolerate round-off.
    const PetscReal t = stepper.state().t;  // report.t lies just before it if loads jump there
    participant_.advance(t >= window_.end ? participant_.getMaxTimeStepSize() : t - window_.now);
    window_.now = t;
  }

  void tell(Vec motion) {
    mesh_->read(motion, values_);
    participant_.writeData(keys_.mesh, keys_.writes, ids_, values_);
  }

  CouplingKeys keys_;
  MPI_Comm comm_;
  precice::Participant participant_;
  std::unique_ptr<CouplingMesh> mesh_;
  std::vector<precice::VertexID> ids_;
  std::vector<double> values_, loads_;
  std::vector<StepReport> steps_;
  petsc::Handle<Vec> tractions_, sample_;
  solid::Body::TractionIntegral integrate_;
  enum class Phase { before, coupled, after };
  Phase phase_ = Phase::before;
  PetscInt windows_ = 0;
  long double reached_ = 0;  // time reached by accepted windows, which add up without round-off
  /// The present window, and the time that the partners have reached in it.
  struct Window {
    double length = 0, end = 0, now = 0;
  };
  Window window_;
};

bool Coupling::available() { return true; }

Coupling::Coupling(const CouplingKeys& keys, solid::Body& body) : impl_(std::make_shared<Impl>(keys, body)) {
  body.add_nodal_forces([impl = impl_](PetscReal t, Vec forces) { impl->add_forces(t, forces); });
}

Coupling::~Coupling() = default;

Report Coupling::run(Stepper& stepper, const Observer& observer) { return impl_->run(stepper, observer); }
PetscInt Coupling::windows() const { return impl_->windows(); }
void Coupling::archive(Archive& state) { impl_->archive(state); }

}  // namespace gearshift::app
